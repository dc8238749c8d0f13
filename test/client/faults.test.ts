import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tradepost as Client, ClientOptions } from '../../sdk/client/index.ts'
import { keysNamed, product } from '../build.ts'
import { openWalk } from '../contract/walk.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'
import { type Fault, type FaultyLine, openProxy } from './proxy.ts'

let tradepost: Tradepost
let url: string
let proxy: FaultyLine
let client: Client

const connect = (options?: Partial<ClientOptions>) => clientOf(proxy.url, tradepost.live, options)

beforeAll(async () => {
  tradepost = await openWalk()
  url = await listen(tradepost)
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  proxy = await openProxy(url)
  client = connect()
})
afterEach(() => proxy.close())

const countOf = async (path: string): Promise<number> =>
  (await tradepost.get(path)).json.pagination.total

const NEW = { name: 'Game', price_cents: 1000, type: 'service' } as const
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
    'lost on the way',
    'lost on the way back',
    'cut',
    REFUSED,
    LIMITED,
    { status: 502, body: '<html>Bad Gateway</html>' },
  ]

  test.each(
    faults.map((fault) => [typeof fault === 'string' ? fault : fault.status, fault] as const),
  )('has its effect once though an attempt is spoilt: %s', async (_, fault) => {
    const { id } = await product(tradepost, {}, { keys: keysNamed(crypto.randomUUID(), 2) })
    await tradepost.events()
    proxy.plan(fault)
    const { order } = await client.orders.create({
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: `${id}@example.com` },
      mark_paid: true,
    })
    expect(proxy.seen).toHaveLength(2)
    const { json } = await tradepost.get(`/orders?product_id=${id}`)
    expect(json.orders).toMatchObject([{ id: order.id, status: 'completed' }])
    expect(order.deliveries).toMatchObject([{ keys: [expect.stringMatching(/-000001$/)] }])
    expect(await tradepost.events()).toEqual([
      'customer.created',
      'order.created',
      'order.completed',
    ])
  })

  test('has one key for all its attempts, and a new key in each call', async () => {
    const before = await countOf('/products')
    proxy.plan('lost on the way', 'lost on the way back')
    await client.products.create(NEW)
    await client.products.create(NEW)
    const [first, second, third, other] = proxy.seen.map((item) => item.headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
    expect(await countOf('/products')).toBe(before + 2)
  })

  test('with a key of the caller is recognised by a second client', async () => {
    const { product: one } = await client.products.create(NEW, { idempotencyKey: 'import-7' })
    const { product: same } = await connect().products.create(NEW, { idempotencyKey: 'import-7' })
    expect(same.id).toBe(one.id)
  })

  test('waits for its own first attempt if that is still running', async () => {
    const running = '{"success":false,"code":"IDEMPOTENCY_IN_PROGRESS","error":"Wait."}'
    proxy.plan({ status: 409, body: running, headers: { 'retry-after': '0' } })
    await expect(client.products.create(NEW)).resolves.toMatchObject({ product: { name: 'Game' } })
  })

  test('that never gets through fails with its key, which makes the effect once later', async () => {
    const before = await countOf('/products')
    proxy.plan('lost on the way back', 'lost on the way', 'lost on the way')
    const failure = await connect({ retries: 2 })
      .products.create(NEW)
      .catch((error) => error)
    expect(failure).toMatchObject({ name: 'ConnectionError', code: 'NO_ANSWER', status: 0 })
    expect(proxy.seen).toHaveLength(3)
    await client.products.create(NEW, { idempotencyKey: failure.idempotencyKey })
    expect(await countOf('/products')).toBe(before + 1)
  })

  test('whatever happens on the way, has as many effects as it has answers', async () => {
    const { id } = await product(tradepost, NEW)
    const spoilt = fc.constantFrom<Fault>('lost on the way', 'lost on the way back', 'cut', REFUSED)
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.array(spoilt, { maxLength: 2 }), async (some) => {
        proxy.plan(...some)
        await client.orders.create({
          items: [{ product_id: id, quantity: 1 }],
          customer: { email: 'ada@example.com' },
        })
        made++
        expect(await countOf(`/orders?limit=1&product_id=${id}`)).toBe(made)
      }),
      { numRuns: 12 },
    )
  })
})

describe('a call that is not repeatable', () => {
  test('a PATCH is not repeated where it is open whether it took effect', async () => {
    const { id } = await product(tradepost, NEW)
    for (const fault of ['lost on the way back', 'cut', REFUSED] as const) {
      proxy.plan(fault)
      const before = proxy.seen.length
      await expect(client.products.update(id, { price_cents: 1 })).rejects.toThrow()
      expect(proxy.seen).toHaveLength(before + 1)
    }
  })

  test('a DELETE is not either, so its own success is never a NOT_FOUND', async () => {
    const { webhook } = await client.webhooks.create({
      url: 'http://127.0.0.1:4199/hooks',
      events: ['*'],
    })
    proxy.plan('lost on the way back')
    await expect(client.webhooks.delete(webhook.id)).rejects.toMatchObject({ code: 'NO_ANSWER' })
    await expect(client.webhooks.delete(webhook.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('both are repeated after a 429, which did nothing', async () => {
    const { id } = await product(tradepost, NEW)
    proxy.plan(LIMITED, LIMITED)
    const { product: changed } = await client.products.update(id, { price_cents: 2 })
    expect(changed.price_cents).toBe(2)
    expect(proxy.seen).toHaveLength(3)
  })

  test('a refusal is an answer, and final', async () => {
    await expect(client.products.create({ name: '', price_cents: 1 })).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      field: 'name',
      message: 'name: Write at least one character.',
      requestId: expect.stringMatching(/^req_/),
    })
    expect(proxy.seen).toHaveLength(1)
  })

  test('a Retry-After of a month is thrown to the caller', async () => {
    const body =
      '{"success":false,"code":"STORE_API_MONTHLY_QUOTA_EXCEEDED","error":"No more calls."}'
    proxy.plan({ status: 429, headers: { 'retry-after': '86400' }, body })
    await expect(client.products.list()).rejects.toMatchObject({
      code: 'STORE_API_MONTHLY_QUOTA_EXCEEDED',
      retryAfter_s: 86_400,
    })
    expect(proxy.seen).toHaveLength(1)
  })
})

describe('ending a call', () => {
  test('an attempt without an answer is aborted at its timeout and repeated', async () => {
    proxy.plan('silent')
    const { account } = await client.account.get({ timeout_ms: 1_500 })
    expect(account.store.id).toBe(tradepost.live.id)
    proxy.plan('silent')
    await expect(client.account.get({ timeout_ms: 1_500, retries: 0 })).rejects.toMatchObject({
      code: 'TIMED_OUT',
    })
  })

  test("the caller's signal ends it with the caller's reason", async () => {
    const reason = new Error('The page was left.')
    const controller = new AbortController()
    proxy.plan('silent')
    const call = client.account.get({ signal: controller.signal })
    const waiting = setInterval(() => proxy.seen.length > 0 && controller.abort(reason), 5)
    await expect(call).rejects.toBe(reason)
    clearInterval(waiting)
    await expect(client.account.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(proxy.seen).toHaveLength(1)
  })

  test('also works during the wait before the next attempt', async () => {
    const reason = new Error('Enough.')
    const controller = new AbortController()
    proxy.plan({ status: 429, headers: { 'retry-after': '60' } })
    const call = client.account.get({ signal: controller.signal })
    const waiting = setInterval(() => proxy.seen.length > 0 && controller.abort(reason), 5)
    await expect(call).rejects.toBe(reason)
    clearInterval(waiting)
  })
})

describe('the API key', () => {
  test('is not sent to the target of a redirect', async () => {
    const elsewhere = await openProxy(proxy.url)
    const location = `${elsewhere.url}/account`
    proxy.plan({ status: 307, headers: { location } })
    await expect(client.account.get()).rejects.toMatchObject({
      code: 'UNREADABLE_ANSWER',
      status: 307,
      message: expect.stringContaining(location),
    })
    expect(elsewhere.seen).toEqual([])
    elsewhere.close()
  })

  test('is not seen in the client when it is printed', () => {
    expect(JSON.stringify(client)).not.toContain(tradepost.live.api_key)
    expect(Object.values(client.orders).map(String).join()).not.toContain(tradepost.live.api_key)
  })
})

test('an answer that is not from the API is an error that says so', async () => {
  for (const body of ['<html>Login</html>', '{"ok":true}', 'null', '']) {
    proxy.plan({ status: 200, body })
    await expect(client.account.get()).rejects.toMatchObject({
      code: 'UNREADABLE_ANSWER',
      status: 200,
    })
  }
})
