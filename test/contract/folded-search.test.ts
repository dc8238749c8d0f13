import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INVARIANTS } from '../../src/process/invariants.ts'
import { order, product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  await expectSuccess(tradepost.patch('/affiliates/program', { enabled: true }))
})
afterAll(async () => {
  for (const { check, count } of INVARIANTS)
    expect([check, await count(tradepost.db)]).toEqual([check, 0])
  await tradepost.close()
})

let count = 0
const newEmail = () => `n${++count}@example.com`

interface List {
  path: string
  /** The field of the records in the answer. */
  records: string
  /** Creates a record with this name. Returns its id. */
  create(name: string): Promise<string | number>
  rename(id: string | number, name: string): Promise<unknown>
}

const LISTS: readonly List[] = [
  {
    path: '/customers',
    records: 'customers',
    create: async (name) =>
      (await expectSuccess(tradepost.post('/customers', { email: newEmail(), name }))).customer.id,
    rename: (id, name) => expectSuccess(tradepost.patch(`/customers/${id}`, { name })),
  },
  {
    path: '/products',
    records: 'products',
    create: async (name) => (await product(tradepost, { name })).id,
    rename: (id, name) => expectSuccess(tradepost.patch(`/products/${id}`, { name })),
  },
  {
    path: '/affiliates/partners',
    records: 'partners',
    create: async (name) =>
      (await expectSuccess(tradepost.post('/affiliates/partners', { email: newEmail(), name })))
        .partner.id,
    rename: (id, name) => expectSuccess(tradepost.patch(`/affiliates/partners/${id}`, { name })),
  },
]

const idsFound = async ({ path, records }: Pick<List, 'path' | 'records'>, search: string) => {
  const query = new URLSearchParams({ search, limit: '100' })
  const json = await expectSuccess(tradepost.get(`${path}?${query}`))
  return json[records].map(({ id }: Json) => id)
}

describe('search compares texts in NFC with the case folding of Unicode (decision 182)', () => {
  test.each(
    LISTS.flatMap(
      (list) =>
        [
          [list.path, 'ΝΙΚΟΣ', 'νικος', list],
          [list.path, 'Νικος', 'ΙΚΟΣ', list],
          [list.path, 'Zoe\u0308 Q', 'ZOË', list],
          [list.path, 'Große Straße', 'STRASSE', list],
          [list.path, 'STRASSENBAHN', 'straßen', list],
          [list.path, 'Жук', 'жу', list],
          [list.path, '50% Ä_\\', '% ä_\\', list],
        ] as const,
    ),
  )('%s finds %s by %s', async (_, name, search, list) => {
    const id = await list.create(name)
    expect(await idsFound(list, search)).toContain(id)
  })

  test.each(LISTS.map((list) => [list.path, list] as const))(
    '%s distinguishes accents, and finds a changed name and no longer the former one',
    async (_, list) => {
      const id = await list.create('José Ünal')
      expect(await idsFound(list, 'Jose Ünal')).not.toContain(id)
      await list.rename(id, 'Ναυσικά')
      expect(await idsFound(list, 'ÜNAL')).not.toContain(id)
      expect(await idsFound(list, 'ΝΑΥΣΙΚΆ')).toContain(id)
      await list.rename(id, 'Plain')
      expect(await idsFound(list, 'ΝΑΥΣΙΚΆ')).not.toContain(id)
      expect(await idsFound(list, 'pLAIN')).toContain(id)
    },
  )

  test('an order is found by its email, and the customer of an order by their name', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const created = await order(tradepost, id, {
      customer: { email: 'ada@ΝΙΚΟΣ.example', name: 'Łukasz Groß' },
    })
    const orders = { path: '/orders', records: 'orders' }
    expect(await idsFound(orders, 'ΝΙΚΟΣ.EX')).toEqual([created.id])
    expect(await idsFound(orders, 'Σ.')).toEqual([created.id])
    const customers = { path: '/customers', records: 'customers' }
    expect(await idsFound(customers, 'ŁUKASZ GROSS')).toEqual([created.customer.id])
    expect(await idsFound(customers, 'νικοσ.example')).toEqual([created.customer.id])
  })

  test('a customer is found by a name that a later order or a merge adds', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const email = newEmail()
    const first = await order(tradepost, id, { customer: { email } })
    await order(tradepost, id, { customer: { email, name: 'Ærøskøbing' } })
    const customers = { path: '/customers', records: 'customers' }
    expect(await idsFound(customers, 'ÆRØ')).toEqual([first.customer.id])
    await order(tradepost, id, { customer: { email, name: 'Øther' } })
    expect(await idsFound(customers, 'ØTHER')).toEqual([])
    const into = (await order(tradepost, id, { customer: { email: newEmail() } })).customer.id
    await expectSuccess(tradepost.post(`/customers/${first.customer.id}/merge`, { into }))
    expect(await idsFound(customers, 'ÆRØ')).toEqual([into])
    await expectSuccess(tradepost.post(`/customers/${into}/erase`))
    expect(await idsFound(customers, 'ÆRØ')).toEqual([])
  })

  test('a copy of a product is found as well', async () => {
    const { id } = await product(tradepost, { name: 'Süßes' })
    const { product: copy } = await expectSuccess(tradepost.post(`/products/${id}/duplicate`))
    const products = { path: '/products', records: 'products' }
    expect((await idsFound(products, 'SÜSSES')).sort()).toEqual([id, copy.id].sort())
  })
})
