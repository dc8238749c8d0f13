import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnknownError } from '../../sdk/client-security/index.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'
import { clientsOf, type Fetch, fetchFrom } from './wire.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

type App = Program & { appId: number }

const randomToken = () => randomBytes(32).toString('base64url')

/** The token of a live session. */
async function sessionOf(app: App): Promise<string> {
  const { key } = await aKey(seller, { app_id: app.appId })
  return (await app.start({ license_key: key, device: machine() })).session.token
}

const validate = (app: App, license_key: string) =>
  app.call('POST', '/validate', { body: { license_key } })
const startOf = (license_key: string) => ({ body: { license_key, device: machine() } })
const settings = (app: App, token: string) => app.call('GET', '/settings', { token })
const beat = (app: App, token: string) => app.call('POST', '/sessions/heartbeat', { token })

/** The number of these calls by status. */
async function statusesOf(count: number, call: (n: number) => Promise<{ status: number }>) {
  const statuses: Record<number, number> = {}
  for (let n = 0; n < count; n++) {
    const { status } = await call(n)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

describe('budgets of an address', () => {
  test('31 random license keys do not stop the sessions behind the same address (decision 118)', async () => {
    const app = await programOf(tradepost, seller)
    const token = await sessionOf(app)
    expect(await statusesOf(31, (n) => validate(app, `WRONG-${n}`))).toEqual({ 200: 30, 429: 1 })
    expect((await settings(app, token)).status).toBe(200)
    expect((await beat(app, token)).json.code).toBe('VALID')
  })

  test('120 unknown tokens are answered 401 and the next ones 429, and live sessions go on (decision 118)', async () => {
    const app = await programOf(tradepost, seller)
    const { key } = await aKey(seller, { app_id: app.appId })
    const token = await sessionOf(app)
    const tries = await statusesOf(125, () => settings(app, randomToken()))
    expect(tries).toEqual({ 401: 120, 429: 5 })
    const refused = await settings(app, randomToken())
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json.error).toContain('unknown session tokens')
    expect((await beat(app, token)).json.code).toBe('VALID')
    // License keys, starts and validations have separate limits.
    expect((await validate(app, key)).json.code).toBe('VALID')
    expect((await app.start({ license_key: key, device: machine() })).code).toBe('VALID')
    const elsewhere = await app.call('GET', '/settings', { token: randomToken(), ip: '192.0.2.8' })
    expect(elsewhere.status).toBe(401)
  })

  test('unknown tokens at once are answered 401 exactly as often as one by one (decision 118)', async () => {
    const app = await programOf(tradepost, seller, { rate_limits: { unknown_tokens: 7 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => settings(app, randomToken())),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(13)
  })

  test.each<[string, Json, (app: App, key: string) => Promise<unknown>]>([
    ['starts', { session_starts: 1 }, (app, key) => app.call('POST', '/sessions', startOf(key))],
    ['validations', { validations: 1 }, (app, key) => validate(app, key)],
    ['unknown keys', { unknown_keys: 1 }, (app) => validate(app, 'WRONG')],
    ['unknown tokens', { unknown_tokens: 1 }, (app) => settings(app, randomToken())],
  ])(
    'used up %s leave the calls of a live session alone (decision 118)',
    async (_, rate_limits, use) => {
      const app = await programOf(tradepost, seller, { rate_limits })
      const { key } = await aKey(seller, { app_id: app.appId })
      const token = await sessionOf(app)
      for (let n = 0; n < 3; n++) await use(app, key)
      expect((await settings(app, token)).status).toBe(200)
      expect((await beat(app, token)).json.code).toBe('VALID')
    },
  )

  test.each([
    ['start', (app: App, n: number) => app.call('POST', '/sessions', startOf(`WRONG-${n}`))],
    ['validation', (app: App, n: number) => validate(app, `WRONG-${n}`)],
  ])('a key that was unknown at a %s counts for both (decision 118)', async (_, use) => {
    const app = await programOf(tradepost, seller, { rate_limits: { unknown_keys: 2 } })
    const { key } = await aKey(seller, { app_id: app.appId })
    expect(await statusesOf(3, (n) => use(app, n))).toEqual({ 200: 2, 429: 1 })
    expect((await validate(app, key)).status).toBe(429)
    expect((await app.call('POST', '/sessions', startOf(key))).status).toBe(429)
  })

  test('a new app has all five, and unknown_tokens can be changed alone (decision 118)', async () => {
    const { app } = await made(seller.post('/apps', { name: 'Budgets' }))
    const limits = { unknown_keys: 30, unknown_tokens: 120, session_starts: 120 }
    const others = { validations: 600, session_calls: 600 }
    expect(app.rate_limits).toEqual({ ...limits, ...others })
    const change = { rate_limits: { unknown_tokens: null } }
    const patched = (await made(seller.patch(`/apps/${app.id}`, change))).app
    expect(patched.rate_limits).toEqual({ ...limits, ...others, unknown_tokens: null })
  })
})

describe('a session', () => {
  test('has a separate limit, and another one at the same address continues (decision 118)', async () => {
    const app = await programOf(tradepost, seller, { rate_limits: { session_calls: 20 } })
    const [token, other] = [await sessionOf(app), await sessionOf(app)]
    expect(await statusesOf(25, () => settings(app, token))).toEqual({ 200: 20, 429: 5 })
    expect((await settings(app, other)).status).toBe(200)
  })
})

describe('the client', () => {
  const answerOf = async (fetch: Fetch, sent: Parameters<Fetch>, status: number) => {
    const answer = await fetch(...sent)
    return new Response(answer.body, { status, headers: answer.headers })
  }

  test('ignores a signed 429 and keeps its lease (decision 118)', async () => {
    const wire = await clientsOf(tradepost, seller, { rate_limits: { session_calls: 1 } })
    const client = wire.client()
    await client.start((await aKey(seller, { app_id: wire.app.id })).key)
    await client.heartbeat()
    await expect(client.heartbeat()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
    await expect(client.settings()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
  })

  test.each([429, 500, 502, 503])(
    'repeats a call after %i, which may be over (decision 118)',
    async (status) => {
      const wire = await clientsOf(tradepost, seller, {})
      const real = fetchFrom(tradepost)
      let failures = 0
      let calls = 0
      const client = wire.client({
        fetch: (...sent: Parameters<Fetch>) => {
          calls++
          return failures-- > 0 ? answerOf(real, sent, status) : real(...sent)
        },
      })
      await client.start((await aKey(seller, { app_id: wire.app.id })).key)
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
    const wire = await clientsOf(tradepost, seller, {})
    const { key, id } = await aKey(seller, { app_id: wire.app.id, max_sessions: 1 })
    const real = fetchFrom(tradepost)
    const client = wire.client({
      fetch: (...sent: Parameters<Fetch>) => answerOf(real, sent, 502),
    })
    await expect(client.start(key)).rejects.toThrow(UnknownError)
    expect((await made(seller.get(`/keys/${id}/sessions`))).sessions).toHaveLength(1)
  })
})
