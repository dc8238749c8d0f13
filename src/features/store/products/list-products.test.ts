import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'

let tradepost: Tradepost
let start: number

/** Five products, made an hour apart. */
beforeAll(async () => {
  tradepost = await openTradepost()
  start = tradepost.app.clock.now()
  const made = [
    { name: 'Alpha 100% fun', price_cents: 300, type: 'service', sku: 'SKU_A' },
    { name: 'beta', price_cents: 100, type: 'file', status: 'draft' },
    { name: 'Gamma_1', price_cents: 200, visibility: 'unlisted', active: false },
    { name: 'Delta', price_cents: 200, status: 'archived', visibility: 'private' },
    { name: 'Epsilon', price_cents: 500, type: 'service', product_kind: 'bundle' },
  ]
  for (const fields of made) {
    await product(tradepost, fields)
    tradepost.forward(HOUR_MS)
  }
  await product(tradepost, { name: 'Not here' }, { as: tradepost.other })
  await product(tradepost, { name: 'Not on this side' }, { as: tradepost.test })
})
afterAll(() => tradepost.close())

async function names(query: string): Promise<string[]> {
  const { status, json } = await tradepost.get(`/products?${query}`)
  expect(status, query).toBe(200)
  return json.products.map((item: Json) => item.name.split(/[ _]/)[0])
}

test('all of the store are listed, the newest first, and those of another store or side are not', async () => {
  expect(await names('')).toEqual(['Epsilon', 'Delta', 'Gamma', 'beta', 'Alpha'])
  const { json } = await tradepost.get('/products')
  expect(json.pagination).toEqual({ total: 5, limit: 25, offset: 0, has_more: false })
})

test('those of one price stay in the order of their ids from page to page', async () => {
  const walk = async (sort: string) => {
    const pages = [0, 1, 2, 3, 4].map((offset) => names(`sort=${sort}&limit=1&offset=${offset}`))
    return (await Promise.all(pages)).flat()
  }
  expect(await walk('price_cents')).toEqual(['beta', 'Gamma', 'Delta', 'Alpha', 'Epsilon'])
  expect(await walk('-price_cents')).toEqual(['Epsilon', 'Alpha', 'Delta', 'Gamma', 'beta'])
})

describe('filters', () => {
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
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('created_from is in the range and created_to is not', async () => {
    const all = (await tradepost.get('/products?sort=created_at')).json.products
    const [second, fourth] = [all[1].created_at, all[3].created_at]
    expect(await names(`created_from=${second}&created_to=${fourth}`)).toEqual(['Gamma', 'beta'])
    expect(await names(`created_to=${iso(start - 1)}`)).toEqual([])
  })

  test('a category lists its products', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
      select id, 'Fun', 'fun', 'public', 0, now(), now() from store where hash = ${tradepost.live.id}
      returning id`.execute(tradepost.db)
    const [one] = (await tradepost.get('/products?search=beta')).json.products
    await tradepost.patch(`/products/${one.id}`, { category_ids: [rows[0]?.id] })
    expect(await names(`category_id=${rows[0]?.id}`)).toEqual(['beta'])
    await tradepost.patch(`/products/${one.id}`, { category_ids: [] })
    expect(await names(`category_id=${rows[0]?.id}`)).toEqual([])
  })

  test('in_stock=true lists what can be sold, in_stock=false what cannot', async () => {
    expect(await names('in_stock=true')).toEqual(['Epsilon', 'beta', 'Alpha'])
    expect(await names('in_stock=false')).toEqual(['Delta', 'Gamma'])
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
  ])('"%s" finds it as text, not as a pattern', async (text, expected) => {
    expect(await names(`search=${encodeURIComponent(text)}`)).toEqual(expected)
  })
})

describe('order', () => {
  test.each([
    ['created_at', ['Alpha', 'beta', 'Gamma', 'Delta', 'Epsilon']],
    ['-created_at', ['Epsilon', 'Delta', 'Gamma', 'beta', 'Alpha']],
    ['price_cents', ['beta', 'Gamma', 'Delta', 'Alpha', 'Epsilon']],
    ['-price_cents', ['Epsilon', 'Alpha', 'Delta', 'Gamma', 'beta']],
  ])('sort=%s, ties by id', async (sort, expected) => {
    expect(await names(`sort=${sort}`)).toEqual(expected)
  })

  test('by name and back is the same list reversed', async () => {
    const there = await names('sort=name')
    expect([...there].sort()).toEqual(['Alpha', 'Delta', 'Epsilon', 'Gamma', 'beta'])
    expect(await names('sort=-name')).toEqual([...there].reverse())
  })

  test('by sales', async () => {
    const [alpha] = (await tradepost.get('/products?search=alpha')).json.products
    await order(tradepost, alpha.id, { mark_paid: true })
    const { json } = await tradepost.get('/products?sort=-sales_count')
    expect(json.products[0]).toMatchObject({ id: alpha.id, sales_count: 1 })
  })
})

test('include adds sections to each row, and no other', async () => {
  const sections = ['details', 'seo', 'methods', 'media', 'variants']
  const { json } = await tradepost.get('/products?include=seo,variants')
  for (const row of json.products) {
    expect(sections.filter((name) => name in row)).toEqual(['seo', 'variants'])
    expect(row.variants[0].product_id).toBe(row.id)
  }
  const [bare] = (await tradepost.get('/products')).json.products
  expect(sections.filter((name) => name in bare)).toEqual([])
  const [full] = (await tradepost.get(`/products?include=${sections}`)).json.products
  const { product: own, success: _, ...rest } = (await tradepost.get(`/products/${full.id}`)).json
  expect(full).toEqual({ ...own, ...rest })
})

test('a walk over all pages meets every product once, whatever its sort', async () => {
  for (const sort of ['created_at', '-price_cents', 'name', 'sales_count']) {
    const seen: string[] = []
    for (let offset = 0; ; offset += 2) {
      const { json } = await tradepost.get(`/products?limit=2&offset=${offset}&sort=${sort}`)
      seen.push(...json.products.map((item: Json) => item.id))
      expect(json.pagination).toMatchObject({ total: 5, limit: 2, offset })
      if (!json.pagination.has_more) break
    }
    expect(new Set(seen).size, sort).toBe(5)
    expect(seen, sort).toHaveLength(5)
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
])('%s is refused by its name', async (query, field) => {
  const { status, json } = await tradepost.get(`/products?${query}`)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a list needs products:read', async () => {
  const as = await tradepost.key({ permissions: ['products:write'] })
  expect((await tradepost.get('/products', { as })).json.code).toBe('INSUFFICIENT_SCOPE')
})
