import { beforeEach, expect, type TestContext, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { inTransaction } from '../../src/db/database.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { ZonePatch } from '../../src/features/store/shipping/schema.ts'
import { updateZone } from '../../src/features/store/shipping/update-zone.ts'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { elapse } from '../until.ts'
import { untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

let tradepost: ServedStore

const database = sharedDatabase()
beforeEach(async (context) => {
  tradepost = await database.openStore(context as TestContext)
})

/** Sends a call, and repeats it while no connection is free. */
async function send(method: string, path: string, body?: Json): Promise<Reply> {
  for (;;) {
    const reply = await call(tradepost.targets[0], method, `/shipping${path}`, { body })
    if (reply.status !== 503) return reply
    await elapse(100)
  }
}

const runConcurrently = (count: number, sendCall: (n: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => sendCall(n)))

const flat = (name: string) => ({ name, calc_type: 'flat' as const })

async function createZone(names: string[]): Promise<Json> {
  const body = { name: 'Germany', countries: ['DE'], rates: names.map(flat) }
  return (await send('POST', '/zones', body)).json.zone
}
const getZone = async (id: number): Promise<Json> => (await send('GET', `/zones/${id}`)).json.zone

const rateNamesOf = ({ rates }: Json): string[] => rates.map((rate: Json) => rate.name)

test('of 20 concurrent changes of the rates of a zone, the last list remains whole, and each answer has its own list', async () => {
  const { id } = await createZone(['old', 'old', 'old'])
  const replies = await runConcurrently(20, (n) => {
    const list = Array.from({ length: (n % 4) + 1 }, () => flat(`list ${n}`))
    return send('PATCH', `/zones/${id}`, { rates: list })
  })
  for (const [n, { status, json }] of replies.entries()) {
    expect(status).toBe(200)
    expect(rateNamesOf(json.zone)).toEqual(new Array((n % 4) + 1).fill(`list ${n}`))
  }
  const lastZone = await getZone(id)
  expect(new Set(rateNamesOf(lastZone)).size).toBe(1)
  expect(replies.map(({ json }) => json.zone)).toContainEqual(lastZone)
  await database.expectNoFaults()
})

test('a change of the rates that waits for another one replaces the committed list', async () => {
  const { id, rates } = await createZone(['kept', 'dropped'])
  const [kept, dropped] = rates
  const { updated, release, committed } = updateInOpenTransaction(id, [
    { id: kept.id, name: 'first' },
    flat('new'),
  ])
  await updated
  const waitingChanges = Promise.all([
    send('PATCH', `/zones/${id}`, { rates: [flat('second'), { id: kept.id }] }),
    send('PATCH', `/zones/${id}`, { rates: [{ id: dropped.id }] }),
  ])
  await untilWaiting({ db: tradepost.app.db }, 2)
  release()
  const [secondChange, changeOfDroppedRate] = await waitingChanges
  await committed
  expect(rateNamesOf(secondChange.json.zone)).toEqual(['second', 'first'])
  expect([changeOfDroppedRate.status, changeOfDroppedRate.json.details?.field]).toEqual([
    422,
    'rates[0].id',
  ])
  expect(rateNamesOf(await getZone(id))).toEqual(['second', 'first'])
})

test('of a change of the countries and a concurrent change of the regions that contradict each other, one is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await createZone([])
    await send('PATCH', `/zones/${id}`, { countries: ['DE', 'FR'] })
    const [countries, regions] = await Promise.all([
      send('PATCH', `/zones/${id}`, { countries: ['FR'] }),
      send('PATCH', `/zones/${id}`, { regions: { DE: ['BY'] } }),
    ])
    expect([countries.status, regions.status].sort()).toEqual([200, 422])
    const { countries: newCountries, regions: newRegions } = await getZone(id)
    for (const country of Object.keys(newRegions)) expect(newCountries).toContain(country)
  }
})

/** Changes the rates of a zone in a transaction that stays open until it is released. */
function updateInOpenTransaction(zoneId: number, rates: ZonePatch['rates']) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let reportUpdated = () => {}
  const updated = new Promise<void>((resolve) => {
    reportUpdated = resolve
  })
  const { app, storeId } = tradepost
  const committed = inTransaction(app.db, async (tx) => {
    const storeRow = await selectStoreById(tx, storeId)
    if (!storeRow) throw new Error('No such store.')
    await updateZone(storeContextOf(app, storeRow, tx), zoneId, { rates })
    reportUpdated()
    await released
  })
  return { updated, release, committed }
}

test('concurrently created zones get successive positions, and the 251st is refused', async () => {
  await runConcurrently(240, (n) =>
    send('POST', '/zones', { name: `Zone ${n}`, countries: ['DE'] }),
  )
  const lastZones = await runConcurrently(20, () =>
    send('POST', '/zones', { name: 'Late', countries: ['DE'] }),
  )
  expect(lastZones.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(lastZones.filter(({ status }) => status === 422)).toHaveLength(10)
  const pages = [0, 100, 200].map((offset) => send('GET', `/zones?limit=100&offset=${offset}`))
  const zones = (await Promise.all(pages)).flatMap(({ json }) => json.zones)
  expect(zones.map(({ position }: Json) => position)).toEqual(
    Array.from({ length: 250 }, (_, n) => n),
  )
})

test('each concurrent reordering of the zones is stored whole, or refused after a zone was created or deleted', async () => {
  const ids: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await createZone([name])).id)
  const replies = await runConcurrently(30, (n) => {
    if (n === 10) return send('DELETE', `/zones/${ids[3]}`)
    if (n === 20) return send('POST', '/zones', { name: 'New', countries: ['DE'] })
    const rotated = [...ids.slice(n % 4), ...ids.slice(0, n % 4)]
    return send('PUT', '/zones/order', { ids: rotated })
  })
  for (const { status, json } of replies.filter((_, n) => n !== 10 && n !== 20)) {
    expect([200, 422]).toContain(status)
    if (status === 200) expect(json.zones.map((zone: Json) => zone.position)).toEqual([0, 1, 2, 3])
  }
  const { json } = await send('GET', '/zones')
  const positions = json.zones.map((zone: Json) => zone.position)
  expect(new Set(positions).size).toBe(positions.length)
  await database.expectNoFaults()
})

test('exactly one location is the default after concurrent changes of the default', async () => {
  const depot = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
  const created = await runConcurrently(10, () =>
    send('POST', '/locations', { ...depot, is_default: true }),
  )
  const ids = created.map(({ json }) => json.location.id)
  await runConcurrently(20, (n) =>
    n % 5 === 4
      ? send('DELETE', `/locations/${ids[n % 10]}`)
      : send('PATCH', `/locations/${ids[n % 10]}`, { is_default: true }),
  )
  const { json } = await send('GET', '/locations')
  expect(json.locations.filter((item: Json) => item.is_default)).toHaveLength(1)
  await database.expectNoFaults()
})
