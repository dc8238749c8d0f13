import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deviceSigner, newDeviceKey } from '../../sdk/client-security/index.ts'
import { fromNow_ms } from '../clock.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createClients } from './clients.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let tradepost: Tradepost
let seller: Seller
let clients: Awaited<ReturnType<typeof createClients>>

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost, tradepost.test.id)
  clients = await createClients(tradepost, seller)
})
afterAll(() => tradepost.close())

/** Advances the clock of the test side, as `tradepost clock advance` does. */
async function setAhead(ahead_ms: number) {
  await sql`update store set clock_offset_ms = ${ahead_ms} where hash = ${tradepost.test.id}`.execute(
    tradepost.db,
  )
  // The cached clock of the store expires.
  tradepost.forward(2_000)
}
beforeEach(() => setAhead(10 * DAY_MS))

const createKey = async (fields: Json = {}) =>
  (await createLicenseKey(seller, { app_id: clients.app.id, ...fields })).key

test('a lease on a test side lasts 15 minutes, even if the clock of the store was advanced (decision 200)', async () => {
  const client = clients.createClient()
  const answer = await client.start(await createKey())
  const ahead_ms = Date.parse(answer.store_time) - Date.parse(answer.server_time)
  expect(ahead_ms).toBe(10 * DAY_MS)
  expect(client.mayRun()).toBe(true)
  expect(client.mayRun(fromNow_ms(HOUR_MS), performance.now() + HOUR_MS)).toBe(false)
  await client.heartbeat()
  expect(client.mayRun()).toBe(true)
  expect(client.mayRun(fromNow_ms(HOUR_MS), performance.now() + HOUR_MS)).toBe(false)
})

test('a license file of a test side lasts its full time, even if the clock of the store was advanced (decision 200)', async () => {
  const { fingerprint } = newMachine()
  const device = await deviceSigner(await newDeviceKey())
  const online = clients.createClient({ fingerprint, device })
  await online.start(await createKey({ level: 3 }))
  const file = await online.licenseFile(86_400)
  // The second client has never been online, so it knows the two clocks from the file only.
  const checkFile = (client: typeof online, after_ms: number) =>
    client.checkLicenseFile(file, online.latestSeen, fromNow_ms(after_ms))
  for (const client of [online, clients.createClient({ fingerprint, device })]) {
    expect((await checkFile(client, 0)).level).toBe(3)
    expect((await checkFile(client, 22 * HOUR_MS)).level).toBe(3)
    await expect(checkFile(client, 25 * HOUR_MS)).rejects.toThrow('has expired')
  }
})

test('a license file expires with its license by the clock of the store (decision 200)', async () => {
  const { fingerprint } = newMachine()
  const online = clients.createClient({ fingerprint })
  await online.start(await createKey({ duration_seconds: 7_200 }))
  const file = await online.licenseFile()
  const checkFile = (after_ms: number) => online.checkLicenseFile(file, 0, fromNow_ms(after_ms))
  expect((await checkFile(HOUR_MS)).level).toBe(0)
  await expect(checkFile(3 * HOUR_MS)).rejects.toThrow('has expired')
})

test('a clock that was advanced after a license file was issued applies to the file after the next start (decision 200)', async () => {
  const client = clients.createClient()
  const key = await createKey()
  await client.start(key)
  const file = await client.licenseFile(86_400)
  expect((await client.checkLicenseFile(file)).level).toBe(0)
  await setAhead(12 * DAY_MS)
  await client.start(key)
  await expect(client.checkLicenseFile(file)).rejects.toThrow('has expired')
})
