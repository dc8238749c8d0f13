import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zone } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
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
const listNames = async (query = '') =>
  (await tradepost.get(`/shipping/zones${query}`)).json.zones.map((item: Json) => item.name)
const sortZones = (ids: unknown) => tradepost.put('/shipping/zones/order', { ids })

/** Creates the zones A, B, … in this order. Returns their ids. */
async function createZones(count: number, options: CallOptions = {}): Promise<number[]> {
  const ids: number[] = []
  for (const name of 'ABCDEFG'.slice(0, count))
    ids.push((await zone(tradepost, { name }, options)).id)
  return ids
}

describe('a new zone', () => {
  test('needs a name and countries, has defaults for its other fields, and emits no event', async () => {
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

  test('is created with its rates, in their order', async () => {
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

  test('is last in the list, also after others were deleted', async () => {
    const [first = 0, second = 0] = await createZones(3)
    await expectSuccess(tradepost.delete(`/shipping/zones/${first}`))
    await expectSuccess(tradepost.delete(`/shipping/zones/${second}`))
    expect((await zone(tradepost, { name: 'D' })).position).toBe(3)
    expect(await listNames()).toEqual(['C', 'D'])
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
  ])(
    'with a bad %s is refused, the error names the field, and nothing is created',
    async (field, fields) => {
      const { status, json } = await create(fields)
      expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
      expect(await listNames()).toEqual([])
    },
  )

  test('is created once with one Idempotency-Key, and the repeat gets the same bytes', async () => {
    const headers = { 'idempotency-key': 'zone-1' }
    const [first, second] = [await create({}, { headers }), await create({}, { headers })]
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await listNames()).toEqual(['Germany'])
  })

  test('beyond the 250 zones of a store is refused', async () => {
    await sql`
      insert into shipping_zone (store_id, name, countries, regions, active, position)
      select id, 'Z', '{DE}', '{}', true, n
        from store, generate_series(0, 248) as n where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    expect((await create({ name: 'Last' })).status).toBe(201)
    const { status, json } = await create({ name: 'One too many' })
    expect([status, json.details.field]).toEqual([422, 'name'])
    expect((await tradepost.get('/shipping/zones')).json.pagination.total).toBe(250)
    expect((await create({}, { as: tradepost.other })).status).toBe(201)
  })
})

describe('the list of zones', () => {
  test('has the zones of this store and side, by position, page by page', async () => {
    const ids = await createZones(5)
    await createZones(2, { as: tradepost.other })
    await createZones(1, { as: tradepost.test })
    await sortZones(ids.toReversed())
    expect(await listNames()).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect(await listNames('?limit=2&offset=1')).toEqual(['D', 'C'])
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
  ])('refuses %s, and names the parameter', async (query, field) => {
    const { status, json } = await tradepost.get(`/shipping/zones?${query}`)
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('runs two statements, and reads no more than its page among 100,000 zones', async () => {
    await sql`
      insert into shipping_zone (store_id, name, countries, regions, active, position)
      select id, 'Z', '{DE}', '{}', true, n
        from store, generate_series(1, 100000) as n where hash = ${tradepost.other.id}`.execute(
      tradepost.db,
    )
    await sql`
      insert into shipping_rate (store_id, zone_id, position, name, carrier_code, calc_type,
                                 price_cents, tiers, active)
      select store_id, id, 0, 'Post', 'custom', 'flat', 500, '[]', true
        from shipping_zone`.execute(tradepost.db)
    await sql`analyze shipping_zone`.execute(tradepost.db)
    await sql`analyze shipping_rate`.execute(tradepost.db)
    await createZones(3)
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

describe('a new sort order of zones', () => {
  test('is used in the list and in the answer', async () => {
    const [a = 0, b = 0, c = 0] = await createZones(3)
    const { status, json } = await sortZones([c, a, b])
    expect(status).toBe(200)
    expect(json.zones.map(({ id, position }: Json) => [id, position])).toEqual([
      [c, 0],
      [a, 1],
      [b, 2],
    ])
    expect((await tradepost.get('/shipping/zones')).json.zones).toEqual(json.zones)
    expect(await tradepost.events()).toEqual([])
    expect(await tradepost.statements(() => sortZones([a, b, c]))).toHaveLength(7)
  })

  test('that does not contain each zone once is refused, the error names the position, and nothing changes', async () => {
    const [a = 0, b = 0, c = 0] = await createZones(3)
    const [ofOtherStore = 0] = await createZones(1, { as: tradepost.other })
    const [ofTestSide = 0] = await createZones(1, { as: tradepost.test })
    const badLists: [unknown, string][] = [
      [[c, a], 'ids'],
      [[], 'ids'],
      [[c, a, b, a], 'ids[3]'],
      [[c, ofOtherStore, b], 'ids[1]'],
      [[c, a, ofTestSide], 'ids[2]'],
      [[c, a, b, 8_000_000_000_000], 'ids[3]'],
      [[c, a, String(b)], 'ids[2]'],
      [undefined, 'ids'],
      [new Array(10_000).fill(a), 'ids'],
    ]
    for (const [ids, field] of badLists) {
      const { status, json } = await sortZones(ids)
      expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    }
    expect(await listNames()).toEqual(['A', 'B', 'C'])
  })

  test('without zones is accepted in a store without zones', async () => {
    expect((await sortZones([])).json).toEqual({ success: true, zones: [] })
  })
})

describe('a deleted zone', () => {
  test('answers 404, and its rates are deleted', async () => {
    const [a = 0, b = 0] = await createZones(2)
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

  test('can only be deleted by its own store and side', async () => {
    const [a = 0] = await createZones(1)
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.delete(`/shipping/zones/${a}`, { as })).json.code).toBe('NOT_FOUND')
      expect((await tradepost.get(`/shipping/zones/${a}`, { as })).json.code).toBe('NOT_FOUND')
    }
    expect(await listNames()).toEqual(['A'])
  })
})

test('every call of shipping is refused while the feature switch shipping is off', async () => {
  const [id] = await createZones(1)
  const setFeatures = async (features: Json) => {
    const json = JSON.stringify(features)
    await sql`update store set features = ${json}::jsonb where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    tradepost.app.caches.clear()
  }
  await setFeatures({ shipping: false })
  const calls = [
    tradepost.get('/shipping/zones'),
    tradepost.get(`/shipping/zones/${id}`),
    create({}),
    sortZones([id]),
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
  await setFeatures({})
  expect(await listNames()).toEqual(['A'])
})
