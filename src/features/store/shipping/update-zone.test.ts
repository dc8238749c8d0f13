import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zone } from '../../../../test/build.ts'
import {
  type Answer,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
/** Germany and France, with the rate "Post", 500 cents flat. */
let initialZone: Json
let url: string

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  await sql`delete from shipping_zone`.execute(tradepost.db)
  initialZone = await zone(tradepost, { name: 'Europe', countries: ['DE', 'FR'] })
  url = `/shipping/zones/${initialZone.id}`
  await tradepost.events()
})

const flatRate = (fields: Json = {}) => ({ name: 'Post', calc_type: 'flat', ...fields })
const tier = (min: unknown, max: unknown) => ({ min, max, price_cents: 900 })
const byWeight = (...tiers: Json[]) => flatRate({ calc_type: 'weight', tiers })
const readZone = async () => (await tradepost.get(url)).json.zone

async function expectRefused(answer: Answer, field: string) {
  const { status, json } = answer
  expect({ status, code: json.code, field: json.details?.field }).toEqual({
    status: 422,
    code: 'VALIDATION_FAILED',
    field,
  })
  expect(await readZone()).toEqual(initialZone)
}

test('the answer to a change has the fields in the specified order, byte for byte, and a read returns the same bytes', async () => {
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
  const [parcel, pickUp] = (await readZone()).rates.map((rate: Json) => rate.id)
  expect(status).toBe(200)
  expect(text).toBe(
    `{"success":true,"zone":{"id":${initialZone.id},"name":"Near","countries":["AT","DE","CH"],` +
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

describe('an omitted field', () => {
  test.each([
    { name: 'Elsewhere' },
    { countries: ['FR', '*'] },
    { regions: { FR: ['Bretagne'] } },
    { active: false },
    { rates: [] },
  ])('of a zone keeps its value if %o is sent, and no event is emitted', async (change) => {
    const { status, json } = await tradepost.patch(url, change)
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, zone: { ...initialZone, ...change } })
    expect(await readZone()).toEqual(json.zone)
    expect(await tradepost.events()).toEqual([])
  })

  test('changes nothing, also if all fields are omitted', async () => {
    expect((await tradepost.patch(url, {})).json.zone).toEqual(initialZone)
  })

  test('of a rate that is sent with its id keeps its value', async () => {
    const rate = {
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
    const [{ id }] = (await tradepost.patch(url, { rates: [rate] })).json.zone.rates
    const { json } = await tradepost.patch(url, { rates: [{ id, price_cents: 7 }] })
    expect(json.zone.rates).toEqual([{ ...rate, id, price_cents: 7 }])
  })

  test('of a new rate has its default', async () => {
    const { json } = await tradepost.patch(url, { rates: [flatRate()] })
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

test('null clears a nullable field of a rate, and no other field', async () => {
  const nullable = {
    description: 'By foot',
    volumetric_divisor: 4000,
    free_over_cents: 0,
    min_days: 1,
    max_days: 2,
  }
  const [rate] = (await tradepost.patch(url, { rates: [flatRate(nullable)] })).json.zone.rates
  expect(rate).toMatchObject(nullable)
  for (const name of Object.keys(nullable)) {
    const { json } = await tradepost.patch(url, { rates: [{ ...rate, [name]: null }] })
    expect(json.zone.rates).toEqual([{ ...rate, [name]: null }])
  }
})

describe('a sent list of rates', () => {
  test('replaces the former list: a rate with an id is changed, one without is created, and the others are deleted', async () => {
    const [first] = initialZone.rates
    const firstChange = await tradepost.patch(url, {
      rates: [{ id: first.id }, flatRate({ name: 'Express' })],
    })
    const [, express] = firstChange.json.zone.rates
    const { json } = await tradepost.patch(url, {
      rates: [flatRate({ name: 'Bike' }), { id: express.id, name: 'Express+' }],
    })
    const [bike, changedExpress] = json.zone.rates
    expect(json.zone.rates).toEqual([
      expect.objectContaining({ name: 'Bike' }),
      { ...express, name: 'Express+' },
    ])
    expect([first.id, express.id]).not.toContain(bike.id)
    expect(changedExpress.id).toBe(express.id)
    const deletedRate = await tradepost.patch(url, { rates: [{ id: first.id }] })
    expect([deletedRate.status, deletedRate.json.details.field]).toEqual([422, 'rates[0].id'])
  })

  test('is returned in the sent order', async () => {
    const names = ['c', 'a', 'e', 'b', 'd']
    const creation = await tradepost.patch(url, { rates: names.map((name) => flatRate({ name })) })
    const ids = creation.json.zone.rates.map((rate: Json) => rate.id)
    expect(creation.json.zone.rates.map((rate: Json) => rate.name)).toEqual(names)
    const reversedIds = ids.toReversed().map((id: number) => ({ id }))
    const { json } = await tradepost.patch(url, { rates: reversedIds })
    expect(json.zone.rates.map((rate: Json) => rate.id)).toEqual(ids.toReversed())
    expect((await readZone()).rates).toEqual(json.zone.rates)
  })

  test('that is empty deletes all rates', async () => {
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
    ['that does not exist', async () => 8_000_000_000_000],
  ])(
    'with the id of a rate %s is refused by its position, and nothing changes',
    async (_, idOf) => {
      const id = await idOf()
      const change = {
        name: 'Changed',
        rates: [{ id: initialZone.rates[0].id, name: 'X' }, { id }],
      }
      await expectRefused(await tradepost.patch(url, change), 'rates[1].id')
    },
  )

  test('with a repeated id is refused by the position of the second, and nothing changes', async () => {
    const [{ id }] = initialZone.rates
    const rates = [{ id, name: 'X' }, flatRate(), { id, name: 'Y' }]
    await expectRefused(await tradepost.patch(url, { name: 'Changed', rates }), 'rates[2].id')
  })
})

describe('a change is refused, and the zone stays as it was, with a bad value of', () => {
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
    ['rates', { rates: new Array(101).fill(flatRate()) }],
    ['rates', { rates: new Array(10_000).fill(flatRate()) }],
    ['rates[0]', { rates: [null] }],
    ['rates[0].position', { rates: [flatRate({ position: 1 })] }],
    ['rates[0].zone_id', { rates: [flatRate({ zone_id: 1 })] }],
    ['rates[0].id', { rates: [flatRate({ id: 0 })] }],
    ['rates[0].id', { rates: [flatRate({ id: '7' })] }],
    ['rates[0].id', { rates: [flatRate({ id: 1.5 })] }],
    ['rates[0].id', { rates: [flatRate({ id: null })] }],
    ['rates[0].id', { rates: [flatRate({ id: 2 ** 53 })] }],
    ['rates[0].name', { rates: [{ calc_type: 'flat' }] }],
    ['rates[0].calc_type', { rates: [{ name: 'Post' }] }],
    ['rates[1].calc_type', { rates: [flatRate(), flatRate({ calc_type: 'distance' })] }],
    ['rates[0].carrier_code', { rates: [flatRate({ carrier_code: null })] }],
    ['rates[0].carrier_code', { rates: [flatRate({ carrier_code: '' })] }],
    ['rates[0].description', { rates: [flatRate({ description: '' })] }],
    ['rates[0].price_cents', { rates: [flatRate({ price_cents: -1 })] }],
    ['rates[0].price_cents', { rates: [flatRate({ price_cents: 4.9 })] }],
    ['rates[0].price_cents', { rates: [flatRate({ price_cents: null })] }],
    ['rates[0].volumetric_divisor', { rates: [flatRate({ volumetric_divisor: 0 })] }],
    ['rates[0].free_over_cents', { rates: [flatRate({ free_over_cents: -1 })] }],
    ['rates[0].min_days', { rates: [flatRate({ min_days: -1 })] }],
    ['rates[0].max_days', { rates: [flatRate({ max_days: 1.5 })] }],
    ['rates[0].max_days', { rates: [flatRate({ min_days: 3, max_days: 2 })] }],
    ['rates[0].active', { rates: [flatRate({ active: null })] }],
    ['rates[0].tiers', { rates: [flatRate({ tiers: null })] }],
    ['rates[0].tiers', { rates: [flatRate({ calc_type: 'weight' })] }],
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

  test('a field that conflicts with the stored zone or rate', async () => {
    initialZone = (await tradepost.patch(url, { regions: { DE: ['BY'] } })).json.zone
    await expectRefused(await tradepost.patch(url, { countries: ['FR'] }), 'regions.DE')
    const answer = await tradepost.patch(url, { countries: ['FR'], regions: {} })
    expect(answer.json.zone).toMatchObject({ countries: ['FR'], regions: {} })

    const rates = [byWeight(tier(0, 9)), flatRate({ max_days: 3 })]
    initialZone = (await tradepost.patch(url, { rates })).json.zone
    const [weight, flat] = initialZone.rates
    const changeSecondRate = (change: Json) =>
      tradepost.patch(url, { rates: [{ id: weight.id }, change] })
    await expectRefused(
      await changeSecondRate({ id: flat.id, calc_type: 'weight' }),
      'rates[1].tiers',
    )
    await expectRefused(await changeSecondRate({ id: flat.id, min_days: 4 }), 'rates[1].max_days')
    const withoutTiers = await tradepost.patch(url, { rates: [{ id: weight.id, tiers: [] }] })
    await expectRefused(withoutTiers, 'rates[0].tiers')
  })

  test('any field, with 422 and not 404 even if the zone does not exist', async () => {
    const unknownZone = '/shipping/zones/8000000000000'
    const invalid = await tradepost.patch(unknownZone, {
      rates: [byWeight(tier(0, 9), tier(5, null))],
    })
    expect([invalid.status, invalid.json.details.field]).toEqual([422, 'rates[0].tiers[1].min'])
    const valid = await tradepost.patch(unknownZone, { rates: [{ id: initialZone.rates[0].id }] })
    expect([valid.status, valid.json.code]).toEqual([404, 'NOT_FOUND'])
  })
})

test.each(['99', '0', '-1', '1e3', 'europe', '9007199254740993'])(
  'a change of the zone %s answers 404',
  async (id) => {
    const { status, json } = await tradepost.patch(`/shipping/zones/${id}`, { active: false })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  },
)

test.each(['other', 'test'] as const)(
  'a change of a zone by the store %s answers 404',
  async (side) => {
    const { status, json } = await tradepost.patch(url, { name: 'X' }, { as: tradepost[side] })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
    expect(await readZone()).toEqual(initialZone)
  },
)

async function setFeatures(features: string): Promise<void> {
  await sql`update store set features = ${features}::jsonb where hash = ${tradepost.live.id}`.execute(
    tradepost.db,
  )
  tradepost.app.caches.clear()
}

test('a change of a zone needs fulfillment:write and the feature switch shipping', async () => {
  const as = await tradepost.key({ permissions: ['fulfillment:read'] })
  const withoutPermission = await tradepost.patch(url, { name: 'X' }, { as })
  expect([withoutPermission.status, withoutPermission.json.code]).toEqual([
    403,
    'INSUFFICIENT_SCOPE',
  ])

  await setFeatures('{"shipping": false}')
  const switchedOff = await tradepost.patch(url, { name: 'X' })
  expect([switchedOff.status, switchedOff.json.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
  await setFeatures('{}')
  expect(await readZone()).toEqual(initialZone)
})

describe('the statements of a change, including begin, commit and the audit event', () => {
  const count = async (body: Json) =>
    (await tradepost.statements(() => expectSuccess(tradepost.patch(url, body)))).length

  test('are 6 for a field, and at most 8 for any number of rates', async () => {
    await tradepost.get('/account')
    expect(await count({ name: 'X' })).toBe(6)
    expect(await count({ rates: [flatRate()] })).toBe(7)
    const rates = Array.from({ length: 100 }, (_, n) => byWeight(tier(n, null)))
    expect(await count({ name: 'Y', rates })).toBe(8)
    const ids = (await readZone()).rates.map(({ id }: Json) => ({ id, price_cents: 1 }))
    expect(await count({ name: 'Z', rates: [...ids.slice(0, 50), flatRate()] })).toBe(8)
    expect((await readZone()).rates).toHaveLength(51)
  })
})
