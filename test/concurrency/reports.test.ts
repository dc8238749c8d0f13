import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import type { Json } from '../harness.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting } from './meanwhile.ts'
import { openSeller } from './open-seller.ts'

/** A program reports on its device while other calls start sessions there or remove it. */

const raceStore = sharedRaceStore()
const CHEATED = { kind: 'debugger' }
const machine = (n: number) => ({ fingerprint: `machine-${String(n).padStart(12, '0')}` })

/** A license whose machines are banned when they report a debugger. */
async function openLicense(context: TestContext) {
  const report_rules = { [CHEATED.kind]: 'ban_device' }
  const { ask, app, db } = await openSeller(raceStore, context, { report_rules })
  const made = await ask('POST', '/keys', { app_id: app.id, max_sessions: 9 })
  const [key] = made.json.keys
  const home = `/client/${app.public_id}`
  const start = (n: number) =>
    ask('POST', `${home}/sessions`, { license_key: key.key, device: machine(n) })
  return {
    db,
    key,
    ask,
    start,
    begin: async (n: number): Promise<Json> => (await start(n)).json,
    report: (token: string) => ask('POST', `${home}/reports`, CHEATED, token),
    free: (id: number, token: string) => ask('DELETE', `${home}/devices/${id}`, undefined, token),
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

test('a device that is banned while a session begins there is banned after it, and neither waits in a circle', async (context) => {
  const { begin, start, report, db } = await openLicense(context)
  const { session } = await begin(1)
  const lapsed = (await begin(1)).session
  const past = new Date(Date.now() - 1_000).toISOString()
  await sql`
    update client_session set lease_expires_at = ${past}
     where token_hash = ${hashOf(lapsed.token)}`.execute(db)
  // The report has the device and waits for the first session; the start ends the lapsed one, and enters.
  const { reported, next } = await inTransaction(db, async (tx) => {
    await sql`
      select from client_session where token_hash = ${hashOf(session.token)} for update`.execute(tx)
    const reported = report(session.token)
    await areWaiting({ db }, 1)
    const next = start(1)
    await areWaiting({ db }, 2)
    return { reported, next }
  })
  expect((await reported).status).toBe(201)
  expect((await next).json.code).toBe('DEVICE_BANNED')
  await raceStore.expectSweepClean()
})

test('a device that is freed while its own report bans it stays', async (context) => {
  const { begin, report, free, ask, key, db } = await openLicense(context)
  const cheat = await begin(1)
  const friend = await begin(2)
  const { reported, freed } = await inTransaction(db, async (tx) => {
    await sql`select from device where id = ${cheat.device.id} for update`.execute(tx)
    const reported = report(cheat.session.token)
    await areWaiting({ db }, 1)
    const freed = free(cheat.device.id, friend.session.token)
    await areWaiting({ db }, 2)
    return { reported, freed }
  })
  expect([(await reported).status, (await freed).status]).toEqual([201, 409])
  const { devices } = (await ask('GET', `/keys/${key.id}/devices`)).json
  expect(devices).toContainEqual(expect.objectContaining({ id: cheat.device.id, status: 'banned' }))
  await raceStore.expectSweepClean()
})
