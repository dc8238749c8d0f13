import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

beforeEach(async () => {
  await sql`delete from location`.execute(tradepost.db)
  await tradepost.events()
})

const DEPOT = { name: 'Depot', line1: 'Hafenstraße 1', city: 'Hamburg', country: 'DE' }
const create = (fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/shipping/locations', { ...DEPOT, ...fields }, options)
const made = async (fields: Json = {}, options: CallOptions = {}): Promise<Json> =>
  (await create(fields, options)).json.location
const at = (id: number) => `/shipping/locations/${id}`
const get = async (id: number): Promise<Json> => (await tradepost.get(at(id))).json.location
const defaults = async () =>
  (await tradepost.get('/shipping/locations')).json.locations
    .filter((item: Json) => item.is_default)
    .map((item: Json) => item.name)

describe('a new location', () => {
  test('needs a name and an address, has defaults for the rest, and emits no event', async () => {
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
    expect((await tradepost.get(at(json.location.id))).json).toEqual(json)
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
  ])('with a bad %s is refused by that name', async (field, fields) => {
    const { status, json } = await create(fields)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'location-1' }
    const [first, second] = [await create({}, { headers }), await create({}, { headers })]
    expect(second.text).toBe(first.text)
    expect((await tradepost.get('/shipping/locations')).json.pagination.total).toBe(1)
  })

  test('is the 100th at most', async () => {
    await sql`
      insert into location (store_id, name, line1, city, country, active, is_default)
      select s.id, 'L', 'S', 'C', 'DE', true, n = 1
        from store s, generate_series(1, 99) as n where s.hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    expect((await create()).status).toBe(201)
    const { status, json } = await create()
    expect([status, json.details.field]).toEqual([422, 'name'])
  })
})

describe('a change', () => {
  test('keeps omitted fields; null clears', async () => {
    const full = { line2: 'Gate 4', region: 'HH', postal_code: '20457', phone: '+49 40 1' }
    const before = await made(full)
    for (const name of Object.keys(full)) {
      const { status, json } = await tradepost.patch(at(before.id), { [name]: null })
      expect(status).toBe(200)
      expect(json.location).toEqual({ ...before, [name]: null })
      await tradepost.patch(at(before.id), full)
    }
    expect((await tradepost.patch(at(before.id), {})).json.location).toEqual(before)
    const moved = await tradepost.patch(at(before.id), { city: 'Bremen', active: false })
    expect(moved.json.location).toEqual({ ...before, city: 'Bremen', active: false })
    expect(await get(before.id)).toEqual(moved.json.location)
    expect(await tradepost.events()).toEqual([])
  })

  test('with a bad field is refused by its name', async () => {
    const { id } = await made()
    for (const field of ['name', 'line1', 'city', 'country', 'active', 'is_default']) {
      const { status, json } = await tradepost.patch(at(id), { [field]: null })
      expect([status, json.details.field]).toEqual([422, field])
    }
    const { json } = await tradepost.patch(at(id), { id: 7 })
    expect(json.details.field).toBe('id')
  })
})

describe('exactly one location is the default', () => {
  test('the first one, whatever it says, until another takes it', async () => {
    const first = await made({ name: 'First', is_default: false })
    expect(first.is_default).toBe(true)
    const second = await made({ name: 'Second' })
    expect(second.is_default).toBe(false)
    await made({ name: 'Third', is_default: true })
    expect(await defaults()).toEqual(['Third'])
    await tradepost.patch(at(second.id), { is_default: true })
    expect(await defaults()).toEqual(['Second'])
    await tradepost.patch(at(second.id), { is_default: true, city: 'Bremen' })
    expect(await defaults()).toEqual(['Second'])
  })

  test('it cannot be given up without another', async () => {
    const { id } = await made()
    const { status, json } = await tradepost.patch(at(id), { is_default: false, city: 'Bremen' })
    expect([status, json.details.field]).toEqual([422, 'is_default'])
    expect((await get(id)).city).toBe('Hamburg')
  })

  test('the oldest becomes it when it is deleted', async () => {
    const ids = [await made({ name: 'A' }), await made({ name: 'B' }), await made({ name: 'C' })]
    const { status, json } = await tradepost.delete(at(ids[0]?.id))
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: ids[0]?.id }])
    expect(await defaults()).toEqual(['B'])
    await tradepost.delete(at(ids[2]?.id))
    expect(await defaults()).toEqual(['B'])
    await tradepost.delete(at(ids[1]?.id))
    expect(await defaults()).toEqual([])
    expect((await made()).is_default).toBe(true)
  })

  test('in each store and on each side', async () => {
    for (const as of [tradepost.live, tradepost.test, tradepost.other]) {
      expect((await made({}, { as })).is_default).toBe(true)
    }
  })
})

test('the list has the locations of this store and side, the newest first', async () => {
  for (const name of ['A', 'B', 'C']) await made({ name })
  for (const as of [tradepost.other, tradepost.test]) await made({ name: 'Theirs' }, { as })
  const { json } = await tradepost.get('/shipping/locations?limit=2')
  expect(json.locations.map((item: Json) => item.name)).toEqual(['C', 'B'])
  expect(json.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
  const bad = await tradepost.get('/shipping/locations?limit=x')
  expect([bad.status, bad.json.details.field]).toEqual([422, 'limit'])
})

test("another store's location does not exist", async () => {
  const { id } = await made()
  for (const as of [tradepost.other, tradepost.test]) {
    for (const answer of [
      await tradepost.get(at(id), { as }),
      await tradepost.patch(at(id), { city: 'X' }, { as }),
      await tradepost.delete(at(id), { as }),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND'])
    }
  }
  expect((await get(id)).city).toBe('Hamburg')
})

test('statements: one to read, two to list, at most 8 to change and audit', async () => {
  const { id } = await made()
  const other = await made()
  const count = async (work: () => Promise<unknown>) => (await tradepost.statements(work)).length
  expect(await count(() => tradepost.get(at(id)))).toBe(1)
  expect(await count(() => tradepost.get('/shipping/locations'))).toBe(2)
  expect(await count(() => create())).toBe(7)
  expect(await count(() => create({ is_default: true }))).toBe(8)
  expect(await count(() => tradepost.patch(at(id), { city: 'X' }))).toBe(7)
  expect(await count(() => tradepost.patch(at(id), { is_default: true }))).toBe(8)
  expect(await count(() => tradepost.delete(at(other.id)))).toBe(5)
  expect(await count(() => tradepost.delete(at(id)))).toBe(6)
})
