import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zone } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { zonePage } from './queries/zones.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  await sql`delete from shipping_zone`.execute(tradepost.db)
  await tradepost.events()
})

const create = (fields: Json, options: CallOptions = {}) =>
  tradepost.post('/shipping/zones', { name: 'Germany', countries: ['DE'], ...fields }, options)
const names = async (query = '') =>
  (await tradepost.get(`/shipping/zones${query}`)).json.zones.map((item: Json) => item.name)
const put = (ids: unknown, options: CallOptions = {}) =>
  tradepost.call('PUT', '/shipping/zones/order', { body: { ids }, ...options })

/** Zones A, B, … in this order; their ids. */
async function zones(count: number, options: CallOptions = {}): Promise<number[]> {
  const ids: number[] = []
  for (const name of 'ABCDEFG'.slice(0, count))
    ids.push((await zone(tradepost, { name }, options)).id)
  return ids
}

describe('a new zone', () => {
  test('needs a name and countries, has defaults for the rest, and emits no event', async () => {
    const { status, json } = await create({})
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      zone: {
        id: expect.any(Number),
        name: 'Germany',
        countries: ['DE'],
        regions: {},
        active: true,
        position: 0,
        rates: [],
      },
    })
    expect((await tradepost.get(`/shipping/zones/${json.zone.id}`)).json).toEqual(json)
    expect(await tradepost.events()).toEqual([])
  })

  test('takes its rates with it, in their order', async () => {
    const tiers = [{ min: 0, max: null, price_cents: 100 }]
    const { json } = await create({
      regions: { DE: ['BY'] },
      active: false,
      rates: [
        { name: 'Letter', calc_type: 'weight', tiers },
        { name: 'Parcel', calc_type: 'flat' },
      ],
    })
    expect(json.zone).toMatchObject({
      regions: { DE: ['BY'] },
      active: false,
      rates: [
        { name: 'Letter', tiers },
        { name: 'Parcel', tiers: [] },
      ],
    })
  })

  test('stands behind the others, also where one was deleted', async () => {
    const [first = 0, second = 0] = await zones(3)
    await tradepost.delete(`/shipping/zones/${first}`)
    await tradepost.delete(`/shipping/zones/${second}`)
    expect((await zone(tradepost, { name: 'D' })).position).toBe(3)
    expect(await names()).toEqual(['C', 'D'])
  })

  test.each<[string, Json]>([
    ['name', { name: undefined }],
    ['countries', { countries: undefined }],
    ['countries', { countries: [] }],
    ['countries', { countries: null }],
    ['countries[0]', { countries: ['XX'] }],
    ['regions.FR', { regions: { FR: ['Bretagne'] } }],
    ['position', { position: 0 }],
    ['id', { id: 1 }],
    ['rates', { rates: null }],
    ['rates[0].name', { rates: [{ calc_type: 'flat' }] }],
    ['rates[0].calc_type', { rates: [{ name: 'Post' }] }],
    ['rates[0].tiers', { rates: [{ name: 'Post', calc_type: 'weight' }] }],
    [
      'rates[1].id',
      {
        rates: [
          { name: 'A', calc_type: 'flat' },
          { id: 1, name: 'B', calc_type: 'flat' },
        ],
      },
    ],
  ])('with a bad %s is refused by that name, and is not made', async (field, fields) => {
    const { status, json } = await create(fields)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect(await names()).toEqual([])
  })

  test('is made once for an Idempotency-Key, and answered with the same bytes', async () => {
    const headers = { 'idempotency-key': 'zone-1' }
    const [first, second] = [await create({}, { headers }), await create({}, { headers })]
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await names()).toEqual(['Germany'])
  })

  test('is the 250th at most', async () => {
    await sql`
      insert into shipping_zone (store_id, name, countries, regions, active, position)
      select s.id, 'Z', '{DE}', '{}', true, n
        from store s, generate_series(0, 248) as n where s.hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    expect((await create({ name: 'Last' })).status).toBe(201)
    const { status, json } = await create({ name: 'One too many' })
    expect([status, json.details.field]).toEqual([422, 'name'])
    expect((await tradepost.get('/shipping/zones')).json.pagination.total).toBe(250)
    expect((await create({}, { as: tradepost.other })).status).toBe(201)
  })
})

describe('the list', () => {
  test('has the zones of this store and side, by position, page by page', async () => {
    const ids = await zones(5)
    await zones(2, { as: tradepost.other })
    await zones(1, { as: tradepost.test })
    await put(ids.toReversed())
    expect(await names()).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect(await names('?limit=2&offset=1')).toEqual(['D', 'C'])
    const { status, json } = await tradepost.get('/shipping/zones?limit=2&offset=3')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      success: true,
      zones: [
        { id: ids[1], position: 3, rates: [{ name: 'Post' }] },
        { id: ids[0], position: 4, rates: [{ name: 'Post' }] },
      ],
      pagination: { total: 5, limit: 2, offset: 3, has_more: false },
    })
    expect((await tradepost.get('/shipping/zones')).json.pagination).toEqual({
      total: 5,
      limit: 25,
      offset: 0,
      has_more: false,
    })
    expect(
      (await tradepost.get('/shipping/zones', { as: tradepost.test })).json.zones,
    ).toHaveLength(1)
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
  ])('refuses %s by its name', async (query, field) => {
    const { status, json } = await tradepost.get(`/shipping/zones?${query}`)
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('costs two statements, and among 100,000 zones reads no more than the page', async () => {
    await sql`
      insert into shipping_zone (store_id, name, countries, regions, active, position)
      select s.id, 'Z', '{DE}', '{}', true, n
        from store s, generate_series(1, 100000) as n where s.hash = ${tradepost.other.id}`.execute(
      tradepost.db,
    )
    await sql`
      insert into shipping_rate (store_id, zone_id, position, name, carrier_code, calc_type,
                                 price_cents, tiers, active)
      select z.store_id, z.id, 0, 'Post', 'custom', 'flat', 500, '[]', true
        from shipping_zone z`.execute(tradepost.db)
    await sql`analyze shipping_zone`.execute(tradepost.db)
    await sql`analyze shipping_rate`.execute(tradepost.db)
    await zones(3)
    const { rows: stores } = await sql<{ id: number }>`
      select id from store where hash = ${tradepost.other.id}`.execute(tradepost.db)
    const page = zonePage(stores[0]?.id ?? 0, { limit: 25, offset: 50 })
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${page}`.execute(tradepost.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Scan')
    expect(plan).not.toMatch(/Seq Scan|Bitmap Heap Scan on shipping_zone|Sort Key: z/)

    await tradepost.get('/shipping/zones')
    expect(
      await tradepost.statements(() => tradepost.get('/shipping/zones?limit=100')),
    ).toHaveLength(2)
    const [{ id }] = (await tradepost.get('/shipping/zones')).json.zones
    expect(await tradepost.statements(() => tradepost.get(`/shipping/zones/${id}`))).toHaveLength(1)
  })
})

describe('a new order', () => {
  test('is the order of the list, and of the answer', async () => {
    const [a = 0, b = 0, c = 0] = await zones(3)
    const { status, json } = await put([c, a, b])
    expect(status).toBe(200)
    expect(json.zones.map(({ id, position }: Json) => [id, position])).toEqual([
      [c, 0],
      [a, 1],
      [b, 2],
    ])
    expect((await tradepost.get('/shipping/zones')).json.zones).toEqual(json.zones)
    expect(await tradepost.events()).toEqual([])
    expect(await tradepost.statements(() => put([a, b, c]))).toHaveLength(7)
  })

  test('that does not name each zone once is refused by its place, and nothing changes', async () => {
    const [a = 0, b = 0, c = 0] = await zones(3)
    const [theirs = 0] = await zones(1, { as: tradepost.other })
    const [tests = 0] = await zones(1, { as: tradepost.test })
    const bad: [unknown, string][] = [
      [[c, a], 'ids'],
      [[], 'ids'],
      [[c, a, b, a], 'ids[3]'],
      [[c, theirs, b], 'ids[1]'],
      [[c, a, tests], 'ids[2]'],
      [[c, a, b, 8_000_000_000_000], 'ids[3]'],
      [[c, a, String(b)], 'ids[2]'],
      [undefined, 'ids'],
      [new Array(10_000).fill(a), 'ids'],
    ]
    for (const [ids, field] of bad) {
      const { status, json } = await put(ids)
      expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    }
    expect(await names()).toEqual(['A', 'B', 'C'])
  })

  test('of no zones is an empty list', async () => {
    expect((await put([])).json).toEqual({ success: true, zones: [] })
  })
})

describe('a deleted zone', () => {
  test('is gone with its rates', async () => {
    const [a = 0, b = 0] = await zones(2)
    const { status, json } = await tradepost.delete(`/shipping/zones/${a}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: a }])
    expect((await tradepost.get(`/shipping/zones/${a}`)).status).toBe(404)
    expect((await tradepost.delete(`/shipping/zones/${a}`)).status).toBe(404)
    const { rows } = await sql<{ zone_id: number }>`select zone_id from shipping_rate`.execute(
      tradepost.db,
    )
    expect(rows).toEqual([{ zone_id: b }])
    expect(await tradepost.events()).toEqual([])
  })

  test("is not another store's", async () => {
    const [a = 0] = await zones(1)
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.delete(`/shipping/zones/${a}`, { as })).json.code).toBe('NOT_FOUND')
      expect((await tradepost.get(`/shipping/zones/${a}`, { as })).json.code).toBe('NOT_FOUND')
    }
    expect(await names()).toEqual(['A'])
  })
})

test('every call is refused while the feature shipping is off', async () => {
  const [id] = await zones(1)
  const set = async (features: Json) => {
    const json = JSON.stringify(features)
    await sql`update store set features = ${json}::jsonb where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    tradepost.app.caches.clear()
  }
  await set({ shipping: false })
  const calls = [
    tradepost.get('/shipping/zones'),
    tradepost.get(`/shipping/zones/${id}`),
    create({}),
    put([id]),
    tradepost.delete(`/shipping/zones/${id}`),
    tradepost.post('/shipping/quote', { country: 'DE', items: [] }),
    tradepost.get('/shipping/locations'),
    tradepost.post('/shipping/locations', {}),
    tradepost.get('/shipping/locations/1'),
    tradepost.patch('/shipping/locations/1', {}),
    tradepost.delete('/shipping/locations/1'),
  ]
  for (const { status, json } of await Promise.all(calls)) {
    expect([status, json.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
  }
  await set({})
  expect(await names()).toEqual(['A'])
})
