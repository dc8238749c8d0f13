import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import { SECOND_MS } from '../../src/kernel/time.ts'
import type { Json } from '../harness.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting } from './meanwhile.ts'

const AT_ONCE = 100

const raceStore = sharedRaceStore({ beside: 1 })

/** A program of a new store, reached through two processes, and its seller. */
async function openProgram(context: TestContext) {
  const tradepost = await raceStore.openStoreFixture(context)
  const store = await selectStoreById(tradepost.app.db, tradepost.storeId)
  if (!store) throw new Error('No such store.')
  const { account_id, livemode } = store
  const { key } = await createKey(tradepost.app, {
    account_id,
    livemode,
    kind: 'security',
    store_ids: [tradepost.storeId],
    rate_limit: 0,
  })
  const origins = tradepost.targets.map((target) => target.origin)
  async function ask(
    at: number,
    path: string,
    body: Json,
    headers: Record<string, string>,
  ): Promise<Json> {
    const response = await fetch(`${origins[at % origins.length]}/security/v1${path}`, {
      method: 'POST',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    // Too busy to say, and nothing happened: the caller asks again.
    if (response.status === 503) return ask(at, path, body, headers)
    return (await response.json()) as Json
  }
  const manage = (path: string, body: Json) =>
    ask(0, path, body, { authorization: `Bearer ${key}` })
  const { app } = await manage('/apps', { name: 'Rush', rate_limits: { session_starts: null } })
  const start = (at: number, body: Json) =>
    ask(at, `/client/${app.public_id}/sessions`, body, {
      'client-nonce': randomBytes(16).toString('base64url'),
    })
  return {
    start,
    db: tradepost.app.db,
    beat: (at: number, token: string) =>
      ask(at, `/client/${app.public_id}/sessions/heartbeat`, undefined, {
        authorization: `Bearer ${token}`,
        'client-nonce': randomBytes(16).toString('base64url'),
      }),
    /** Takes a key over from elsewhere. */
    import: (at: number, text: string) =>
      ask(
        at,
        '/keys/import',
        { app_id: app.id, keys: [{ key: text }] },
        { authorization: `Bearer ${key}` },
      ),
    async license(fields: Json): Promise<string> {
      return (await manage('/keys', { app_id: app.id, ...fields })).keys[0].key
    },
  }
}

const machine = (n: number) => ({ fingerprint: `machine-${String(n).padStart(12, '0')}` })
const count = (codes: string[]) =>
  Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((item) => item === code).length]),
  )

describe('100 starts at once, through two processes', () => {
  test('of a license for one device, by as many machines: one is VALID', async (context) => {
    const { start, license } = await openProgram(context)
    const license_key = await license({ max_devices: 1 })
    const starts = Array.from({ length: AT_ONCE }, (_, n) =>
      start(n, { license_key, device: machine(n) }),
    )
    const codes = (await Promise.all(starts)).map((answer) => answer.code ?? answer.error)
    expect(count(codes)).toEqual({ VALID: 1, DEVICE_LIMIT_REACHED: AT_ONCE - 1 })
  })

  test('of a license for one seat, by one machine: one is VALID, and there is one device', async (context) => {
    const { start, license } = await openProgram(context)
    const license_key = await license({ max_devices: 1, max_sessions: 1 })
    const starts = Array.from({ length: AT_ONCE }, (_, n) =>
      start(n, { license_key, device: machine(0) }),
    )
    const codes = (await Promise.all(starts)).map((answer) => answer.code ?? answer.error)
    expect(count(codes)).toEqual({ VALID: 1, SESSION_LIMIT_REACHED: AT_ONCE - 1 })
  })

  test('of a license without limits, by one machine: all are VALID on one device', async (context) => {
    const { start, license } = await openProgram(context)
    const license_key = await license({})
    const starts = Array.from({ length: AT_ONCE }, (_, n) =>
      start(n, { license_key, device: machine(0) }),
    )
    const answers = await Promise.all(starts)
    expect(count(answers.map((answer) => answer.code))).toEqual({ VALID: AT_ONCE })
    expect(new Set(answers.map((answer) => answer.device.id)).size).toBe(1)
  })
})

test('a heartbeat that was read before its lease was over does not make a seat of two', async (context) => {
  // Only this process and its clock, which is moved to the end of the lease.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { start, license, beat, db } = await openProgram(context)
  const license_key = await license({ max_sessions: 1 })
  const held = await start(0, { license_key, device: machine(0) })
  expect(held.code).toBe('VALID')
  const end = new Date(Date.now() + SECOND_MS).toISOString()
  const hash = createHash('sha256').update(held.session.token).digest()
  await sql`update client_session set lease_expires_at = ${end} where token_hash = ${hash}`.execute(
    db,
  )
  // The heartbeat has read its session and waits to write it; then another device requests the
  // slot.
  const answers = await inTransaction(db, async (tx) => {
    await sql`select from client_session where token_hash = ${hash} for update`.execute(tx)
    const late = beat(0, held.session.token)
    await areWaiting({ db }, 1)
    vi.setSystemTime(Date.parse(end) + 1)
    const next = start(0, { license_key, device: machine(1) })
    // It waits too, or is done.
    await Promise.race([next, areWaiting({ db }, 2)])
    return { late, next }
  })
  const [late, next] = await Promise.all([answers.late, answers.next])
  const { rows } = await sql`
    select from client_session
     where key_id = (select key_id from client_session where token_hash = ${hash})
       and ended_at is null and lease_expires_at > ${new Date().toISOString()}`.execute(db)
  expect(rows).toHaveLength(1)
  expect([late.code ?? late.error, next.code]).toEqual(['VALID', 'SESSION_LIMIT_REACHED'])
})

test('one key that many take over at once is taken over once, and the other calls say so', async (context) => {
  const { import: take } = await openProgram(context)
  const text = `old-${randomBytes(12).toString('hex')}`
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => take(at, text)))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const why = answers.filter(({ success }) => !success).map(({ error }) => error as string)
  expect(why.filter((text) => !/exists already|at the same time/.test(text))).toEqual([])
})
