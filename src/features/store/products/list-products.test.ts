import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'

let tradepost: Tradepost
let start: number

/** Creates five products, an hour apart. The tests compare the first words of their names. */
beforeAll(async () => {
  tradepost = await openTradepost()
  start = tradepost.app.clock.now()
  const products = [
    { name: 'Alpha 100% fun', price_cents: 300, type: 'service', sku: 'SKU_A' },
    { name: 'beta', price_cents: 100, type: 'file', status: 'draft' },
    { name: 'Gamma_1', price_cents: 200, visibility: 'unlisted', active: false },
    { name: 'Delta', price_cents: 200, status: 'archived', visibility: 'private' },
    { name: 'Epsilon', price_cents: 500, type: 'service', product_kind: 'bundle' },
  ]
  for (const fields of products) {
    await product(tradepost, fields)
    tradepost.forward(HOUR_MS)
  }
  await product(tradepost, { name: 'Not here' }, { as: tradepost.other })
  await product(tradepost, { name: 'Not on this side' }, { as: tradepost.test })
})
afterAll(() => tradepost.close())

async function listNames(query: string): Promise<string[]> {
  const { status, json } = await tradepost.get(`/products?${query}`)
  expect(status, query).toBe(200)
  return json.products.map((item: Json) => item.name.split(/[ _]/)[0])
}

test('the list has all products of the store, newest first, and none of another store or side', async () => {
  expect(await listNames('')).toEqual(['Epsilon', 'Delta', 'Gamma', 'beta', 'Alpha'])
  const { json } = await tradepost.get('/products')
  expect(json.pagination).toEqual({ total: 5, limit: 25, offset: 0, has_more: false })
})

test('products of equal price are sorted by id on all pages', async () => {
  const readAllPages = async (sort: string) => {
    const pages = [0, 1, 2, 3, 4].map((offset) =>
      listNames(`sort=${sort}&limit=1&offset=${offset}`),
    )
    return (await Promise.all(pages)).flat()
  }
  expect(await readAllPages('price_cents')).toEqual(['beta', 'Gamma', 'Delta', 'Alpha', 'Epsilon'])
  expect(await readAllPages('-price_cents')).toEqual(['Epsilon', 'Alpha', 'Delta', 'Gamma', 'beta'])
})

describe('products are filtered', () => {
  test.each([
    ['status=draft', ['beta']],
    ['status=draft,archived', ['Delta', 'beta']],
    ['visibility=unlisted,private', ['Delta', 'Gamma']],
    ['type=service', ['Epsilon', 'Alpha']],
    ['product_kind=bundle', ['Epsilon']],
    ['active=false', ['Gamma']],
    ['active=true&type=service&status=active', ['Epsilon', 'Alpha']],
    ['category_id=999999', []],
    ['unknown=1&status=draft', ['beta']],
  ])('by %s', async (query, expected) => {
    expect(await listNames(query)).toEqual(expected)
  })

  test('by created_from inclusively, and by created_to exclusively', async () => {
    const products = (await tradepost.get('/products?sort=created_at')).json.products
    const [from, to] = [products[1].created_at, products[3].created_at]
    expect(await listNames(`created_from=${from}&created_to=${to}`)).toEqual(['Gamma', 'beta'])
    expect(await listNames(`created_to=${iso(start - 1)}`)).toEqual([])
  })

  test('by category_id, as long as they are in the category', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
      select id, 'Fun', 'fun', 'public', 0, now(), now() from store where hash = ${tradepost.live.id}
      returning id`.execute(tradepost.db)
    const [beta] = (await tradepost.get('/products?search=beta')).json.products
    await expectSuccess(tradepost.patch(`/products/${beta.id}`, { category_ids: [rows[0]?.id] }))
    expect(await listNames(`category_id=${rows[0]?.id}`)).toEqual(['beta'])
    await expectSuccess(tradepost.patch(`/products/${beta.id}`, { category_ids: [] }))
    expect(await listNames(`category_id=${rows[0]?.id}`)).toEqual([])
  })

  test('by in_stock=true to the products that can be sold, and by in_stock=false to the others', async () => {
    expect(await listNames('in_stock=true')).toEqual(['Epsilon', 'beta', 'Alpha'])
    expect(await listNames('in_stock=false')).toEqual(['Delta', 'Gamma'])
  })
})

describe('search', () => {
  test.each([
    ['BETA', ['beta']],
    ['a_1', ['Gamma']],
    ['_', ['Gamma', 'Alpha']],
    ['%', ['Alpha']],
    ['0%', ['Alpha']],
    ['sku_a', ['Alpha']],
    ['gamma-1', ['Gamma']],
    ['\\', []],
    ["'", []],
    ['alpha beta', []],
  ])('for "%s" compares it as literal text, not as a pattern', async (text, expected) => {
    expect(await listNames(`search=${encodeURIComponent(text)}`)).toEqual(expected)
  })
})

describe('products are sorted', () => {
  test.each([
    ['created_at', ['Alpha', 'beta', 'Gamma', 'Delta', 'Epsilon']],
    ['-created_at', ['Epsilon', 'Delta', 'Gamma', 'beta', 'Alpha']],
    ['price_cents', ['beta', 'Gamma', 'Delta', 'Alpha', 'Epsilon']],
    ['-price_cents', ['Epsilon', 'Alpha', 'Delta', 'Gamma', 'beta']],
  ])('by %s, and equal ones by id', async (sort, expected) => {
    expect(await listNames(`sort=${sort}`)).toEqual(expected)
  })

  test('by name as in a dictionary, and by -name in reverse', async () => {
    const names = ['Alpha', 'beta', 'Delta', 'Epsilon', 'Gamma']
    expect(await listNames('sort=name')).toEqual(names)
    expect(await listNames('sort=-name')).toEqual([...names].reverse())
  })

  test('by name with an accented letter next to its plain letter, on all pages', async () => {
    const as = tradepost.other
    for (const name of ['Zebra', 'apple', 'Ärger', 'Apple'])
      await product(tradepost, { name }, { as })
    const pages = [0, 1, 2, 3, 4].map(async (offset) => {
      const path = `/products?sort=name&limit=1&offset=${offset}`
      return (await tradepost.get(path, { as })).json.products[0].name
    })
    expect(await Promise.all(pages)).toEqual(['apple', 'Apple', 'Ärger', 'Not here', 'Zebra'])
  })

  test('by -sales_count, beginning with the best-selling product', async () => {
    const [alpha] = (await tradepost.get('/products?search=alpha')).json.products
    await order(tradepost, alpha.id, { mark_paid: true })
    const { json } = await tradepost.get('/products?sort=-sales_count')
    expect(json.products[0]).toMatchObject({ id: alpha.id, sales_count: 1 })
  })
})

test('include adds the named sections to each row, and no others', async () => {
  const sections = ['details', 'seo', 'methods', 'media', 'variants']
  const { json } = await tradepost.get('/products?include=seo,variants')
  for (const row of json.products) {
    expect(sections.filter((name) => name in row)).toEqual(['seo', 'variants'])
    expect(row.variants[0].product_id).toBe(row.id)
  }
  const [plainRow] = (await tradepost.get('/products')).json.products
  expect(sections.filter((name) => name in plainRow)).toEqual([])
  const [fullRow] = (await tradepost.get(`/products?include=${sections}`)).json.products
  const { json: fullProduct } = await tradepost.get(`/products/${fullRow.id}`)
  const { product: fields, success: _, ...sectionsOfProduct } = fullProduct
  expect(fullRow).toEqual({ ...fields, ...sectionsOfProduct })
})

test('the pages of a list have every product once, in each sort order', async () => {
  for (const sort of ['created_at', '-price_cents', 'name', 'sales_count']) {
    const listedIds: string[] = []
    for (let offset = 0; ; offset += 2) {
      const { json } = await tradepost.get(`/products?limit=2&offset=${offset}&sort=${sort}`)
      listedIds.push(...json.products.map((item: Json) => item.id))
      expect(json.pagination).toMatchObject({ total: 5, limit: 2, offset })
      if (!json.pagination.has_more) break
    }
    expect(new Set(listedIds).size, sort).toBe(5)
    expect(listedIds, sort).toHaveLength(5)
  }
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['offset=-1', 'offset'],
  ['sort=slug', 'sort'],
  ['sort=--name', 'sort'],
  ['active=yes', 'active'],
  ['status=nope', 'status'],
  ['status=', 'status'],
  ['status=draft,nope', 'status'],
  ['include=keys', 'include'],
  ['category_id=abc', 'category_id'],
  ['created_from=yesterday', 'created_from'],
  ['search=%00', 'search'],
])('a list with %s is refused, and the error names the parameter', async (query, field) => {
  const { status, json } = await tradepost.get(`/products?${query}`)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a list needs products:read', async () => {
  const as = await tradepost.key({ permissions: ['products:write'] })
  expect((await tradepost.get('/products', { as })).json.code).toBe('INSUFFICIENT_SCOPE')
})
