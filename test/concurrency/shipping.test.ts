import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, type TestContext, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { inTransaction } from '../../src/db/database.ts'
import { asStore, selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { ZonePatch } from '../../src/features/store/shipping/schema.ts'
import { updateZone } from '../../src/features/store/shipping/update-zone.ts'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting } from './meanwhile.ts'
import type { RealServer } from './open-market.ts'

let tradepost: RealServer

const raceStore = sharedRaceStore()
beforeEach(async (context) => {
  tradepost = await raceStore.openStoreFixture(context as TestContext)
})

/** One call; it is repeated if no connection is free. */
async function send(method: string, path: string, body?: Json): Promise<Reply> {
  for (;;) {
    const reply = await call(tradepost.targets[0], method, `/shipping${path}`, { body })
    if (reply.status !== 503) return reply
    await pause(100)
  }
}

const atOnce = (count: number, ask: (n: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

const flat = (name: string) => ({ name, calc_type: 'flat' as const })

async function aZone(names: string[]): Promise<Json> {
  const body = { name: 'Germany', countries: ['DE'], rates: names.map(flat) }
  return (await send('POST', '/zones', body)).json.zone
}
const zoneNow = async (id: number): Promise<Json> => (await send('GET', `/zones/${id}`)).json.zone

const names = ({ rates }: Json): string[] => rates.map((rate: Json) => rate.name)

test('of 20 lists of rates sent at once one is there as a whole, and each answer is its own list', async () => {
  const { id } = await aZone(['old', 'old', 'old'])
  const replies = await atOnce(20, (n) => {
    const list = Array.from({ length: (n % 4) + 1 }, () => flat(`list ${n}`))
    return send('PATCH', `/zones/${id}`, { rates: list })
  })
  for (const [n, { status, json }] of replies.entries()) {
    expect(status).toBe(200)
    expect(names(json.zone)).toEqual(new Array((n % 4) + 1).fill(`list ${n}`))
  }
  const last = await zoneNow(id)
  expect(new Set(names(last)).size).toBe(1)
  expect(replies.map(({ json }) => json.zone)).toContainEqual(last)
  await raceStore.expectSweepClean()
})

test('a call that waits for another list sees the new list, and replaces all of it', async () => {
  const { id, rates } = await aZone(['kept', 'dropped'])
  const [kept, dropped] = rates
  const { holds, letGo, committed } = holdUntilReleased(id, [
    { id: kept.id, name: 'first' },
    flat('new'),
  ])
  await holds
  const both = Promise.all([
    send('PATCH', `/zones/${id}`, { rates: [flat('second'), { id: kept.id }] }),
    send('PATCH', `/zones/${id}`, { rates: [{ id: dropped.id }] }),
  ])
  await areWaiting({ db: tradepost.app.db }, 2)
  letGo()
  const [second, gone] = await both
  await committed
  expect(names(second.json.zone)).toEqual(['second', 'first'])
  expect([gone.status, gone.json.details?.field]).toEqual([422, 'rates[0].id'])
  expect(names(await zoneNow(id))).toEqual(['second', 'first'])
})

test('countries and regions sent apart at once never contradict each other', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await aZone([])
    await send('PATCH', `/zones/${id}`, { countries: ['DE', 'FR'] })
    const [countries, regions] = await Promise.all([
      send('PATCH', `/zones/${id}`, { countries: ['FR'] }),
      send('PATCH', `/zones/${id}`, { regions: { DE: ['BY'] } }),
    ])
    expect([countries.status, regions.status].sort()).toEqual([200, 422])
    const { countries: now, regions: narrowed } = await zoneNow(id)
    for (const country of Object.keys(narrowed)) expect(now).toContain(country)
  }
})

/** A change that keeps its transaction open. */
function holdUntilReleased(zoneId: number, rates: ZonePatch['rates']) {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let holding = () => {}
  const holds = new Promise<void>((resolve) => {
    holding = resolve
  })
  const { app, storeId } = tradepost
  const committed = inTransaction(app.db, async (tx) => {
    const row = await selectStoreById(tx, storeId)
    if (!row) throw new Error('No store.')
    await updateZone(storeContextOf(app, asStore(row), tx), zoneId, { rates })
    holding()
    await released
  })
  return { holds, letGo, committed }
}

test('zones made at once stand one behind the other, and no more than 250', async () => {
  await atOnce(240, (n) => send('POST', '/zones', { name: `Zone ${n}`, countries: ['DE'] }))
  const late = await atOnce(20, () => send('POST', '/zones', { name: 'Late', countries: ['DE'] }))
  expect(late.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(late.filter(({ status }) => status === 422)).toHaveLength(10)
  const pages = [0, 100, 200].map((offset) => send('GET', `/zones?limit=100&offset=${offset}`))
  const zones = (await Promise.all(pages)).flatMap(({ json }) => json.zones)
  expect(zones.map(({ position }: Json) => position)).toEqual(
    Array.from({ length: 250 }, (_, n) => n),
  )
})

test('of orders sent at once, while zones come and go, each is whole or refused', async () => {
  const ids: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await aZone([name])).id)
  const replies = await atOnce(30, (n) => {
    if (n === 10) return send('DELETE', `/zones/${ids[3]}`)
    if (n === 20) return send('POST', '/zones', { name: 'New', countries: ['DE'] })
    const turned = [...ids.slice(n % 4), ...ids.slice(0, n % 4)]
    return send('PUT', '/zones/order', { ids: turned })
  })
  for (const { status, json } of replies.filter((_, n) => n !== 10 && n !== 20)) {
    expect([200, 422]).toContain(status)
    if (status === 200) expect(json.zones.map((zone: Json) => zone.position)).toEqual([0, 1, 2, 3])
  }
  const { json } = await send('GET', '/zones')
  const positions = json.zones.map((zone: Json) => zone.position)
  expect(new Set(positions).size).toBe(positions.length)
  await raceStore.expectSweepClean()
})

test('of locations that all want to be the default exactly one is', async () => {
  const depot = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
  const made = await atOnce(10, () => send('POST', '/locations', { ...depot, is_default: true }))
  const ids = made.map(({ json }) => json.location.id)
  await atOnce(20, (n) =>
    n % 5 === 4
      ? send('DELETE', `/locations/${ids[n % 10]}`)
      : send('PATCH', `/locations/${ids[n % 10]}`, { is_default: true }),
  )
  const { json } = await send('GET', '/locations')
  expect(json.locations.filter((item: Json) => item.is_default)).toHaveLength(1)
  await raceStore.expectSweepClean()
})
