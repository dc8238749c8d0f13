import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../../test/receiver.ts'
import { verifySignature } from '../../../sender/signature.ts'
import { callAddressesJob } from './index.ts'

let store: Clocked
let receiver: Receiver
let game: { id: string; variantId: number }
let secret: string

beforeAll(async () => {
  store = await openClocked()
  receiver = await openReceiver()
})
afterAll(async () => {
  await store.isSound()
  await receiver.close()
  await store.tradepost.close()
})

beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer((response) => response.end('KEY-1'))
  game = await product(store.tradepost, { type: 'dynamic' }, store.as)
  const { json, status } = await setUrl(receiver.url)
  expect(status, JSON.stringify(json)).toBe(200)
  secret = json.dynamic.secret
  await store.tradepost.events()
})

const path = () => `/products/${game.id}/variants/${game.variantId}/dynamic`
const setUrl = (url: string | null) => store.tradepost.put(path(), { url }, store.as)
const buy = (fields: Json = {}) =>
  order(store.tradepost, game.id, { mark_paid: true, ...fields }, store.as)
const work = () => callAddressesJob.run(store.tradepost.app)
const post = (to: string, body: Json = {}) => store.tradepost.post(to, body, store.as)
const deliveryOf = async (id: string) => (await store.order(id)).deliveries[0]
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))

test('a paid order is delivered with the text that the address answers', async () => {
  const { id, status, number } = await buy()
  expect(status).toBe('paid')
  expect(receiver.received).toEqual([])
  await work()
  const after = await store.order(id)
  expect(after.status).toBe('completed')
  expect(after.deliveries[0]).toMatchObject({
    type: 'dynamic',
    status: 'delivered',
    text: 'KEY-1',
    error: null,
    attempts: 1,
  })
  expect(await store.tradepost.events()).toEqual([
    'customer.created',
    'order.created',
    'order.completed',
  ])
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
  expect(JSON.parse(body)).toMatchObject({
    id: `${id}-${after.deliveries[0].id}`,
    type: 'delivery.requested',
    livemode: false,
    order: { id, number, customer: { email: 'ada@example.com' } },
    item: { product_id: game.id, variant_id: game.variantId, quantity: 1 },
  })
  const signature = String(headers['service-signature'])
  const now_s = Math.floor(store.tradepost.app.clock.now() / 1_000)
  expect(verifySignature(secret, signature, Buffer.from(body), now_s)).toBe(true)
  await work()
  expect(receiver.received).toHaveLength(1)
})

test('a refusal is tried three times with the same id, and then waits for the seller', async () => {
  receiver.answer((response) => response.writeHead(500).end('no'))
  const { id } = await buy()
  await work()
  expect(await deliveryOf(id)).toMatchObject({
    status: 'pending',
    attempts: 1,
    error: 'http_status: The receiver answered 500.',
  })
  await work()
  expect(receiver.received).toHaveLength(1)
  await store.advance('1h')
  expect(await deliveryOf(id)).toMatchObject({ status: 'failed', attempts: 3 })
  expect(new Set(bodies().map((body) => body.id)).size).toBe(1)
  expect(receiver.received.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
  ])
  expect((await store.order(id)).status).toBe('paid')
  receiver.answer((response) => response.end('LATE'))
  const { items } = await store.order(id)
  const again = await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id })
  expect([again.status, again.json.delivery.status]).toEqual([201, 'pending'])
  await work()
  expect(await store.order(id)).toMatchObject({
    status: 'completed',
    deliveries: [{ status: 'delivered', text: 'LATE', error: null }],
  })
})

test.each<[string, Parameters<Receiver['answer']>[0], RegExp]>([
  ['no text', (response) => response.end(), /^invalid_response: The answer has no text/],
  [
    'more than 64 KiB',
    (response) => response.end('x'.repeat(64 * 1024 + 1)),
    /^invalid_response: The answer is longer than 65536 bytes\.$/,
  ],
  [
    'a text that breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('KEY')
      setImmediate(() => response.destroy())
    },
    /^connection_reset: /,
  ],
  [
    'a redirect',
    (response) => response.writeHead(302, { location: '/' }).end('x'),
    /redirects are not followed/,
  ],
])('an answer with %s is no delivery', async (_, answer, error) => {
  receiver.answer(answer)
  const { id } = await buy()
  await work()
  const delivery = await deliveryOf(id)
  expect(delivery).toMatchObject({ status: 'pending', text: null })
  expect(delivery.error).toMatch(error)
})

test.each([
  ['compressed bytes', gzipSync('KEY')],
  ['a NUL', 'KEY\0-1'],
])('an answer of %s is no text, so nothing changed is delivered', async (_, bytes) => {
  receiver.answer((response) => response.end(bytes))
  const { id, items } = await buy()
  await work()
  const { status, text, error } = await deliveryOf(id)
  expect([status, text]).toEqual(['pending', null])
  expect(error).toMatch(/^invalid_response: The answer is not UTF-8 text\. /)
  await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id, text: 'BY-SELLER' })
})

test('a text of 64 KiB is delivered whole', async () => {
  const text = 'é'.repeat(32 * 1024)
  receiver.answer((response) => response.end(text))
  const { id } = await buy()
  await work()
  expect((await deliveryOf(id)).text).toBe(text)
})

test('a call whose worker died is made again with the same id, once its lease is over', async () => {
  const { id } = await buy()
  // The answer arrives, and the database fails before it is recorded.
  receiver.answer((response) => {
    store.tradepost.failStatement(1)
    response.end('KEY-1')
  })
  await work()
  expect(await deliveryOf(id)).toMatchObject({ status: 'pending', text: null })
  receiver.answer((response) => response.end('KEY-1'))
  await work()
  expect(receiver.received).toHaveLength(1)
  const { clock } = store.tradepost.app
  const now = clock.now()
  clock.now = () => now + 31_000
  await work()
  clock.now = () => now
  expect((await store.order(id)).status).toBe('completed')
  const [first, ...others] = bodies()
  expect(others.filter((body) => body.id === first.id)).toHaveLength(1)
})

test('an order that is refunded while the address answers stays refunded', async () => {
  const { id } = await buy()
  let refunded: Promise<unknown> | undefined
  receiver.answer((response) => {
    refunded = post(`/orders/${id}/refund`).then(() => response.end('KEY-1'))
  })
  await work()
  await refunded
  expect(await store.order(id)).toMatchObject({
    status: 'refunded',
    deliveries: [{ status: 'revoked', text: null }],
  })
})

test('a text of the seller ends the calls', async () => {
  receiver.answer((response) => response.writeHead(500).end())
  const { id, items } = await buy()
  await work()
  await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id, text: 'By hand' })
  await store.advance('1h')
  expect(receiver.received).toHaveLength(1)
  expect(await deliveryOf(id)).toMatchObject({ status: 'delivered', text: 'By hand' })
})

test('without an address the delivery waits for the seller, who may call again once there is one', async () => {
  expect((await setUrl(null)).json.dynamic).toMatchObject({ url: null, secret: null })
  const { id, items } = await buy()
  await work()
  expect(await deliveryOf(id)).toMatchObject({ status: 'pending', attempts: 0 })
  const refused = await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id })
  expect([refused.status, refused.json.details.field]).toEqual([422, 'text'])
  await setUrl(receiver.url)
  await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id })
  await work()
  expect((await store.order(id)).status).toBe('completed')
})

test('the secret is shown once, and a new address keeps it', async () => {
  expect(secret).toMatch(/^whsec_/)
  expect((await setUrl(`${receiver.url}2`)).json.dynamic.secret).toBeNull()
  const { json } = await store.tradepost.get(path(), store.as)
  expect(json.dynamic).toMatchObject({ url: `${receiver.url}2` })
  expect(json.dynamic).not.toHaveProperty('secret')
})

test.each([
  ['an address of the machine’s network', 'https://10.0.0.1/', 422, 'VALIDATION_FAILED'],
  ['http', 'http://example.com/', 422, 'VALIDATION_FAILED'],
  ['no address', 'keys', 422, 'VALIDATION_FAILED'],
])('%s is refused', async (_, url, status, code) => {
  const answer = await setUrl(url)
  expect([answer.status, answer.json.code, answer.json.details.field]).toEqual([
    status,
    code,
    'url',
  ])
})

test('a variant that is delivered otherwise has no address', async () => {
  const { id, variantId } = await product(store.tradepost, { type: 'service' }, store.as)
  const other = `/products/${id}/variants/${variantId}/dynamic`
  const answer = await store.tradepost.put(other, { url: receiver.url }, store.as)
  expect([answer.status, answer.json.code]).toEqual([409, 'INVALID_STATE'])
})

test('an order without dynamic lines costs no further statement', async () => {
  const { id } = await product(store.tradepost, { type: 'service' }, store.as)
  await order(store.tradepost, id, { mark_paid: true }, store.as)
  const sent = await store.tradepost.statements(() =>
    order(store.tradepost, id, { mark_paid: true }, store.as),
  )
  const calls = sent.filter((text) => text.includes('dynamic_call'))
  expect(calls).toHaveLength(1)
  expect(calls[0]).toContain('insert into delivery')
})
