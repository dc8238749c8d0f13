import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tradepost as Client, ClientOptions } from '../../sdk/client/index.ts'
import { keysNamed, product } from '../build.ts'
import { openUnlimited } from '../contract/prepared-calls.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'
import { type Fault, type FaultyProxy, openProxy } from './proxy.ts'

let tradepost: Tradepost
let url: string
let proxy: FaultyProxy
let client: Client

const connect = (options?: Partial<ClientOptions>) => clientOf(proxy.url, tradepost.live, options)

beforeAll(async () => {
  tradepost = await openUnlimited()
  url = await listen(tradepost)
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  proxy = await openProxy(url)
  client = connect()
})
afterEach(() => proxy.close())

const countRecords = async (path: string): Promise<number> =>
  (await tradepost.get(path)).json.pagination.total

const NEW_PRODUCT = { name: 'Game', price_cents: 1000, type: 'service' } as const
const REFUSED: Fault = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: '{"success":false,"code":"SERVICE_UNAVAILABLE","error":"Not now.","request_id":"req_1"}',
}
const LIMITED: Fault = {
  status: 429,
  headers: { 'retry-after': '0' },
  body: '{"success":false,"code":"RATE_LIMITED","error":"Too many calls.","request_id":"req_2"}',
}

describe('a POST', () => {
  const faults: Fault[] = [
    'request lost',
    'answer lost',
    'answer cut off',
    REFUSED,
    LIMITED,
    { status: 502, body: '<html>Bad Gateway</html>' },
  ]

  test.each(
    faults.map((fault) => [typeof fault === 'string' ? fault : fault.status, fault] as const),
  )('has its effect once if an attempt fails with "%s"', async (_, fault) => {
    const { id } = await product(tradepost, {}, { keys: keysNamed(crypto.randomUUID(), 2) })
    await tradepost.events()
    proxy.plan(fault)
    const { order } = await client.orders.create({
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: `${id}@example.com` },
      mark_paid: true,
    })
    expect(proxy.attempts).toHaveLength(2)
    const { json } = await tradepost.get(`/orders?product_id=${id}`)
    expect(json.orders).toMatchObject([{ id: order.id, status: 'completed' }])
    expect(order.deliveries).toMatchObject([{ keys: [expect.stringMatching(/-000001$/)] }])
    expect(await tradepost.events()).toEqual([
      'customer.created',
      'order.created',
      'order.completed',
    ])
  })

  test('has one idempotency key for all its attempts, and each call has a new one', async () => {
    const before = await countRecords('/products')
    proxy.plan('request lost', 'answer lost')
    await client.products.create(NEW_PRODUCT)
    await client.products.create(NEW_PRODUCT)
    const [first, second, third, keyOfNextCall] = proxy.attempts.map(
      (item) => item.headers['idempotency-key'],
    )
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect([second, third]).toEqual([first, first])
    expect(keyOfNextCall).not.toBe(first)
    expect(await countRecords('/products')).toBe(before + 2)
  })

  test('with an idempotency key of the caller has one effect, even from a second client', async () => {
    const { product: firstProduct } = await client.products.create(NEW_PRODUCT, {
      idempotencyKey: 'import-7',
    })
    const { product: secondProduct } = await connect().products.create(NEW_PRODUCT, {
      idempotencyKey: 'import-7',
    })
    expect(secondProduct.id).toBe(firstProduct.id)
  })

  test('is repeated while its first attempt is running on the server', async () => {
    const running = '{"success":false,"code":"IDEMPOTENCY_IN_PROGRESS","error":"Wait."}'
    proxy.plan({ status: 409, body: running, headers: { 'retry-after': '0' } })
    await expect(client.products.create(NEW_PRODUCT)).resolves.toMatchObject({
      product: { name: 'Game' },
    })
  })

  test('that fails has its idempotency key in the error, with which a later call has the effect once', async () => {
    const before = await countRecords('/products')
    proxy.plan('answer lost', 'request lost', 'request lost')
    const failure = await connect({ retries: 2 })
      .products.create(NEW_PRODUCT)
      .catch((error) => error)
    expect(failure).toMatchObject({ name: 'ConnectionError', code: 'NO_ANSWER', status: 0 })
    expect(proxy.attempts).toHaveLength(3)
    await client.products.create(NEW_PRODUCT, { idempotencyKey: failure.idempotencyKey })
    expect(await countRecords('/products')).toBe(before + 1)
  })

  test('has one effect for each answer, whatever attempts fail', async () => {
    const { id } = await product(tradepost, NEW_PRODUCT)
    const fault = fc.constantFrom<Fault>('request lost', 'answer lost', 'answer cut off', REFUSED)
    let created = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 2 }), async (faults) => {
        proxy.plan(...faults)
        await client.orders.create({
          items: [{ product_id: id, quantity: 1 }],
          customer: { email: 'ada@example.com' },
        })
        created++
        expect(await countRecords(`/orders?limit=1&product_id=${id}`)).toBe(created)
      }),
      { numRuns: 12 },
    )
  })
})

describe('attempts after a failure:', () => {
  test('a PATCH is not repeated if it may have had its effect', async () => {
    const { id } = await product(tradepost, NEW_PRODUCT)
    for (const fault of ['answer lost', 'answer cut off', REFUSED] as const) {
      proxy.plan(fault)
      const before = proxy.attempts.length
      await expect(client.products.update(id, { price_cents: 1 })).rejects.toThrow()
      expect(proxy.attempts).toHaveLength(before + 1)
    }
  })

  test('a DELETE is not repeated if it may have had its effect', async () => {
    const { webhook } = await client.webhooks.create({
      url: 'http://127.0.0.1:4199/hooks',
      events: ['*'],
    })
    proxy.plan('answer lost')
    await expect(client.webhooks.delete(webhook.id)).rejects.toMatchObject({ code: 'NO_ANSWER' })
    await expect(client.webhooks.delete(webhook.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a PATCH is repeated after a 429, which had no effect', async () => {
    const { id } = await product(tradepost, NEW_PRODUCT)
    proxy.plan(LIMITED, LIMITED)
    const { product: changedProduct } = await client.products.update(id, { price_cents: 2 })
    expect(changedProduct.price_cents).toBe(2)
    expect(proxy.attempts).toHaveLength(3)
  })

  test('a refused call is not repeated', async () => {
    await expect(client.products.create({ name: '', price_cents: 1 })).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      field: 'name',
      message: 'name: Write at least one character.',
      requestId: expect.stringMatching(/^req_/),
    })
    expect(proxy.attempts).toHaveLength(1)
  })

  test('a call with a Retry-After of a day is not repeated', async () => {
    const body =
      '{"success":false,"code":"STORE_API_MONTHLY_QUOTA_EXCEEDED","error":"No more calls."}'
    proxy.plan({ status: 429, headers: { 'retry-after': '86400' }, body })
    await expect(client.products.list()).rejects.toMatchObject({
      code: 'STORE_API_MONTHLY_QUOTA_EXCEEDED',
      retryAfter_s: 86_400,
    })
    expect(proxy.attempts).toHaveLength(1)
  })
})

describe('the timeout and the signal of a call:', () => {
  test('an attempt without an answer ends at its timeout, and the call is repeated', async () => {
    proxy.plan('silent')
    const { account } = await client.account.get({ timeout_ms: 3_000 })
    expect(account.store.id).toBe(tradepost.live.id)
    proxy.plan('silent')
    await expect(client.account.get({ timeout_ms: 300, retries: 0 })).rejects.toMatchObject({
      code: 'TIMED_OUT',
    })
  })

  test('a signal of the caller rejects the call with the reason of the signal', async () => {
    const reason = new Error('The page was left.')
    const controller = new AbortController()
    proxy.plan('silent')
    const call = client.account.get({ signal: controller.signal })
    const abortTimer = setInterval(() => proxy.attempts.length > 0 && controller.abort(reason), 5)
    await expect(call).rejects.toBe(reason)
    clearInterval(abortTimer)
    await expect(client.account.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(proxy.attempts).toHaveLength(1)
  })

  test('a signal of the caller also ends the wait before the next attempt', async () => {
    const reason = new Error('Enough.')
    const controller = new AbortController()
    proxy.plan({ status: 429, headers: { 'retry-after': '60' } })
    const call = client.account.get({ signal: controller.signal })
    const abortTimer = setInterval(() => proxy.attempts.length > 0 && controller.abort(reason), 5)
    await expect(call).rejects.toBe(reason)
    clearInterval(abortTimer)
  })
})

describe('the API key', () => {
  test('is not sent to the target of a redirect', async () => {
    const otherServer = await openProxy(proxy.url)
    const location = `${otherServer.url}/account`
    proxy.plan({ status: 307, headers: { location } })
    await expect(client.account.get()).rejects.toMatchObject({
      code: 'UNREADABLE_ANSWER',
      status: 307,
      message: expect.stringContaining(location),
    })
    expect(otherServer.attempts).toEqual([])
    await otherServer.close()
  })

  test('is not in the printed client', () => {
    expect(inspect(client, { depth: null })).not.toContain(tradepost.live.api_key)
    expect(Object.values(client.orders).map(String).join()).not.toContain(tradepost.live.api_key)
  })
})

test('an answer that is not from the API causes an UNREADABLE_ANSWER', async () => {
  for (const body of ['<html>Login</html>', '{"ok":true}', 'null', '']) {
    proxy.plan({ status: 200, body })
    await expect(client.account.get()).rejects.toMatchObject({
      code: 'UNREADABLE_ANSWER',
      status: 200,
    })
  }
})
