import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zone } from '../../../../test/build.ts'
import { type Answer, type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost
/** Germany and France, with the rate "Post", 500 cents flat. */
let before: Json
let url: string

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  await sql`delete from shipping_zone`.execute(tradepost.db)
  before = await zone(tradepost, { name: 'Europe', countries: ['DE', 'FR'] })
  url = `/shipping/zones/${before.id}`
  await tradepost.events()
})

const post = (fields: Json = {}) => ({ name: 'Post', calc_type: 'flat', ...fields })
const tier = (min: unknown, max: unknown) => ({ min, max, price_cents: 900 })
const byWeight = (...tiers: Json[]) => post({ calc_type: 'weight', tiers })
const stored = async () => (await tradepost.get(url)).json.zone

async function expectRefused(answer: Answer, field: string) {
  const { status, json } = answer
  expect({ status, code: json.code, field: json.details?.field }).toEqual({
    status: 422,
    code: 'VALIDATION_FAILED',
    field,
  })
  expect(await stored()).toEqual(before)
}

test('the answer is the zone of the specification, byte for byte, and so is a read of it', async () => {
  const { status, text } = await tradepost.patch(url, {
    name: 'Near',
    countries: ['AT', 'DE', 'CH'],
    regions: { DE: ['BY', 'BW'] },
    active: false,
    rates: [
      {
        name: 'Parcel',
        description: 'To your home',
        carrier_code: 'dhl',
        calc_type: 'volumetric',
        price_cents: 100,
        tiers: [
          { min: 0, max: 1000.5, price_cents: 490 },
          { min: 1000.5, max: null, price_cents: 990 },
        ],
        volumetric_divisor: 6000,
        free_over_cents: 5000,
        min_days: 0,
        max_days: 2,
        active: false,
      },
      { name: 'Pick-up', calc_type: 'flat' },
    ],
  })
  const [parcel, pickUp] = (await stored()).rates.map((rate: Json) => rate.id)
  expect(status).toBe(200)
  expect(text).toBe(
    `{"success":true,"zone":{"id":${before.id},"name":"Near","countries":["AT","DE","CH"],` +
      '"regions":{"DE":["BY","BW"]},"active":false,"position":0,"rates":[' +
      `{"id":${parcel},"name":"Parcel","description":"To your home","carrier_code":"dhl",` +
      '"calc_type":"volumetric","price_cents":100,"tiers":[' +
      '{"min":0,"max":1000.5,"price_cents":490},{"min":1000.5,"max":null,"price_cents":990}],' +
      '"volumetric_divisor":6000,"free_over_cents":5000,"min_days":0,"max_days":2,"active":false},' +
      `{"id":${pickUp},"name":"Pick-up","description":null,"carrier_code":"custom",` +
      '"calc_type":"flat","price_cents":0,"tiers":[],"volumetric_divisor":null,' +
      '"free_over_cents":null,"min_days":null,"max_days":null,"active":true}]}}',
  )
  expect((await tradepost.get(url)).text).toBe(text)
})

describe('omitted fields', () => {
  test.each([
    { name: 'Elsewhere' },
    { countries: ['FR', '*'] },
    { regions: { FR: ['Bretagne'] } },
    { active: false },
    { rates: [] },
  ])('of a zone keep their value if %o is sent, and no event is emitted', async (change) => {
    const { status, json } = await tradepost.patch(url, change)
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, zone: { ...before, ...change } })
    expect(await stored()).toEqual(json.zone)
    expect(await tradepost.events()).toEqual([])
  })

  test('in the whole body change nothing', async () => {
    expect((await tradepost.patch(url, {})).json.zone).toEqual(before)
  })

  test('of a rate with an id keeps its value', async () => {
    const full = {
      ...byWeight(tier(0, null)),
      description: 'By foot',
      carrier_code: 'ups',
      price_cents: 1,
      volumetric_divisor: 4000,
      free_over_cents: 9,
      min_days: 1,
      max_days: 2,
      active: false,
    }
    const [{ id }] = (await tradepost.patch(url, { rates: [full] })).json.zone.rates
    const { json } = await tradepost.patch(url, { rates: [{ id, price_cents: 7 }] })
    expect(json.zone.rates).toEqual([{ ...full, id, price_cents: 7 }])
  })

  test('of a new rate has its default', async () => {
    const { json } = await tradepost.patch(url, { rates: [post()] })
    expect(json.zone.rates).toEqual([
      {
        id: expect.any(Number),
        name: 'Post',
        description: null,
        carrier_code: 'custom',
        calc_type: 'flat',
        price_cents: 0,
        tiers: [],
        volumetric_divisor: null,
        free_over_cents: null,
        min_days: null,
        max_days: null,
        active: true,
      },
    ])
  })
})

test('null clears what may be null, and nothing else of the rate', async () => {
  const nullable = {
    description: 'By foot',
    volumetric_divisor: 4000,
    free_over_cents: 0,
    min_days: 1,
    max_days: 2,
  }
  const [full] = (await tradepost.patch(url, { rates: [post(nullable)] })).json.zone.rates
  expect(full).toMatchObject(nullable)
  for (const name of Object.keys(nullable)) {
    const { json } = await tradepost.patch(url, { rates: [{ ...full, [name]: null }] })
    expect(json.zone.rates).toEqual([{ ...full, [name]: null }])
  }
})

describe('a sent list of rates', () => {
  test('replaces the old list: an entry with an id changes, an entry without one is new, the rest is deleted', async () => {
    const [first] = before.rates
    const two = await tradepost.patch(url, { rates: [{ id: first.id }, post({ name: 'Express' })] })
    const [, express] = two.json.zone.rates
    const { json } = await tradepost.patch(url, {
      rates: [post({ name: 'Bike' }), { id: express.id, name: 'Express+' }],
    })
    const [bike, kept] = json.zone.rates
    expect(json.zone.rates).toEqual([
      expect.objectContaining({ name: 'Bike' }),
      { ...express, name: 'Express+' },
    ])
    expect([first.id, express.id]).not.toContain(bike.id)
    expect(kept.id).toBe(express.id)
    await expect(tradepost.patch(url, { rates: [{ id: first.id }] })).resolves.toMatchObject({
      status: 422,
    })
  })

  test('is answered in the order it was sent, whatever that is', async () => {
    const names = ['c', 'a', 'e', 'b', 'd']
    const made = await tradepost.patch(url, { rates: names.map((name) => post({ name })) })
    const ids = made.json.zone.rates.map((rate: Json) => rate.id)
    expect(made.json.zone.rates.map((rate: Json) => rate.name)).toEqual(names)
    const turned = ids.toReversed().map((id: number) => ({ id }))
    const { json } = await tradepost.patch(url, { rates: turned })
    expect(json.zone.rates.map((rate: Json) => rate.id)).toEqual(ids.toReversed())
    expect((await stored()).rates).toEqual(json.zone.rates)
  })

  test('that is empty deletes them all', async () => {
    expect((await tradepost.patch(url, { rates: [] })).json.zone.rates).toEqual([])
  })

  test.each([
    ['of another zone', async () => (await zone(tradepost)).rates[0].id],
    [
      'of another store',
      async () => (await zone(tradepost, {}, { as: tradepost.other })).rates[0].id,
    ],
    [
      'of the test side',
      async () => (await zone(tradepost, {}, { as: tradepost.test })).rates[0].id,
    ],
    ['that never was', async () => 8_000_000_000_000],
  ])('with an id %s is refused by its position, and nothing changes', async (_, idOf) => {
    const id = await idOf()
    const sent = { name: 'Changed', rates: [{ id: before.rates[0].id, name: 'X' }, { id }] }
    await expectRefused(await tradepost.patch(url, sent), 'rates[1].id')
  })

  test('with one id twice is refused by the position of the second, and nothing changes', async () => {
    const [{ id }] = before.rates
    const rates = [{ id, name: 'X' }, post(), { id, name: 'Y' }]
    await expectRefused(await tradepost.patch(url, { name: 'Changed', rates }), 'rates[2].id')
  })
})

describe('a bad field is named, and nothing changes', () => {
  test.each<[string, Json]>([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(129) }],
    ['name', { name: null }],
    ['name', { name: 'a\nb' }],
    ['countries', { countries: [] }],
    ['countries', { countries: 'DE' }],
    ['countries[0]', { countries: ['de'] }],
    ['countries[1]', { countries: ['DE', 'UK'] }],
    ['countries[0]', { countries: ['**'] }],
    ['countries', { countries: ['DE', 'FR', 'DE'] }],
    ['countries', { countries: new Array(10_000).fill('DE') }],
    ['regions', { regions: null }],
    ['regions', { regions: ['BY'] }],
    ['regions.de', { regions: { de: ['BY'] } }],
    ['regions.*', { regions: { '*': ['BY'] } }],
    ['regions.DE', { regions: { DE: [] } }],
    ['regions.DE', { regions: { DE: ['BY', 'BY'] } }],
    ['regions.DE[0]', { regions: { DE: [7] } }],
    ['regions.IT', { regions: { IT: ['Lazio'] } }],
    ['regions.FR', { countries: ['DE'], regions: { FR: ['Bretagne'] } }],
    ['active', { active: 1 }],
    ['position', { position: 3 }],
    ['id', { id: 3 }],
    ['rate', { rate: [] }],
    ['rates', { rates: {} }],
    ['rates', { rates: new Array(101).fill(post()) }],
    ['rates', { rates: new Array(10_000).fill(post()) }],
    ['rates[0]', { rates: [null] }],
    ['rates[0].position', { rates: [post({ position: 1 })] }],
    ['rates[0].zone_id', { rates: [post({ zone_id: 1 })] }],
    ['rates[0].id', { rates: [post({ id: 0 })] }],
    ['rates[0].id', { rates: [post({ id: '7' })] }],
    ['rates[0].id', { rates: [post({ id: 1.5 })] }],
    ['rates[0].id', { rates: [post({ id: null })] }],
    ['rates[0].id', { rates: [post({ id: 2 ** 53 })] }],
    ['rates[0].name', { rates: [{ calc_type: 'flat' }] }],
    ['rates[0].calc_type', { rates: [{ name: 'Post' }] }],
    ['rates[1].calc_type', { rates: [post(), post({ calc_type: 'distance' })] }],
    ['rates[0].carrier_code', { rates: [post({ carrier_code: null })] }],
    ['rates[0].carrier_code', { rates: [post({ carrier_code: '' })] }],
    ['rates[0].description', { rates: [post({ description: '' })] }],
    ['rates[0].price_cents', { rates: [post({ price_cents: -1 })] }],
    ['rates[0].price_cents', { rates: [post({ price_cents: 4.9 })] }],
    ['rates[0].price_cents', { rates: [post({ price_cents: null })] }],
    ['rates[0].volumetric_divisor', { rates: [post({ volumetric_divisor: 0 })] }],
    ['rates[0].free_over_cents', { rates: [post({ free_over_cents: -1 })] }],
    ['rates[0].min_days', { rates: [post({ min_days: -1 })] }],
    ['rates[0].max_days', { rates: [post({ max_days: 1.5 })] }],
    ['rates[0].max_days', { rates: [post({ min_days: 3, max_days: 2 })] }],
    ['rates[0].active', { rates: [post({ active: null })] }],
    ['rates[0].tiers', { rates: [post({ tiers: null })] }],
    ['rates[0].tiers', { rates: [post({ calc_type: 'weight' })] }],
    ['rates[0].tiers', { rates: [byWeight()] }],
    ['rates[0].tiers', { rates: [byWeight(...Array.from({ length: 51 }, (_, n) => tier(n, n)))] }],
    ['rates[0].tiers[0].min', { rates: [byWeight(tier(-1, 1))] }],
    ['rates[0].tiers[0].min', { rates: [byWeight(tier(null, 1))] }],
    ['rates[0].tiers[1].min', { rates: [byWeight(tier(0, 9), tier('much', null))] }],
    ['rates[0].tiers[0].max', { rates: [byWeight(tier(9, 5))] }],
    ['rates[0].tiers[0].max', { rates: [byWeight({ min: 0, price_cents: 1 })] }],
    ['rates[0].tiers[0].max', { rates: [byWeight(tier(0, null), tier(9, null))] }],
    ['rates[0].tiers[1].min', { rates: [byWeight(tier(0, 9), tier(5, null))] }],
    ['rates[0].tiers[0].price_cents', { rates: [byWeight({ min: 0, max: 1 })] }],
    ['rates[0].tiers[0].price', { rates: [byWeight({ ...tier(0, 1), price: 1 })] }],
  ])('%s', async (field, change) => {
    await expectRefused(await tradepost.patch(url, change), field)
    expect(await tradepost.events()).toEqual([])
  })

  test('if it is wrong only together with the stored zone or rate', async () => {
    before = (await tradepost.patch(url, { regions: { DE: ['BY'] } })).json.zone
    await expectRefused(await tradepost.patch(url, { countries: ['FR'] }), 'regions.DE')
    const moved = await tradepost.patch(url, { countries: ['FR'], regions: {} })
    expect(moved.json.zone).toMatchObject({ countries: ['FR'], regions: {} })

    const rates = [byWeight(tier(0, 9)), post({ max_days: 3 })]
    before = (await tradepost.patch(url, { rates })).json.zone
    const [weight, flat] = before.rates
    const sent = (change: Json) => tradepost.patch(url, { rates: [{ id: weight.id }, change] })
    await expectRefused(await sent({ id: flat.id, calc_type: 'weight' }), 'rates[1].tiers')
    await expectRefused(await sent({ id: flat.id, min_days: 4 }), 'rates[1].max_days')
    const bare = await tradepost.patch(url, { rates: [{ id: weight.id, tiers: [] }] })
    await expectRefused(bare, 'rates[0].tiers')
  })

  test('before the zone is read, if the body alone is wrong', async () => {
    const nowhere = '/shipping/zones/8000000000000'
    const bad = await tradepost.patch(nowhere, { rates: [byWeight(tier(0, 9), tier(5, null))] })
    expect([bad.status, bad.json.details.field]).toEqual([422, 'rates[0].tiers[1].min'])
    const foreign = await tradepost.patch(nowhere, { rates: [{ id: before.rates[0].id }] })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'NOT_FOUND'])
  })
})

test.each(['99', '0', '-1', '1e3', 'europe', '9007199254740993'])(
  'the zone %s is not found',
  async (id) => {
    const { status, json } = await tradepost.patch(`/shipping/zones/${id}`, { active: false })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  },
)

test.each(['other', 'test'] as const)('a zone does not exist for the %s side', async (side) => {
  const { status, json } = await tradepost.patch(url, { name: 'X' }, { as: tradepost[side] })
  expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  expect(await stored()).toEqual(before)
})

test('the change needs fulfillment:write, and the feature switched on', async () => {
  const as = await tradepost.key({ permissions: ['fulfillment:read'] })
  const lacking = await tradepost.patch(url, { name: 'X' }, { as })
  expect([lacking.status, lacking.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])

  await sql`update store set features = '{"shipping": false}' where hash = ${tradepost.live.id}`.execute(
    tradepost.db,
  )
  tradepost.app.caches.clear()
  const off = await tradepost.patch(url, { name: 'X' })
  expect([off.status, off.json.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
  await sql`update store set features = '{}' where hash = ${tradepost.live.id}`.execute(
    tradepost.db,
  )
  tradepost.app.caches.clear()
  expect(await stored()).toEqual(before)
})

describe('the statements of a change, begin and commit included', () => {
  const count = async (body: Json) =>
    (await tradepost.statements(() => tradepost.patch(url, body))).length

  test('are 6 for a field, and 8 with any number of rates, its audit event included', async () => {
    await tradepost.get('/account')
    expect(await count({ name: 'X' })).toBe(6)
    expect(await count({ rates: [post()] })).toBe(7)
    const rates = Array.from({ length: 100 }, (_, n) => byWeight(tier(n, null)))
    expect(await count({ name: 'Y', rates })).toBe(8)
    const ids = (await stored()).rates.map(({ id }: Json) => ({ id, price_cents: 1 }))
    expect(await count({ name: 'Z', rates: [...ids.slice(0, 50), post()] })).toBe(8)
    expect((await stored()).rates).toHaveLength(51)
  })
})
