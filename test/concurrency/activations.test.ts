import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { SECOND_MS } from '../../src/kernel/time.ts'
import { fromNow } from '../clock.ts'
import type { Json } from '../harness.ts'
import { untilWaiting } from './lock-waits.ts'
import { createSecurityKey } from './security-key.ts'
import { sharedDatabase } from './shared-database.ts'

const CALLS = 100

const database = sharedDatabase({ furtherProcesses: 1 })

/** Opens a new store with an app, served by two processes, and functions that call as its programs and its seller. */
async function openProgram(context: TestContext) {
  const tradepost = await database.openStore(context)
  const key = await createSecurityKey(tradepost)
  const origins = tradepost.targets.map((target) => target.origin)
  async function post(
    process: number,
    path: string,
    body: Json,
    headers: Record<string, string>,
  ): Promise<Json> {
    const response = await fetch(`${origins[process % origins.length]}/security/v1${path}`, {
      method: 'POST',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    // A 503 changes nothing, so the call is repeated.
    if (response.status === 503) return post(process, path, body, headers)
    return (await response.json()) as Json
  }
  const manage = (path: string, body: Json) =>
    post(0, path, body, { authorization: `Bearer ${key}` })
  const { app } = await manage('/apps', { name: 'Rush', rate_limits: { session_starts: null } })
  const start = (process: number, body: Json) =>
    post(process, `/client/${app.public_id}/sessions`, body, {
      'client-nonce': randomBytes(16).toString('base64url'),
    })
  return {
    start,
    db: tradepost.app.db,
    sendHeartbeat: (process: number, token: string) =>
      post(process, `/client/${app.public_id}/sessions/heartbeat`, undefined, {
        authorization: `Bearer ${token}`,
        'client-nonce': randomBytes(16).toString('base64url'),
      }),
    /** Imports a license key from another system. */
    importKey: (process: number, text: string) =>
      post(
        process,
        '/keys/import',
        { app_id: app.id, keys: [{ key: text }] },
        { authorization: `Bearer ${key}` },
      ),
    async createLicense(fields: Json): Promise<string> {
      return (await manage('/keys', { app_id: app.id, ...fields })).keys[0].key
    },
  }
}

const machine = (n: number) => ({ fingerprint: `machine-${String(n).padStart(12, '0')}` })
const countByCode = (codes: string[]) =>
  Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((item) => item === code).length]),
  )

describe('of 100 concurrent session starts at two processes', () => {
  test('by 100 machines with a license of one device, one is VALID', async (context) => {
    const { start, createLicense } = await openProgram(context)
    const license_key = await createLicense({ max_devices: 1 })
    const starts = Array.from({ length: CALLS }, (_, n) =>
      start(n, { license_key, device: machine(n) }),
    )
    const codes = (await Promise.all(starts)).map((answer) => answer.code ?? answer.error)
    expect(countByCode(codes)).toEqual({ VALID: 1, DEVICE_LIMIT_REACHED: CALLS - 1 })
    await database.expectNoFaults()
  })

  test('by one machine with a license of one session, one is VALID', async (context) => {
    const { start, createLicense } = await openProgram(context)
    const license_key = await createLicense({ max_devices: 1, max_sessions: 1 })
    const starts = Array.from({ length: CALLS }, (_, n) =>
      start(n, { license_key, device: machine(0) }),
    )
    const codes = (await Promise.all(starts)).map((answer) => answer.code ?? answer.error)
    expect(countByCode(codes)).toEqual({ VALID: 1, SESSION_LIMIT_REACHED: CALLS - 1 })
    await database.expectNoFaults()
  })

  test('by one machine with a license without limits, all are VALID and registered as one device', async (context) => {
    const { start, createLicense } = await openProgram(context)
    const license_key = await createLicense({})
    const starts = Array.from({ length: CALLS }, (_, n) =>
      start(n, { license_key, device: machine(0) }),
    )
    const answers = await Promise.all(starts)
    expect(countByCode(answers.map((answer) => answer.code))).toEqual({ VALID: CALLS })
    expect(new Set(answers.map((answer) => answer.device.id)).size).toBe(1)
    await database.expectNoFaults()
  })
})

test('if a lease ends while a heartbeat renews it, another device cannot start a second session', async (context) => {
  // This process has its own clock, which is advanced to the end of the lease.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { start, createLicense, sendHeartbeat, db } = await openProgram(context)
  const license_key = await createLicense({ max_sessions: 1 })
  const started = await start(0, { license_key, device: machine(0) })
  expect(started.code).toBe('VALID')
  const end = fromNow(SECOND_MS)
  const hash = createHash('sha256').update(started.session.token).digest()
  await sql`update client_session set lease_expires_at = ${end} where token_hash = ${hash}`.execute(
    db,
  )
  // The heartbeat has read its session and waits to write it. Then another device starts a session.
  const answers = await inTransaction(db, async (tx) => {
    await sql`select from client_session where token_hash = ${hash} for update`.execute(tx)
    const heartbeat = sendHeartbeat(0, started.session.token)
    await untilWaiting({ db }, 1)
    vi.setSystemTime(Date.parse(end) + 1)
    const next = start(0, { license_key, device: machine(1) })
    // The start of the other device now also waits for the lock, or has ended.
    await Promise.race([next, untilWaiting({ db }, 2)])
    return { heartbeat, next }
  })
  const [heartbeat, next] = await Promise.all([answers.heartbeat, answers.next])
  const { rows } = await sql`
    select from client_session
     where key_id = (select key_id from client_session where token_hash = ${hash})
       and ended_at is null and lease_expires_at > ${new Date().toISOString()}`.execute(db)
  expect(rows).toHaveLength(1)
  expect([heartbeat.code ?? heartbeat.error, next.code]).toEqual(['VALID', 'SESSION_LIMIT_REACHED'])
})

test('a license key that concurrent calls import is imported once, and the other calls are refused', async (context) => {
  const { importKey } = await openProgram(context)
  const text = `old-${randomBytes(12).toString('hex')}`
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => importKey(at, text)))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const errors = answers.filter(({ success }) => !success).map(({ error }) => error as string)
  expect(errors.filter((error) => !/exists already|at the same time/.test(error))).toEqual([])
  await database.expectNoFaults()
})
