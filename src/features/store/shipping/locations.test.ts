import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
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

beforeEach(async () => {
  await sql`delete from location`.execute(tradepost.db)
  await tradepost.events()
})

const DEPOT = { name: 'Depot', line1: 'Hafenstraße 1', city: 'Hamburg', country: 'DE' }
const create = (fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/shipping/locations', { ...DEPOT, ...fields }, options)
const createdLocation = async (fields: Json = {}, options: CallOptions = {}): Promise<Json> =>
  (await expectSuccess(create(fields, options))).location
const pathOf = (id: number) => `/shipping/locations/${id}`
const get = async (id: number): Promise<Json> => (await tradepost.get(pathOf(id))).json.location
const defaultNames = async () =>
  (await tradepost.get('/shipping/locations')).json.locations
    .filter((item: Json) => item.is_default)
    .map((item: Json) => item.name)

describe('a new location', () => {
  test('needs a name and an address, has defaults for its other fields, and emits no event', async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      location: {
        id: expect.any(Number),
        object: 'location',
        ...DEPOT,
        line2: null,
        region: null,
        postal_code: null,
        phone: null,
        active: true,
        is_default: true,
      },
    })
    expect((await tradepost.get(pathOf(json.location.id))).json).toEqual(json)
    expect(await tradepost.events()).toEqual([])
  })

  test.each<[string, Json]>([
    ['name', { name: undefined }],
    ['line1', { line1: '' }],
    ['city', { city: null }],
    ['country', { country: 'Germany' }],
    ['country', { country: 'UK' }],
    ['phone', { phone: '0'.repeat(33) }],
    ['active', { active: null }],
    ['is_default', { is_default: 'yes' }],
    ['id', { id: 7 }],
    ['object', { object: 'location' }],
    ['zip', { zip: '20457' }],
  ])('with a bad %s is refused, and the error names the field', async (field, fields) => {
    const { status, json } = await create(fields)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('is created once with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'location-1' }
    const [first, second] = [await create({}, { headers }), await create({}, { headers })]
    expect(second.text).toBe(first.text)
    expect((await tradepost.get('/shipping/locations')).json.pagination.total).toBe(1)
  })

  test('beyond the 100 locations of a store is refused', async () => {
    await sql`
      insert into location (store_id, name, line1, city, country, active, is_default)
      select id, 'L', 'S', 'C', 'DE', true, n = 1
        from store, generate_series(1, 99) as n where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    expect((await create()).status).toBe(201)
    const { status, json } = await create()
    expect([status, json.details.field]).toEqual([422, 'name'])
  })
})

describe('a change of a location', () => {
  test('keeps omitted fields, and null clears a field', async () => {
    const optionalFields = {
      line2: 'Gate 4',
      region: 'HH',
      postal_code: '20457',
      phone: '+49 40 1',
    }
    const before = await createdLocation(optionalFields)
    for (const name of Object.keys(optionalFields)) {
      const { status, json } = await tradepost.patch(pathOf(before.id), { [name]: null })
      expect(status).toBe(200)
      expect(json.location).toEqual({ ...before, [name]: null })
      await expectSuccess(tradepost.patch(pathOf(before.id), optionalFields))
    }
    expect((await tradepost.patch(pathOf(before.id), {})).json.location).toEqual(before)
    const change = await tradepost.patch(pathOf(before.id), { city: 'Bremen', active: false })
    expect(change.json.location).toEqual({ ...before, city: 'Bremen', active: false })
    expect(await get(before.id)).toEqual(change.json.location)
    expect(await tradepost.events()).toEqual([])
  })

  test('with a bad field is refused, and the error names the field', async () => {
    const { id } = await createdLocation()
    for (const field of ['name', 'line1', 'city', 'country', 'active', 'is_default']) {
      const { status, json } = await tradepost.patch(pathOf(id), { [field]: null })
      expect([status, json.details.field]).toEqual([422, field])
    }
    const { json } = await tradepost.patch(pathOf(id), { id: 7 })
    expect(json.details.field).toBe('id')
  })
})

describe('the default location', () => {
  test('is the first location, even one with is_default: false, until another becomes the default', async () => {
    const first = await createdLocation({ name: 'First', is_default: false })
    expect(first.is_default).toBe(true)
    const second = await createdLocation({ name: 'Second' })
    expect(second.is_default).toBe(false)
    await createdLocation({ name: 'Third', is_default: true })
    expect(await defaultNames()).toEqual(['Third'])
    await expectSuccess(tradepost.patch(pathOf(second.id), { is_default: true }))
    expect(await defaultNames()).toEqual(['Second'])
    await expectSuccess(tradepost.patch(pathOf(second.id), { is_default: true, city: 'Bremen' }))
    expect(await defaultNames()).toEqual(['Second'])
  })

  test('loses is_default only if another location becomes the default', async () => {
    const { id } = await createdLocation()
    const { status, json } = await tradepost.patch(pathOf(id), {
      is_default: false,
      city: 'Bremen',
    })
    expect([status, json.details.field]).toEqual([422, 'is_default'])
    expect((await get(id)).city).toBe('Hamburg')
  })

  test('is the oldest remaining location after the deletion of the former default', async () => {
    const locations = [
      await createdLocation({ name: 'A' }),
      await createdLocation({ name: 'B' }),
      await createdLocation({ name: 'C' }),
    ]
    const { status, json } = await tradepost.delete(pathOf(locations[0]?.id))
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: locations[0]?.id }])
    expect(await defaultNames()).toEqual(['B'])
    await expectSuccess(tradepost.delete(pathOf(locations[2]?.id)))
    expect(await defaultNames()).toEqual(['B'])
    await expectSuccess(tradepost.delete(pathOf(locations[1]?.id)))
    expect(await defaultNames()).toEqual([])
    expect((await createdLocation()).is_default).toBe(true)
  })

  test('is separate for each store and side', async () => {
    for (const as of [tradepost.live, tradepost.test, tradepost.other]) {
      expect((await createdLocation({}, { as })).is_default).toBe(true)
    }
  })
})

test('the list has the locations of the store and side, newest first', async () => {
  for (const name of ['A', 'B', 'C']) await createdLocation({ name })
  for (const as of [tradepost.other, tradepost.test])
    await createdLocation({ name: 'Theirs' }, { as })
  const { json } = await tradepost.get('/shipping/locations?limit=2')
  expect(json.locations.map((item: Json) => item.name)).toEqual(['C', 'B'])
  expect(json.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
  const refusal = await tradepost.get('/shipping/locations?limit=x')
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'limit'])
})

test('a location of another store answers 404 and does not change', async () => {
  const { id } = await createdLocation()
  for (const as of [tradepost.other, tradepost.test]) {
    for (const answer of [
      await tradepost.get(pathOf(id), { as }),
      await tradepost.patch(pathOf(id), { city: 'X' }, { as }),
      await tradepost.delete(pathOf(id), { as }),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND'])
    }
  }
  expect((await get(id)).city).toBe('Hamburg')
})

test('a read of a location runs one statement, a list two, and a change with its audit event at most eight', async () => {
  const { id } = await createdLocation()
  const otherLocation = await createdLocation()
  const count = async (call: () => Promise<Answer>) =>
    (await tradepost.statements(() => expectSuccess(call()))).length
  expect(await count(() => tradepost.get(pathOf(id)))).toBe(1)
  expect(await count(() => tradepost.get('/shipping/locations'))).toBe(2)
  expect(await count(() => create())).toBe(7)
  expect(await count(() => create({ is_default: true }))).toBe(8)
  expect(await count(() => tradepost.patch(pathOf(id), { city: 'X' }))).toBe(7)
  expect(await count(() => tradepost.patch(pathOf(id), { is_default: true }))).toBe(8)
  expect(await count(() => tradepost.delete(pathOf(otherLocation.id)))).toBe(5)
  expect(await count(() => tradepost.delete(pathOf(id)))).toBe(6)
})
