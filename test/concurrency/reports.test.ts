import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { fromNow } from '../clock.ts'
import type { Json } from '../harness.ts'
import { untilWaiting } from './lock-waits.ts'
import { openSeller } from './open-seller.ts'
import { sharedDatabase } from './shared-database.ts'

// A program reports a debugger while other calls start sessions on its device or remove the device.

const database = sharedDatabase()
const DEBUGGER_REPORT = { kind: 'debugger' }
const machine = (n: number) => ({ fingerprint: `machine-${String(n).padStart(12, '0')}` })

/** Creates a license whose devices are banned when they report a debugger. */
async function openLicense(context: TestContext) {
  const report_rules = { [DEBUGGER_REPORT.kind]: 'ban_device' }
  const { send, app, db } = await openSeller(database, context, { report_rules })
  const keysCreated = await send('POST', '/keys', { app_id: app.id, max_sessions: 9 })
  const [key] = keysCreated.json.keys
  const programPath = `/client/${app.public_id}`
  const start = (n: number) =>
    send('POST', `${programPath}/sessions`, { license_key: key.key, device: machine(n) })
  return {
    db,
    key,
    send,
    start,
    startSession: async (n: number): Promise<Json> => (await start(n)).json,
    report: (token: string) => send('POST', `${programPath}/reports`, DEBUGGER_REPORT, token),
    free: (id: number, token: string) =>
      send('DELETE', `${programPath}/devices/${id}`, undefined, token),
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

test('a session that starts while its device is banned is refused, without a deadlock', async (context) => {
  const { startSession, start, report, db } = await openLicense(context)
  const { session } = await startSession(1)
  const expiredSession = (await startSession(1)).session
  const past = fromNow(-1_000)
  await sql`
    update client_session set lease_expires_at = ${past}
     where token_hash = ${hashOf(expiredSession.token)}`.execute(db)
  // The report has read the device, and waits for the first session. The start ends the expired session,
  // and registers the new one.
  const { reported, next } = await inTransaction(db, async (tx) => {
    await sql`
      select from client_session where token_hash = ${hashOf(session.token)} for update`.execute(tx)
    const reported = report(session.token)
    await untilWaiting({ db }, 1)
    const next = start(1)
    await untilWaiting({ db }, 2)
    return { reported, next }
  })
  expect((await reported).status).toBe(201)
  expect((await next).json.code).toBe('DEVICE_BANNED')
  await database.expectNoFaults()
})

test('freeing a device while its report bans it is refused, and the device stays banned', async (context) => {
  const { startSession, report, free, send, key, db } = await openLicense(context)
  const reportingDevice = await startSession(1)
  const otherDevice = await startSession(2)
  const { reported, freed } = await inTransaction(db, async (tx) => {
    await sql`select from device where id = ${reportingDevice.device.id} for update`.execute(tx)
    const reported = report(reportingDevice.session.token)
    await untilWaiting({ db }, 1)
    const freed = free(reportingDevice.device.id, otherDevice.session.token)
    await untilWaiting({ db }, 2)
    return { reported, freed }
  })
  expect([(await reported).status, (await freed).status]).toEqual([201, 409])
  const { devices } = (await send('GET', `/keys/${key.id}/devices`)).json
  expect(devices).toContainEqual(
    expect.objectContaining({ id: reportingDevice.device.id, status: 'banned' }),
  )
  await database.expectNoFaults()
})
