import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AttemptReport,
  AuthenticationError,
  type Tradepost as Client,
  ConflictError,
  ConnectionError,
  createClient,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TradepostError,
  ValidationError,
} from '../../sdk/client/index.ts'
import { product } from '../build.ts'
import { openUnlimited } from '../contract/prepared-calls.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let tradepost: Tradepost
let url: string
let client: Client
let proxy: FaultyProxy

beforeAll(async () => {
  tradepost = await openUnlimited()
  url = await listen(tradepost)
  client = clientOf(url, tradepost.live)
  proxy = await openProxy(url)
})
afterAll(async () => {
  await proxy.close()
  await tradepost.close()
})

const failureOf = (call: PromiseLike<unknown>): Promise<TradepostError> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (error) => error,
  )

describe('the class of an error tells its cause:', () => {
  test('an invalid field causes a ValidationError with all problems', async () => {
    const error = await failureOf(client.products.create({ name: '', price_cents: -1 }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.operation).toBe('products.create')
    expect(error.details?.errors?.map(({ field }) => field)).toEqual(['name', 'price_cents'])
  })

  test('an unknown id causes a NotFoundError', async () => {
    const error = await failureOf(client.orders.get('ord_0000000000000000000001'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ name: 'NotFoundError', operation: 'orders.get', status: 404 })
    expect(error.requestId).toMatch(/^req_/)
  })

  test('missing stock causes a ConflictError with the available quantity', async () => {
    const { id } = await product(tradepost, { name: 'Empty' })
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'a@example.com' } }
    const error = await failureOf(client.orders.create(body))
    expect(error).toBeInstanceOf(ConflictError)
    expect(error.details).toMatchObject({ product_id: id, available: 0 })
  })

  test('a missing permission causes a PermissionError with the permission', async () => {
    const reader = clientOf(url, await tradepost.key({ permissions: ['products:read'] }))
    const error = await failureOf(reader.orders.list())
    expect(error).toBeInstanceOf(PermissionError)
    expect(error.details?.required).toBe('orders:read')
  })

  test('an unknown key causes an AuthenticationError', async () => {
    const unknownCaller = createClient({ url, apiKey: 'sk_live_no', storeHash: tradepost.live.id })
    expect(await failureOf(unknownCaller.account.get())).toBeInstanceOf(AuthenticationError)
  })

  test('a 429 causes a RateLimitError, and a 5xx causes a ServerError', async () => {
    const limitedBody = '{"success":false,"code":"RATE_LIMITED","error":"Too many."}'
    const brokenBody = '{"success":false,"code":"INTERNAL_ERROR","error":"Oh."}'
    const clientWithoutRetries = clientOf(proxy.url, tradepost.live, { retries: 0 })
    proxy.plan(
      { status: 429, body: limitedBody },
      { status: 500, body: brokenBody },
      { status: 502, body: '<html>' },
    )
    expect(await failureOf(clientWithoutRetries.account.get())).toBeInstanceOf(RateLimitError)
    expect(await failureOf(clientWithoutRetries.account.get())).toBeInstanceOf(ServerError)
    expect(await failureOf(clientWithoutRetries.account.get())).toBeInstanceOf(ServerError)
  })

  test('a missing answer and the answer of another server cause a ConnectionError', async () => {
    const clientWithoutRetries = clientOf(proxy.url, tradepost.live, { retries: 0 })
    proxy.plan('request lost', 'silent', { status: 200, body: '<html>Sign in</html>' })
    const lostRequest = await failureOf(clientWithoutRetries.account.get())
    const timedOut = await failureOf(clientWithoutRetries.account.get({ timeout_ms: 300 }))
    const otherServer = await failureOf(clientWithoutRetries.account.get())
    for (const error of [lostRequest, timedOut, otherServer])
      expect(error).toBeInstanceOf(ConnectionError)
    expect([lostRequest, timedOut, otherServer].map(({ code }) => code)).toEqual([
      'NO_ANSWER',
      'TIMED_OUT',
      'UNREADABLE_ANSWER',
    ])
  })

  test('every error is a TradepostError, and does not contain the API key', async () => {
    const error = await failureOf(client.orders.get('ord_0000000000000000000001'))
    expect(error).toBeInstanceOf(TradepostError)
    expect(inspect(error, { depth: null })).not.toContain(tradepost.live.api_key)
  })
})

describe('raw()', () => {
  test('returns the answer with its status, headers and body, and sends no second request', async () => {
    const before = proxy.attempts.length
    const call = clientOf(proxy.url, tradepost.live).account.get()
    const { data, status, headers, text, requestId } = await call.raw()
    expect(data.account.store.id).toBe(tradepost.live.id)
    expect(status).toBe(200)
    expect(headers.get('x-request-id')).toBe(requestId)
    expect(JSON.parse(text)).toEqual({ success: true, ...data })
    expect(await call).toBe(data)
    expect(proxy.attempts).toHaveLength(before + 1)
  })

  test('of a list returns the first page', async () => {
    const { data, headers } = await client.products.list({ limit: 1 }).raw()
    expect(data.pagination.limit).toBe(1)
    expect(headers.get('content-type')).toMatch('application/json')
  })

  test('of a refused call throws, and causes no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const recordRejection = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', recordRejection)
    const call = client.orders.get('ord_0000000000000000000001')
    await expect(call.raw()).rejects.toBeInstanceOf(NotFoundError)
    await new Promise((done) => setImmediate(done))
    process.off('unhandledRejection', recordRejection)
    expect(unhandled).toEqual([])
  })
})

describe('the option debug', () => {
  test('is called after each attempt, without the API key', async () => {
    const attempts: AttemptReport[] = []
    const debuggedClient = clientOf(proxy.url, tradepost.live, {
      debug: (attempt) => attempts.push(attempt),
    })
    const limitedBody =
      '{"success":false,"code":"RATE_LIMITED","error":"Wait.","request_id":"req_1"}'
    proxy.plan({ status: 429, headers: { 'retry-after': '0' }, body: limitedBody }, 'request lost')
    const { requestId } = await debuggedClient.products.list({ limit: 2 }).raw()
    const commonFields = {
      operation: 'products.list',
      method: 'GET',
      url: `${proxy.url}/products?limit=2`,
      duration_ms: expect.any(Number),
    }
    expect(attempts).toEqual([
      { ...commonFields, attempt: 1, status: 429, requestId: 'req_1', code: 'RATE_LIMITED' },
      { ...commonFields, attempt: 2, status: 0, requestId: undefined, code: 'NO_ANSWER' },
      { ...commonFields, attempt: 3, status: 200, requestId, code: undefined },
    ])
    expect(inspect(attempts, { depth: null })).not.toContain(tradepost.live.api_key)
  })

  test('may throw without affecting the call', async () => {
    const clientWithFailingDebug = clientOf(url, tradepost.live, {
      debug() {
        throw new Error('The disk of the log is full.')
      },
    })
    await expect(clientWithFailingDebug.account.get()).resolves.toHaveProperty('account')
  })
})
