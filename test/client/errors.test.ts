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
import { openWalk } from '../contract/walk.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'
import { type FaultyLine, openProxy } from './proxy.ts'

let tradepost: Tradepost
let url: string
let client: Client
let proxy: FaultyLine

beforeAll(async () => {
  tradepost = await openWalk()
  url = await listen(tradepost)
  client = clientOf(url, tradepost.live)
  proxy = await openProxy(url)
})
afterAll(async () => {
  proxy.close()
  await tradepost.close()
})

const failureOf = (call: PromiseLike<unknown>): Promise<TradepostError> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (error) => error,
  )

describe('an error has the kind of its failure', () => {
  test('a wrong field is a ValidationError, which lists all problems', async () => {
    const error = await failureOf(client.products.create({ name: '', price_cents: -1 }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.operation).toBe('products.create')
    expect(error.details?.errors?.map(({ field }) => field)).toEqual(['name', 'price_cents'])
  })

  test('an unknown id is a NotFoundError', async () => {
    const error = await failureOf(client.orders.get('ord_0000000000000000000001'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ name: 'NotFoundError', operation: 'orders.get', status: 404 })
    expect(error.requestId).toMatch(/^req_/)
  })

  test('a lack of stock is a ConflictError with the rest', async () => {
    const { id } = await product(tradepost, { name: 'Empty' })
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'a@example.com' } }
    const error = await failureOf(client.orders.create(body))
    expect(error).toBeInstanceOf(ConflictError)
    expect(error.details).toMatchObject({ product_id: id, available: 0 })
  })

  test('a missing permission is a PermissionError that names it', async () => {
    const reader = clientOf(url, await tradepost.key({ permissions: ['products:read'] }))
    const error = await failureOf(reader.orders.list())
    expect(error).toBeInstanceOf(PermissionError)
    expect(error.details?.required).toBe('orders:read')
  })

  test('a wrong key is an AuthenticationError', async () => {
    const stranger = createClient({ url, apiKey: 'sk_live_no', storeHash: tradepost.live.id })
    expect(await failureOf(stranger.account.get())).toBeInstanceOf(AuthenticationError)
  })

  test('a limit is a RateLimitError, a failure of the server a ServerError', async () => {
    const limited = '{"success":false,"code":"RATE_LIMITED","error":"Too many."}'
    const broken = '{"success":false,"code":"INTERNAL_ERROR","error":"Oh."}'
    const impatient = clientOf(proxy.url, tradepost.live, { retries: 0 })
    proxy.plan(
      { status: 429, body: limited },
      { status: 500, body: broken },
      { status: 502, body: '<html>' },
    )
    expect(await failureOf(impatient.account.get())).toBeInstanceOf(RateLimitError)
    expect(await failureOf(impatient.account.get())).toBeInstanceOf(ServerError)
    expect(await failureOf(impatient.account.get())).toBeInstanceOf(ServerError)
  })

  test('no answer, and an answer of another server, are ConnectionErrors', async () => {
    const impatient = clientOf(proxy.url, tradepost.live, { retries: 0 })
    proxy.plan('lost on the way', 'silent', { status: 200, body: '<html>Sign in</html>' })
    const lost = await failureOf(impatient.account.get())
    const silent = await failureOf(impatient.account.get({ timeout_ms: 300 }))
    const other = await failureOf(impatient.account.get())
    for (const error of [lost, silent, other]) expect(error).toBeInstanceOf(ConnectionError)
    expect([lost, silent, other].map(({ code }) => code)).toEqual([
      'NO_ANSWER',
      'TIMED_OUT',
      'UNREADABLE_ANSWER',
    ])
  })

  test('every kind is a TradepostError and shows no key', async () => {
    const error = await failureOf(client.orders.get('ord_0000000000000000000001'))
    expect(error).toBeInstanceOf(TradepostError)
    expect(inspect(error, { depth: null })).not.toContain(tradepost.live.api_key)
  })
})

describe('raw()', () => {
  test('returns the answer with its status, headers and body, from one request', async () => {
    const before = proxy.seen.length
    const call = clientOf(proxy.url, tradepost.live).account.get()
    const { data, status, headers, text, requestId } = await call.raw()
    expect(data.account.store.id).toBe(tradepost.live.id)
    expect(status).toBe(200)
    expect(headers.get('x-request-id')).toBe(requestId)
    expect(JSON.parse(text)).toEqual({ success: true, ...data })
    expect(await call).toBe(data)
    expect(proxy.seen).toHaveLength(before + 1)
  })

  test('of a list returns its page', async () => {
    const { data, headers } = await client.products.list({ limit: 1 }).raw()
    expect(data.pagination.limit).toBe(1)
    expect(headers.get('content-type')).toMatch('application/json')
  })

  test('of a refused call throws, and no rejection is left over', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const call = client.orders.get('ord_0000000000000000000001')
    await expect(call.raw()).rejects.toBeInstanceOf(NotFoundError)
    await new Promise((done) => setImmediate(done))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('debug', () => {
  test('is called after each attempt, and never sees the key', async () => {
    const attempts: AttemptReport[] = []
    const watched = clientOf(proxy.url, tradepost.live, {
      debug: (attempt) => attempts.push(attempt),
    })
    const busy = '{"success":false,"code":"RATE_LIMITED","error":"Wait.","request_id":"req_1"}'
    proxy.plan({ status: 429, headers: { 'retry-after': '0' }, body: busy }, 'lost on the way')
    const { requestId } = await watched.products.list({ limit: 2 }).raw()
    const same = {
      operation: 'products.list',
      method: 'GET',
      url: `${proxy.url}/products?limit=2`,
      duration_ms: expect.any(Number),
    }
    expect(attempts).toEqual([
      { ...same, attempt: 1, status: 429, requestId: 'req_1', code: 'RATE_LIMITED' },
      { ...same, attempt: 2, status: 0, requestId: undefined, code: 'NO_ANSWER' },
      { ...same, attempt: 3, status: 200, requestId, code: undefined },
    ])
    expect(inspect(attempts, { depth: null })).not.toContain(tradepost.live.api_key)
  })

  test('may throw without an effect on the call', async () => {
    const broken = clientOf(url, tradepost.live, {
      debug() {
        throw new Error('The disk of the log is full.')
      },
    })
    await expect(broken.account.get()).resolves.toHaveProperty('account')
  })
})
