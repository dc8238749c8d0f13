import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { simulate, startedOrder } from '../../../../test/provider-payments.ts'
import { storeContextOf } from '../../../app.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { selectStore } from '../../installation/index.ts'
import { signedCallback } from '../payment-providers/index.ts'
import { applyCallbacksJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const asTest = () => ({ as: tradepost.test })

interface Sent {
  /** The body that is sent, if it is not the signed one. */
  body?: string | Buffer
  /** A header that is undefined is not sent. */
  headers?: Record<string, string | undefined>
  provider?: string
  hash?: string
  address?: string
}

/** Sends a callback that the provider has signed, changed by `sent`. */
async function send(content: Json, sent: Sent = {}) {
  const hash = tradepost.test.id
  const store = await selectStore(tradepost.db, hash)
  if (!store) throw new Error('There is no test side.')
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const signed = signedCallback(storeContextOf(tradepost.app, store), text)
  const headers = { 'content-type': 'application/json', ...signed.headers, ...sent.headers }
  const response = await tradepost.server.inject({
    method: 'POST',
    url: `/callbacks/${sent.provider ?? 'test'}/${sent.hash ?? hash}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    payload: sent.body ?? signed.body,
    remoteAddress: sent.address ?? '192.0.2.1',
  })
  return { status: response.statusCode, json: response.json() as Json, headers: response.headers }
}

let eventCount = 0
const eventOf = (payment: Json, fields: Json = {}): Json => ({
  id: `tev_${++eventCount}`,
  type: 'payment.paid',
  data: { store: tradepost.test.id, payment: payment.id },
  ...fields,
})

const callbacks = async (query = ''): Promise<Json[]> =>
  (await tradepost.get(`/account/payment-callbacks${query}`, asTest())).json.payment_callbacks
const orderOf = async ({ order_id }: Json): Promise<Json> =>
  (await tradepost.get(`/orders/${order_id}`, asTest())).json.order

/** Starts a payment, and has it paid at the provider without a callback. */
async function silentlyPaid(): Promise<Json> {
  const { payment } = await startedOrder(tradepost)
  await simulate(tradepost, payment, { do: 'pay', callback: 'never' })
  await tradepost.events()
  return payment
}

describe('a callback', () => {
  test('is stored and answered, and applied afterwards', async () => {
    const payment = await silentlyPaid()
    const event = eventOf(payment)
    const { status, json } = await send(event)
    expect([status, json]).toEqual([200, { received: true }])
    expect(await callbacks()).toMatchObject([
      { external_id: event.id, type: 'payment.paid', status: 'received', order_id: null },
    ])
    await applyCallbacksJob.run(tradepost.app)
    expect(await orderOf(payment)).toMatchObject({ status: 'paid', paid_cents: 1000 })
    expect(await callbacks(`?order_id=${payment.order_id}`)).toMatchObject([
      { external_id: event.id, status: 'applied', payment_id: payment.id, attempts: 1 },
    ])
    const { json: listed } = await tradepost.get('/account/payment-providers', asTest())
    expect(listed.payment_providers).toContainEqual(
      expect.objectContaining({ provider: 'test', last_callback_at: expect.any(String) }),
    )
  })

  test('that comes again is stored once', async () => {
    const payment = await silentlyPaid()
    const event = eventOf(payment)
    for (let n = 0; n < 3; n += 1) expect((await send(event)).status).toBe(200)
    await applyCallbacksJob.run(tradepost.app)
    expect((await send(event)).status).toBe(200)
    expect(await callbacks(`?order_id=${payment.order_id}`)).toMatchObject([
      { status: 'applied', attempts: 1 },
    ])
  })

  test.each([
    ['no JSON', 'paid'],
    ['no object', '[]'],
    ['other fields', '{"id": "tev_1"}'],
    ['nothing', ''],
  ])('that is signed and contains %s is refused like one that is not signed', async (_, text) => {
    const { status, json } = await send(text as unknown as Json)
    expect([status, json.code]).toEqual([400, 'CALLBACK_REJECTED'])
  })

  test.each([
    [undefined],
    [''],
    ['json'],
    ['text/plain; charset=latin1'],
    ['application/octet-stream'],
    ['multipart/form-data; boundary=x'],
    ['application/x-www-form-urlencoded'],
    ['a/b/c; ='],
  ])('is read whichever content type it has: %s', async (type) => {
    const payment = await silentlyPaid()
    const headers = { 'content-type': type }
    const { status, json } = await send(eventOf(payment), { headers })
    expect([status, json]).toEqual([200, { received: true }])
    const forged = { 'content-type': type, 'service-signature': 't=1,v1=00' }
    const refused = await send(eventOf(payment), { headers: forged })
    expect([refused.status, refused.json.code]).toEqual([400, 'CALLBACK_REJECTED'])
  })

  test('that comes 50 times at once, in 50 events, completes the order once', async () => {
    const payment = await silentlyPaid()
    await Promise.all(Array.from({ length: 50 }, () => send(eventOf(payment))))
    await Promise.all(Array.from({ length: 5 }, () => applyCallbacksJob.run(tradepost.app)))
    expect(await orderOf(payment)).toMatchObject({ status: 'paid', paid_cents: 1000 })
    expect(await callbacks('?status=received')).toEqual([])
  })

  test('is not believed: without money at the provider the order stays unpaid', async () => {
    const { payment } = await startedOrder(tradepost)
    await send(eventOf(payment))
    await applyCallbacksJob.run(tradepost.app)
    expect(await orderOf(payment)).toMatchObject({ status: 'pending', paid_cents: 0 })
  })

  test('about something else is answered with 200 and ignored', async () => {
    const event = eventOf({ id: 1 }, { data: { store: 'AnotherStore', payment: 1 } })
    expect((await send(event)).status).toBe(200)
    await applyCallbacksJob.run(tradepost.app)
    const [newest] = await callbacks()
    expect(newest).toMatchObject({ external_id: event.id, status: 'ignored', payment_id: null })
  })

  test('about an unknown payment of this store is tried for a day', async () => {
    tradepost.stopClock()
    const event = eventOf({ id: 999_999 })
    await send(event)
    await applyCallbacksJob.run(tradepost.app)
    const newest = async () => (await callbacks())[0]
    expect(await newest()).toMatchObject({
      external_id: event.id,
      status: 'received',
      attempts: 1,
      error: 'The provider names this store, but no payment of it.',
    })
    tradepost.forward(61 * SECOND_MS)
    await applyCallbacksJob.run(tradepost.app)
    expect(await newest()).toMatchObject({ status: 'received', attempts: 2 })
    tradepost.forward(DAY_MS)
    await applyCallbacksJob.run(tradepost.app)
    expect(await newest()).toMatchObject({ status: 'failed', attempts: 3 })
  })

  test('is applied again on request', async () => {
    const { payment } = await startedOrder(tradepost)
    await send(eventOf(payment))
    await applyCallbacksJob.run(tradepost.app)
    await simulate(tradepost, payment, { do: 'pay', callback: 'never' })
    const [callback] = await callbacks(`?order_id=${payment.order_id}`)
    const path = `/account/payment-callbacks/${callback.id}/apply`
    const { status, json } = await tradepost.post(path, undefined, asTest())
    expect(status).toBe(200)
    expect(json.payment_callback).toMatchObject({ status: 'applied', attempts: 2 })
    expect((await orderOf(payment)).status).toBe('paid')
    const unknown = '/account/payment-callbacks/999999/apply'
    expect((await tradepost.post(unknown, undefined, asTest())).status).toBe(404)
  })

  test('is listed by provider, status and page', async () => {
    const all = await callbacks('?limit=100')
    expect(await callbacks('?provider=test&limit=100')).toEqual(all)
    expect(await callbacks('?provider=stripe')).toEqual([])
    const { json } = await tradepost.get('/account/payment-callbacks?limit=1', asTest())
    expect(json.payment_callbacks).toEqual([all[0]])
    const next = `?limit=1&cursor=${json.next_cursor}`
    expect(await callbacks(next)).toEqual([all[1]])
  })

  test('of the live side is not seen by the test side, and the reverse', async () => {
    const { json } = await tradepost.get('/account/payment-callbacks')
    expect(json).toMatchObject({ payment_callbacks: [], next_cursor: null })
  })
})

describe('a callback is refused', () => {
  test.each<[string, Sent]>([
    ['without a signature', { headers: { 'service-signature': '' } }],
    ['with a malformed signature', { headers: { 'service-signature': 't=1,v1=zz' } }],
    ['with another body', { body: '{"id":"tev_1"}' }],
    ['without a body', { body: '' }],
  ])('%s', async (_case, sent) => {
    const { payment } = await startedOrder(tradepost)
    const { status, json } = await send(eventOf(payment), sent)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      code: 'CALLBACK_REJECTED',
      error: 'The signature of this callback is missing or not valid.',
    })
  })

  test('with one changed byte', async () => {
    const { payment } = await startedOrder(tradepost)
    const event = eventOf(payment)
    const body = JSON.stringify(event).replace('payment.paid', 'payment.Paid')
    expect((await send(event, { body })).status).toBe(400)
  })

  test('with a signature that is older than 300 s', async () => {
    const { payment } = await startedOrder(tradepost)
    const store = await selectStore(tradepost.db, tradepost.test.id)
    if (!store) throw new Error('There is no test side.')
    const event = JSON.stringify(eventOf(payment))
    const { headers } = signedCallback(storeContextOf(tradepost.app, store), event)
    tradepost.forward(301 * SECOND_MS)
    const old = await send(event, { headers: headers as Record<string, string> })
    expect([old.status, old.json.code]).toEqual([400, 'CALLBACK_REJECTED'])
  })

  test('for an unknown store, a malformed one, an unknown provider, and one that is not connected', async () => {
    const { payment } = await startedOrder(tradepost)
    for (const sent of [
      { hash: 'AAAAAAAAAAAA' },
      { hash: 'x' },
      { provider: 'stripe' },
      { hash: tradepost.live.id },
    ]) {
      const { status, json } = await send(eventOf(payment), sent)
      expect([sent, status, json.code]).toEqual([sent, 404, 'NOT_FOUND'])
    }
  })

  test('above 256 KiB', async () => {
    const { status, json } = await send({ id: 'x'.repeat(257 * 1024) })
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('after 600 refused ones of an address in a minute, without a statement', async () => {
    const forged = { headers: { 'service-signature': 't=1,v1=00' }, address: '198.51.100.7' }
    for (let n = 0; n < 600; n += 1) expect((await send('{}', forged)).status).toBe(400)
    const statements = await tradepost.statements(async () => {
      const { status, headers } = await send('{}', forged)
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    })
    // One statement is that of the test itself, which reads the store to sign.
    expect(statements).toHaveLength(1)
    expect((await send('{}', { ...forged, address: '198.51.100.8' })).status).toBe(400)
    tradepost.forward(MINUTE_MS)
    expect((await send('{}', forged)).status).toBe(400)
  })

  test('after 600 refused ones that are too large or no JSON', async () => {
    const large = { address: '198.51.100.20', body: 'x'.repeat(257 * 1024) }
    for (let n = 0; n < 600; n += 1) expect((await send('{}', large)).status).toBe(413)
    expect((await send('{}', large)).status).toBe(429)
  })

  test('after 600 to a store without the provider, which do not count for other stores', async () => {
    const unconnected = { hash: tradepost.live.id, address: '198.51.100.30' }
    for (let n = 0; n < 600; n += 1) expect((await send('{}', unconnected)).status).toBe(404)
    expect((await send('{}', unconnected)).status).toBe(429)
    const payment = await silentlyPaid()
    expect((await send(eventOf(payment), { address: unconnected.address })).status).toBe(200)
  })

  test('after 600 to unknown stores, without a statement', async () => {
    const address = '198.51.100.31'
    for (let n = 0; n < 600; n += 1) {
      const hash = n % 2 === 0 ? 'x' : `A${String(n).padStart(11, '0')}`
      expect((await send('{}', { hash, address })).status).toBe(404)
    }
    const statements = await tradepost.statements(async () => {
      expect((await send('{}', { hash: 'A00000000999', address })).status).toBe(429)
      expect((await send('{}', { address })).status).toBe(429)
    })
    // Two statements are those of the test itself, which reads the store to sign.
    expect(statements).toHaveLength(2)
  })

  test('with a valid signature and no form of the provider, as a bug of ours', async () => {
    const { status } = await send('{"id":1}')
    expect(status).toBe(400)
  })
})
