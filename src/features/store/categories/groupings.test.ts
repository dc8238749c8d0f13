import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const put = (path: string, body: Json, options: CallOptions = {}) =>
  tradepost.call('PUT', path, { body, ...options })
const fault = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.code,
  json.details?.field,
]
const refused = (field: string) => [422, 'VALIDATION_FAILED', field]

describe.each([
  ['categories', 'category', { icon: null }],
  ['groups', 'group', { product_ids: [] }],
])('%s', (plural, singular, own) => {
  const make = async (fields: Json, options: CallOptions = {}): Promise<Json> => {
    const { status, json } = await tradepost.post(`/${plural}`, fields, options)
    if (status !== 201) throw new Error(JSON.stringify(json))
    return json[singular]
  }
  const read = async (id: number, options: CallOptions = {}) =>
    (await tradepost.get(`/${plural}/${id}`, options)).json[singular]

  test('have every field, a slug of their name, a place behind the others, and no event', async () => {
    await tradepost.events()
    const first = await make({ name: 'Über Games!' })
    expect(first).toEqual({
      id: expect.any(Number),
      object: singular,
      name: 'Über Games!',
      slug: 'uber-games',
      description: null,
      image_url: null,
      visibility: 'public',
      position: 0,
      product_count: 0,
      created_at: first.created_at,
      updated_at: first.created_at,
      ...own,
    })
    expect(await read(first.id)).toEqual(first)
    const second = await make({ name: 'Über Games!', visibility: 'unlisted', description: 'All' })
    expect(second).toMatchObject({ position: 1, visibility: 'unlisted', description: 'All' })
    expect(second.slug).toMatch(/^uber-games-[0-9a-z]{6}$/)
    expect(await make({ name: '!!!' })).toMatchObject({ slug: singular })
    expect(await tradepost.events()).toEqual([])
  })

  test('keep what an update leaves out, and clear with null', async () => {
    const made = await make({
      name: 'Tools',
      description: 'Old',
      image_url: 'https://a.test/i.png',
    })
    tradepost.forward(1000)
    const { json } = await tradepost.patch(`/${plural}/${made.id}`, {
      name: 'Kit',
      description: null,
    })
    const { updated_at } = json[singular]
    expect(json[singular]).toEqual({ ...made, name: 'Kit', description: null, updated_at })
    expect(updated_at > made.updated_at).toBe(true)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ slug: 'No Spaces' }, 'slug'],
    [{ image_url: 'ftp://a.test' }, 'image_url'],
    [{ visibility: 'hidden' }, 'visibility'],
    [{ position: 1 }, 'position'],
    [{ product_count: 1 }, 'product_count'],
  ])('refuse %j by its field', async (fields, field) => {
    const { id } = await make({ name: 'Any' })
    expect(fault(await tradepost.post(`/${plural}`, { name: 'Any', ...fields }))).toEqual(
      refused(field),
    )
    expect(fault(await tradepost.patch(`/${plural}/${id}`, fields))).toEqual(refused(field))
  })

  test('have a slug of their own in a store', async () => {
    await make({ name: 'A', slug: 'mine' })
    const other = await make({ name: 'B', slug: 'yours' })
    const answers = [
      await tradepost.post(`/${plural}`, { name: 'C', slug: 'mine' }),
      await tradepost.patch(`/${plural}/${other.id}`, { slug: 'mine' }),
    ]
    for (const answer of answers) {
      expect([...fault(answer), answer.json.details.reason]).toEqual([...refused('slug'), 'taken'])
    }
    expect((await make({ name: 'A', slug: 'mine' }, { as: tradepost.other })).slug).toBe('mine')
  })

  test('are listed by position, all get a new order at once, and pages fit together', async () => {
    const as = tradepost.test
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await make({ name }, { as })).id)
    const names = async (query = '') =>
      (await tradepost.get(`/${plural}?${query}`, { as })).json[plural].map(
        (item: Json) => item.name,
      )
    expect(await names()).toEqual(['a', 'b', 'c'])
    const [a, b, c] = ids
    const { status, json } = await put(`/${plural}/order`, { ids: [c, a, b] }, { as })
    expect(status).toBe(200)
    expect(json[plural].map((item: Json) => [item.name, item.position])).toEqual([
      ['c', 0],
      ['a', 1],
      ['b', 2],
    ])
    expect(await names()).toEqual(['c', 'a', 'b'])
    expect(await names('limit=1&offset=1')).toEqual(['a'])
    const { pagination } = (await tradepost.get(`/${plural}?limit=2`, { as })).json
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
    const order = async (sent: unknown[]) =>
      fault(await put(`/${plural}/order`, { ids: sent }, { as }))
    expect(await order([a, b])).toEqual(refused('ids'))
    expect(await order([a, b, b])).toEqual(refused('ids[2]'))
    expect(await order([a, b, 999_999])).toEqual(refused('ids[2]'))
  })

  test('hold the products they were given, by hash or number, and lists of products find them', async () => {
    const [one, two, gone] = [
      await product(tradepost),
      await product(tradepost),
      await product(tradepost),
    ]
    const { id } = await make({ name: 'Shelf' })
    const filter = `${singular}_id=${id}`
    const listed = async () =>
      (await tradepost.get(`/products?${filter}&sort=created_at`)).json.products.map(
        (p: Json) => p.id,
      )
    const path = `/${plural}/${id}/products`
    await put(path, { product_ids: [gone.id] })
    expect(await listed()).toEqual([gone.id])
    const sent = [two.id, String(one.product.product.legacy_id)]
    const { status, json } = await put(path, { product_ids: sent })
    expect(status).toBe(200)
    expect(json[singular]).toMatchObject({ id, product_count: 2 })
    if (singular === 'group') expect(json.group.product_ids).toEqual([two.id, one.id])
    expect(await listed()).toEqual([one.id, two.id])
    const found = (await tradepost.get(`/products?${filter}`)).json
    expect(found.pagination.total).toBe(2)

    for (const [product_ids, field] of [
      [[one.id, 'zzzzzzzzzzzz'], 'product_ids[1]'],
      [[one.id, one.id], 'product_ids[1]'],
      [['!'], 'product_ids[0]'],
      [Array(10_000).fill(one.id), 'product_ids'],
    ] as const) {
      expect(fault(await put(path, { product_ids }))).toEqual(refused(field))
    }
    expect(await listed()).toEqual([one.id, two.id])
    expect((await put(path, { product_ids: [] })).json[singular].product_count).toBe(0)
    expect(await listed()).toEqual([])
  })

  test('are deleted without their products, and are not found from another store', async () => {
    const { id: productId } = await product(tradepost)
    const { id } = await make({ name: 'Gone' })
    const path = `/${plural}/${id}`
    await put(`${path}/products`, { product_ids: [productId] })
    for (const as of [tradepost.other, tradepost.test]) {
      const answers = [
        await tradepost.get(path, { as }),
        await tradepost.patch(path, { name: 'Mine' }, { as }),
        await put(`${path}/products`, { product_ids: [] }, { as }),
        await tradepost.delete(path, { as }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    const foreign = await make({ name: 'Theirs' }, { as: tradepost.other })
    const stolen = await put(
      `/${plural}/${foreign.id}/products`,
      { product_ids: [productId] },
      { as: tradepost.other },
    )
    expect(fault(stolen)).toEqual(refused('product_ids[0]'))
    const { json } = await tradepost.delete(path)
    expect(json).toEqual({ success: true, deleted: true, id })
    expect((await tradepost.get(path)).status).toBe(404)
    expect((await tradepost.get(`/products/${productId}`)).status).toBe(200)
  })
})

test('a category shows on its products, and a product may be in several', async () => {
  const { id: productId } = await product(tradepost)
  const ids: number[] = []
  for (const [name, icon] of [
    ['First', '🎮'],
    ['Second', null],
  ]) {
    const { category } = (await tradepost.post('/categories', { name, icon })).json
    ids.push(category.id)
    await put(`/categories/${category.id}/products`, { product_ids: [productId] })
  }
  const { categories } = (await tradepost.get(`/products/${productId}`)).json.product
  expect(categories).toEqual([
    { id: ids[0], name: 'First', icon: '🎮' },
    { id: ids[1], name: 'Second', icon: null },
  ])
})

test('a product is in one group: put into another it leaves the first', async () => {
  const [one, two] = [await product(tradepost), await product(tradepost)]
  const groups: number[] = []
  for (const name of ['Left', 'Right']) {
    groups.push((await tradepost.post('/groups', { name })).json.group.id)
  }
  const [left, right] = groups
  await put(`/groups/${left}/products`, { product_ids: [one.id, two.id] })
  await put(`/groups/${right}/products`, { product_ids: [one.id] })
  const productsOf = async (id: number | undefined) =>
    (await tradepost.get(`/groups/${id}`)).json.group.product_ids
  expect(await productsOf(left)).toEqual([two.id])
  expect(await productsOf(right)).toEqual([one.id])
})

test('a store has at most 500 of a kind', async () => {
  const as = await tradepost.key({ of: tradepost.other, rate_limit: 0 })
  const { json } = await tradepost.get('/groups?limit=1', { as })
  for (let count = json.pagination.total; count < 500; count++) {
    await tradepost.post('/groups', { name: 'One more' }, { as })
  }
  expect(fault(await tradepost.post('/groups', { name: 'Too many' }, { as }))).toEqual(
    refused('name'),
  )
})
