import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deviceSigner, newDeviceKey } from '../../sdk/client-security/index.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine } from './program.ts'
import { type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'
import { clientsOf } from './wire.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let tradepost: Tradepost
let seller: Seller
let wire: Awaited<ReturnType<typeof clientsOf>>

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost, tradepost.test.id)
  wire = await clientsOf(tradepost, seller)
})
afterAll(() => tradepost.close())

/** Advances the clock of the test side, as `tradepost clock advance` does. */
async function setAhead(ahead_ms: number) {
  await sql`update store set clock_offset_ms = ${ahead_ms} where hash = ${tradepost.test.id}`.execute(
    tradepost.db,
  )
  // Waits until no process has cached the old clock.
  tradepost.forward(2_000)
}
beforeEach(() => setAhead(10 * DAY_MS))

const license = async (fields: Json = {}) =>
  (await aKey(seller, { app_id: wire.app.id, ...fields })).key

test('a lease lasts its 15 minutes where the clock of a test side was moved (decision 200)', async () => {
  const client = wire.client()
  const answer = await client.start(await license())
  const apart_ms = Date.parse(answer.store_time) - Date.parse(answer.server_time)
  expect(apart_ms).toBe(10 * DAY_MS)
  expect(client.mayRun()).toBe(true)
  expect(client.mayRun(Date.now() + HOUR_MS, performance.now() + HOUR_MS)).toBe(false)
  await client.heartbeat()
  expect(client.mayRun()).toBe(true)
  expect(client.mayRun(Date.now() + HOUR_MS, performance.now() + HOUR_MS)).toBe(false)
})

test('an offline license of a test side whose clock was moved holds for its time (decision 200)', async () => {
  const { fingerprint } = machine()
  const device = await deviceSigner(await newDeviceKey())
  const online = wire.client({ fingerprint, device })
  await online.start(await license({ level: 3 }))
  const file = await online.licenseFile(86_400)
  // A new offline start of the program: it knows the clocks from the file only.
  const check = (client: typeof online, after_ms: number) =>
    client.checkLicenseFile(file, online.latestSeen, Date.now() + after_ms)
  for (const client of [online, wire.client({ fingerprint, device })]) {
    expect((await check(client, 0)).level).toBe(3)
    expect((await check(client, 22 * HOUR_MS)).level).toBe(3)
    await expect(check(client, 25 * HOUR_MS)).rejects.toThrow('has expired')
  }
})

test('an offline license ends with its license by the store’s clock (decision 200)', async () => {
  const { fingerprint } = machine()
  const online = wire.client({ fingerprint })
  await online.start(await license({ duration_seconds: 7_200 }))
  const file = await online.licenseFile()
  const check = (after_ms: number) => online.checkLicenseFile(file, 0, Date.now() + after_ms)
  expect((await check(HOUR_MS)).level).toBe(0)
  await expect(check(3 * HOUR_MS)).rejects.toThrow('has expired')
})

test('a clock that moved on after the file was issued counts once it was seen (decision 200)', async () => {
  const client = wire.client()
  const key = await license()
  await client.start(key)
  const file = await client.licenseFile(86_400)
  expect((await client.checkLicenseFile(file)).level).toBe(0)
  await setAhead(12 * DAY_MS)
  await client.start(key)
  await expect(client.checkLicenseFile(file)).rejects.toThrow('has expired')
})
