import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnknownError } from '../../sdk/client-security/index.ts'
import { type Answer, expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createClients, type Fetch, fetchFrom } from './clients.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  // Limits per minute must not depend on the speed of the machine.
  tradepost.stopClock()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

type App = Program & { appId: number }

const randomToken = () => randomBytes(32).toString('base64url')

/** Starts a session with a new license, and returns its token. */
async function startSession(app: App): Promise<string> {
  const { key } = await createLicenseKey(seller, { app_id: app.appId })
  return (await app.start({ license_key: key, device: newMachine() })).session.token
}

const validate = (app: App, license_key: string) =>
  app.call('POST', '/validate', { body: { license_key } })
const startCallWith = (license_key: string) => ({ body: { license_key, device: newMachine() } })
const getSettings = (app: App, token: string) => app.call('GET', '/settings', { token })
const sendHeartbeat = (app: App, token: string) =>
  app.call('POST', '/sessions/heartbeat', { token })

/** Makes this many calls, and counts them by status. */
async function countStatuses(count: number, call: (n: number) => Promise<{ status: number }>) {
  const statuses: Record<number, number> = {}
  for (let n = 0; n < count; n++) {
    const { status } = await call(n)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

describe('the rate limits of an address', () => {
  test('refuse the 31st unknown license key, and no calls of sessions at the same address (decision 118)', async () => {
    const app = await createProgram(tradepost, seller)
    const token = await startSession(app)
    expect(await countStatuses(31, (n) => validate(app, `WRONG-${n}`))).toEqual({ 200: 30, 429: 1 })
    expect((await getSettings(app, token)).status).toBe(200)
    expect((await sendHeartbeat(app, token)).json.code).toBe('VALID')
  })

  test('refuse the 121st unknown token, and no other calls at the same address (decision 118)', async () => {
    const app = await createProgram(tradepost, seller)
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const token = await startSession(app)
    const statuses = await countStatuses(125, () => getSettings(app, randomToken()))
    expect(statuses).toEqual({ 401: 120, 429: 5 })
    const refused = await getSettings(app, randomToken())
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json.error).toContain('unknown session tokens')
    expect((await sendHeartbeat(app, token)).json.code).toBe('VALID')
    // Unknown license keys, starts and validations have separate limits.
    expect((await validate(app, key)).json.code).toBe('VALID')
    expect((await app.start({ license_key: key, device: newMachine() })).code).toBe('VALID')
    const fromOtherAddress = await app.call('GET', '/settings', {
      token: randomToken(),
      ip: '192.0.2.8',
    })
    expect(fromOtherAddress.status).toBe(401)
  })

  test('count concurrent unknown tokens exactly like sequential ones (decision 118)', async () => {
    const app = await createProgram(tradepost, seller, { rate_limits: { unknown_tokens: 7 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => getSettings(app, randomToken())),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(13)
  })

  test.each<[string, Json, (app: App, key: string) => Promise<Answer>]>([
    [
      'starts',
      { session_starts: 1 },
      (app, key) => app.call('POST', '/sessions', startCallWith(key)),
    ],
    ['validations', { validations: 1 }, (app, key) => validate(app, key)],
    ['unknown keys', { unknown_keys: 1 }, (app) => validate(app, 'WRONG')],
    ['unknown tokens', { unknown_tokens: 1 }, (app) => getSettings(app, randomToken())],
  ])(
    'for %s, when used up, refuse no calls of a live session (decision 118)',
    async (_, rate_limits, sendCall) => {
      const app = await createProgram(tradepost, seller, { rate_limits })
      const { key } = await createLicenseKey(seller, { app_id: app.appId })
      const token = await startSession(app)
      await sendCall(app, key)
      expect((await sendCall(app, key)).status).toBe(429)
      expect((await getSettings(app, token)).status).toBe(200)
      expect((await sendHeartbeat(app, token)).json.code).toBe('VALID')
    },
  )

  test.each([
    ['start', (app: App, n: number) => app.call('POST', '/sessions', startCallWith(`WRONG-${n}`))],
    ['validation', (app: App, n: number) => validate(app, `WRONG-${n}`)],
  ])(
    'for unknown license keys count a %s, and refuse starts and validations (decision 118)',
    async (_, sendCall) => {
      const app = await createProgram(tradepost, seller, { rate_limits: { unknown_keys: 2 } })
      const { key } = await createLicenseKey(seller, { app_id: app.appId })
      expect(await countStatuses(3, (n) => sendCall(app, n))).toEqual({ 200: 2, 429: 1 })
      expect((await validate(app, key)).status).toBe(429)
      expect((await app.call('POST', '/sessions', startCallWith(key))).status).toBe(429)
    },
  )

  test('have five defaults, and one can be changed without the others (decision 118)', async () => {
    const { app } = await expectSuccess(seller.post('/apps', { name: 'Limits' }))
    const limits = { unknown_keys: 30, unknown_tokens: 120, session_starts: 120 }
    const otherLimits = { validations: 600, session_calls: 600 }
    expect(app.rate_limits).toEqual({ ...limits, ...otherLimits })
    const change = { rate_limits: { unknown_tokens: null } }
    const patched = (await expectSuccess(seller.patch(`/apps/${app.id}`, change))).app
    expect(patched.rate_limits).toEqual({ ...limits, ...otherLimits, unknown_tokens: null })
  })
})

describe('a session', () => {
  test('has a rate limit of its own, which does not affect another session at the same address (decision 118)', async () => {
    const app = await createProgram(tradepost, seller, { rate_limits: { session_calls: 20 } })
    const [token, otherToken] = [await startSession(app), await startSession(app)]
    expect(await countStatuses(25, () => getSettings(app, token))).toEqual({ 200: 20, 429: 5 })
    expect((await getSettings(app, otherToken)).status).toBe(200)
  })
})

describe('the client', () => {
  const fetchWithStatus = async (fetch: Fetch, args: Parameters<Fetch>, status: number) => {
    const answer = await fetch(...args)
    return new Response(answer.body, { status, headers: answer.headers })
  }

  test('may run after a signed 429, which does not end its lease (decision 118)', async () => {
    const clients = await createClients(tradepost, seller, { rate_limits: { session_calls: 1 } })
    const client = clients.createClient()
    await client.start((await createLicenseKey(seller, { app_id: clients.app.id })).key)
    await client.heartbeat()
    await expect(client.heartbeat()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
    await expect(client.settings()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
  })

  test.each([429, 500, 502, 503])(
    'sends a heartbeat up to three times if it is refused with %i (decision 118)',
    async (status) => {
      const clients = await createClients(tradepost, seller, {})
      const realFetch = fetchFrom(tradepost)
      let failures = 0
      let calls = 0
      const client = clients.createClient({
        fetch: (...args: Parameters<Fetch>) => {
          calls++
          return failures-- > 0 ? fetchWithStatus(realFetch, args, status) : realFetch(...args)
        },
      })
      await client.start((await createLicenseKey(seller, { app_id: clients.app.id })).key)
      failures = 2
      calls = 0
      expect((await client.heartbeat()).code).toBe('VALID')
      expect(calls).toBe(3)
      failures = 9
      calls = 0
      await expect(client.heartbeat()).rejects.toThrow(UnknownError)
      expect(calls).toBe(3)
      expect(client.mayRun()).toBe(true)
    },
  )

  test('does not repeat a start that may have succeeded (decision 118)', async () => {
    const clients = await createClients(tradepost, seller, {})
    const { key, id } = await createLicenseKey(seller, { app_id: clients.app.id, max_sessions: 1 })
    const realFetch = fetchFrom(tradepost)
    const client = clients.createClient({
      fetch: (...args: Parameters<Fetch>) => fetchWithStatus(realFetch, args, 502),
    })
    await expect(client.start(key)).rejects.toThrow(UnknownError)
    expect((await expectSuccess(seller.get(`/keys/${id}/sessions`))).sessions).toHaveLength(1)
  })
})
