import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.code,
  json.details?.field,
]
const invalid = (field: string) => [422, 'VALIDATION_FAILED', field]

describe.each([
  ['categories', 'category', { icon: null }],
  ['groups', 'group', { product_ids: [] }],
])('%s', (plural, singular, specificFields) => {
  const create = async (fields: Json, options: CallOptions = {}): Promise<Json> => {
    const { status, json } = await tradepost.post(`/${plural}`, fields, options)
    if (status !== 201) throw new Error(JSON.stringify(json))
    return json[singular]
  }
  const get = async (id: number, options: CallOptions = {}) =>
    (await tradepost.get(`/${plural}/${id}`, options)).json[singular]

  test('have every field, a slug made from the name and the last position, and emit no event', async () => {
    await tradepost.events()
    const first = await create({ name: 'Über Games!' })
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
      ...specificFields,
    })
    expect(await get(first.id)).toEqual(first)
    const second = await create({ name: 'Über Games!', visibility: 'unlisted', description: 'All' })
    expect(second).toMatchObject({ position: 1, visibility: 'unlisted', description: 'All' })
    expect(second.slug).toMatch(/^uber-games-[0-9a-z]{6}$/)
    expect(await create({ name: '!!!' })).toMatchObject({ slug: singular })
    expect(await tradepost.events()).toEqual([])
  })

  test('keep omitted fields in an update, and null clears a field', async () => {
    const grouping = await create({
      name: 'Tools',
      description: 'Old',
      image_url: 'https://a.test/i.png',
    })
    tradepost.forward(1000)
    const { json } = await tradepost.patch(`/${plural}/${grouping.id}`, {
      name: 'Kit',
      description: null,
    })
    const { updated_at } = json[singular]
    expect(json[singular]).toEqual({ ...grouping, name: 'Kit', description: null, updated_at })
    expect(updated_at > grouping.updated_at).toBe(true)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ slug: 'No Spaces' }, 'slug'],
    [{ image_url: 'ftp://a.test' }, 'image_url'],
    [{ visibility: 'hidden' }, 'visibility'],
    [{ position: 1 }, 'position'],
    [{ product_count: 1 }, 'product_count'],
  ])('refuse %j, and the error names the field', async (fields, field) => {
    const { id } = await create({ name: 'Any' })
    expect(refusalOf(await tradepost.post(`/${plural}`, { name: 'Any', ...fields }))).toEqual(
      invalid(field),
    )
    expect(refusalOf(await tradepost.patch(`/${plural}/${id}`, fields))).toEqual(invalid(field))
  })

  test('have a slug that is unique in their store', async () => {
    await create({ name: 'A', slug: 'mine' })
    const second = await create({ name: 'B', slug: 'yours' })
    const answers = [
      await tradepost.post(`/${plural}`, { name: 'C', slug: 'mine' }),
      await tradepost.patch(`/${plural}/${second.id}`, { slug: 'mine' }),
    ]
    for (const answer of answers) {
      expect([...refusalOf(answer), answer.json.details.reason]).toEqual([
        ...invalid('slug'),
        'taken',
      ])
    }
    expect((await create({ name: 'A', slug: 'mine' }, { as: tradepost.other })).slug).toBe('mine')
  })

  test('are listed by position, can be sorted in one call, and are paged without gaps', async () => {
    const as = tradepost.test
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await create({ name }, { as })).id)
    const listNames = async (query = '') =>
      (await tradepost.get(`/${plural}?${query}`, { as })).json[plural].map(
        (item: Json) => item.name,
      )
    expect(await listNames()).toEqual(['a', 'b', 'c'])
    const [a, b, c] = ids
    const { status, json } = await tradepost.put(`/${plural}/order`, { ids: [c, a, b] }, { as })
    expect(status).toBe(200)
    expect(json[plural].map((item: Json) => [item.name, item.position])).toEqual([
      ['c', 0],
      ['a', 1],
      ['b', 2],
    ])
    expect(await listNames()).toEqual(['c', 'a', 'b'])
    expect(await listNames('limit=1&offset=1')).toEqual(['a'])
    const { pagination } = (await tradepost.get(`/${plural}?limit=2`, { as })).json
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
    const refusedSort = async (ids: unknown[]) =>
      refusalOf(await tradepost.put(`/${plural}/order`, { ids }, { as }))
    expect(await refusedSort([a, b])).toEqual(invalid('ids'))
    expect(await refusedSort([a, b, b])).toEqual(invalid('ids[2]'))
    expect(await refusedSort([a, b, 999_999])).toEqual(invalid('ids[2]'))
  })

  test('contain the products that are sent by hash or numeric id, and filter lists of products', async () => {
    const [first, second, third] = [
      await product(tradepost),
      await product(tradepost),
      await product(tradepost),
    ]
    const { id } = await create({ name: 'Selection' })
    const filter = `${singular}_id=${id}`
    const listedProducts = async () =>
      (await tradepost.get(`/products?${filter}&sort=created_at`)).json.products.map(
        (item: Json) => item.id,
      )
    const path = `/${plural}/${id}/products`
    await expectSuccess(tradepost.put(path, { product_ids: [third.id] }))
    expect(await listedProducts()).toEqual([third.id])
    const product_ids = [second.id, String(first.product.product.legacy_id)]
    const { status, json } = await tradepost.put(path, { product_ids })
    expect(status).toBe(200)
    expect(json[singular]).toMatchObject({ id, product_count: 2 })
    if (singular === 'group') expect(json.group.product_ids).toEqual([second.id, first.id])
    expect(await listedProducts()).toEqual([first.id, second.id])
    const productPage = (await tradepost.get(`/products?${filter}`)).json
    expect(productPage.pagination.total).toBe(2)

    for (const [product_ids, field] of [
      [[first.id, 'zzzzzzzzzzzz'], 'product_ids[1]'],
      [[first.id, first.id], 'product_ids[1]'],
      [['!'], 'product_ids[0]'],
      [Array(10_000).fill(first.id), 'product_ids'],
    ] as const) {
      expect(refusalOf(await tradepost.put(path, { product_ids }))).toEqual(invalid(field))
    }
    expect(await listedProducts()).toEqual([first.id, second.id])
    expect((await tradepost.put(path, { product_ids: [] })).json[singular].product_count).toBe(0)
    expect(await listedProducts()).toEqual([])
  })

  test('are deleted without their products, and cannot be reached from another store', async () => {
    const { id: productId } = await product(tradepost)
    const { id } = await create({ name: 'Gone' })
    const path = `/${plural}/${id}`
    await expectSuccess(tradepost.put(`${path}/products`, { product_ids: [productId] }))
    for (const as of [tradepost.other, tradepost.test]) {
      const answers = [
        await tradepost.get(path, { as }),
        await tradepost.patch(path, { name: 'Mine' }, { as }),
        await tradepost.put(`${path}/products`, { product_ids: [] }, { as }),
        await tradepost.delete(path, { as }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    const foreignGrouping = await create({ name: 'Theirs' }, { as: tradepost.other })
    const foreignProduct = await tradepost.put(
      `/${plural}/${foreignGrouping.id}/products`,
      { product_ids: [productId] },
      { as: tradepost.other },
    )
    expect(refusalOf(foreignProduct)).toEqual(invalid('product_ids[0]'))
    const { json } = await tradepost.delete(path)
    expect(json).toEqual({ success: true, deleted: true, id })
    expect((await tradepost.get(path)).status).toBe(404)
    expect((await tradepost.get(`/products/${productId}`)).status).toBe(200)
  })
})

test('a product can be in several categories, and lists them', async () => {
  const { id: productId } = await product(tradepost)
  const ids: number[] = []
  for (const [name, icon] of [
    ['First', '🎮'],
    ['Second', null],
  ]) {
    const { category } = (await tradepost.post('/categories', { name, icon })).json
    ids.push(category.id)
    await expectSuccess(
      tradepost.put(`/categories/${category.id}/products`, { product_ids: [productId] }),
    )
  }
  const { categories } = (await tradepost.get(`/products/${productId}`)).json.product
  expect(categories).toEqual([
    { id: ids[0], name: 'First', icon: '🎮' },
    { id: ids[1], name: 'Second', icon: null },
  ])
})

test('a product is in at most one group: adding it to another group removes it from the first one', async () => {
  const [first, second] = [await product(tradepost), await product(tradepost)]
  const groups: number[] = []
  for (const name of ['Left', 'Right']) {
    groups.push((await tradepost.post('/groups', { name })).json.group.id)
  }
  const [firstGroup, secondGroup] = groups
  await expectSuccess(
    tradepost.put(`/groups/${firstGroup}/products`, { product_ids: [first.id, second.id] }),
  )
  await expectSuccess(tradepost.put(`/groups/${secondGroup}/products`, { product_ids: [first.id] }))
  const productsOf = async (id: number | undefined) =>
    (await tradepost.get(`/groups/${id}`)).json.group.product_ids
  expect(await productsOf(firstGroup)).toEqual([second.id])
  expect(await productsOf(secondGroup)).toEqual([first.id])
})

test('a store has at most 500 groups', async () => {
  const as = await tradepost.key({ of: tradepost.other, rate_limit: 0 })
  const { json } = await tradepost.get('/groups?limit=1', { as })
  for (let count = json.pagination.total; count < 500; count++) {
    await expectSuccess(tradepost.post('/groups', { name: 'One more' }, { as }))
  }
  expect(refusalOf(await tradepost.post('/groups', { name: 'Too many' }, { as }))).toEqual(
    invalid('name'),
  )
})
