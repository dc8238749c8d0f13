import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../../test/receiver.ts'
import {
  openNextClocked,
  openStoreWithClock,
  type StoreWithClock,
} from '../../../../test/store-with-clock.ts'
import { until } from '../../../../test/until.ts'
import { verifySignature } from '../../../sender/signature.ts'
import { callAddressesJob } from './index.ts'

let store: StoreWithClock
let receiver: Receiver
let game: { id: string; variantId: number }
let secret: string

beforeAll(async () => {
  store = await openStoreWithClock()
  receiver = await openReceiver()
})
afterAll(async () => {
  await store.expectNoFindings()
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

const dynamicPath = () => `/products/${game.id}/variants/${game.variantId}/dynamic`
const setUrl = (url: string | null) => store.tradepost.put(dynamicPath(), { url }, store.as)
const createPaidOrder = (fields: Json = {}) =>
  order(store.tradepost, game.id, { mark_paid: true, ...fields }, store.as)
const callAddresses = async () => {
  await callAddressesJob.run(store.tradepost.app)
  await callAddressesJob.finish?.()
}
const post = (path: string, body: Json = {}) => store.tradepost.post(path, body, store.as)
const getDelivery = async (id: string) => (await store.getOrder(id)).deliveries[0]
const receivedBodies = () => receiver.received.map(({ body }) => JSON.parse(body))

test('a paid order is delivered with the text that the address returns', async () => {
  const { id, status, number } = await createPaidOrder()
  expect(status).toBe('paid')
  expect(receiver.received).toEqual([])
  await callAddresses()
  const after = await store.getOrder(id)
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
  await callAddresses()
  expect(receiver.received).toHaveLength(1)
})

test('a refused call is repeated twice with the same id, and the delivery then waits for the seller', async () => {
  receiver.answer((response) => response.writeHead(500).end('no'))
  const { id } = await createPaidOrder()
  await callAddresses()
  expect(await getDelivery(id)).toMatchObject({
    status: 'pending',
    attempts: 1,
    error: 'http_status: The receiver answered 500.',
  })
  await callAddresses()
  expect(receiver.received).toHaveLength(1)
  await store.advance('1h')
  expect(await getDelivery(id)).toMatchObject({ status: 'failed', attempts: 3 })
  expect(new Set(receivedBodies().map((body) => body.id)).size).toBe(1)
  expect(receiver.received.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
  ])
  expect((await store.getOrder(id)).status).toBe('paid')
  receiver.answer((response) => response.end('LATE'))
  const { items } = await store.getOrder(id)
  const newCall = await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id })
  expect([newCall.status, newCall.json.delivery.status]).toEqual([201, 'pending'])
  await callAddresses()
  expect(await store.getOrder(id)).toMatchObject({
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
])('an answer with %s delivers nothing', async (_, answer, error) => {
  receiver.answer(answer)
  const { id } = await createPaidOrder()
  await callAddresses()
  const delivery = await getDelivery(id)
  expect(delivery).toMatchObject({ status: 'pending', text: null })
  expect(delivery.error).toMatch(error)
})

test.each([
  ['compressed bytes', gzipSync('KEY')],
  ['a NUL', 'KEY\0-1'],
])('an answer of %s is not UTF-8 text, so the delivery stays pending', async (_, bytes) => {
  receiver.answer((response) => response.end(bytes))
  const { id, items } = await createPaidOrder()
  await callAddresses()
  const { status, text, error } = await getDelivery(id)
  expect([status, text]).toEqual(['pending', null])
  expect(error).toMatch(/^invalid_response: The answer is not UTF-8 text\. /)
  const delivery = { order_item_id: items[0].id, text: 'BY-SELLER' }
  await expectSuccess(post(`/orders/${id}/deliveries`, delivery))
})

test('a text of 64 KiB is delivered completely', async () => {
  const text = 'é'.repeat(32 * 1024)
  receiver.answer((response) => response.end(text))
  const { id } = await createPaidOrder()
  await callAddresses()
  expect((await getDelivery(id)).text).toBe(text)
})

test('a call whose worker crashed is repeated with the same id after its lease', async () => {
  const { id } = await createPaidOrder()
  // The answer arrives, and the database fails before the answer is recorded.
  receiver.answer((response) => {
    store.tradepost.failStatement(1)
    response.end('KEY-1')
  })
  await callAddresses()
  expect(await getDelivery(id)).toMatchObject({ status: 'pending', text: null })
  receiver.answer((response) => response.end('KEY-1'))
  await callAddresses()
  expect(receiver.received).toHaveLength(1)
  const { clock } = store.tradepost.app
  const now = clock.now()
  clock.now = () => now + 31_000
  await callAddresses()
  clock.now = () => now
  expect((await store.getOrder(id)).status).toBe('completed')
  const [first, ...others] = receivedBodies()
  expect(others.filter((body) => body.id === first.id)).toHaveLength(1)
})

test('an order that is refunded during a call is not delivered afterwards', async () => {
  const { id } = await createPaidOrder()
  let refund: Promise<number> | undefined
  receiver.answer((response) => {
    refund = post(`/orders/${id}/refund`).then(({ status }) => {
      response.end('KEY-1')
      return status
    })
  })
  await callAddresses()
  expect(await refund).toBe(201)
  expect(await store.getOrder(id)).toMatchObject({
    status: 'refunded',
    deliveries: [{ status: 'revoked', text: null }],
  })
})

test('a manual delivery by the seller ends the calls', async () => {
  receiver.answer((response) => response.writeHead(500).end())
  const { id, items } = await createPaidOrder()
  await callAddresses()
  const delivery = { order_item_id: items[0].id, text: 'By seller' }
  await expectSuccess(post(`/orders/${id}/deliveries`, delivery))
  await store.advance('1h')
  expect(receiver.received).toHaveLength(1)
  expect(await getDelivery(id)).toMatchObject({ status: 'delivered', text: 'By seller' })
})

test('a delivery of a variant without an address is pending, and the seller starts the call after setting an address', async () => {
  expect((await setUrl(null)).json.dynamic).toMatchObject({ url: null, secret: null })
  const { id, items } = await createPaidOrder()
  await callAddresses()
  expect(await getDelivery(id)).toMatchObject({ status: 'pending', attempts: 0 })
  const refusal = await post(`/orders/${id}/deliveries`, { order_item_id: items[0].id })
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'text'])
  await expectSuccess(setUrl(receiver.url))
  await expectSuccess(post(`/orders/${id}/deliveries`, { order_item_id: items[0].id }))
  await callAddresses()
  expect((await store.getOrder(id)).status).toBe('completed')
})

test('the secret is shown once, and a new address keeps the secret', async () => {
  expect(secret).toMatch(/^whsec_/)
  expect((await setUrl(`${receiver.url}2`)).json.dynamic.secret).toBeNull()
  const { json } = await store.tradepost.get(dynamicPath(), store.as)
  expect(json.dynamic).toMatchObject({ url: `${receiver.url}2` })
  expect(json.dynamic).not.toHaveProperty('secret')
})

test.each([
  ['an address of a private network', 'https://10.0.0.1/'],
  ['an http address', 'http://example.com/'],
  ['a text that is no address', 'keys'],
  ['a host that is no name', 'https://-/'],
])('%s is refused', async (_, url) => {
  const { status, json } = await setUrl(url)
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'url'])
})

test('a variant with another kind of delivery has no address', async () => {
  const { id, variantId } = await product(store.tradepost, { type: 'service' }, store.as)
  const servicePath = `/products/${id}/variants/${variantId}/dynamic`
  const answer = await store.tradepost.put(servicePath, { url: receiver.url }, store.as)
  expect([answer.status, answer.json.code]).toEqual([409, 'INVALID_STATE'])
})

test('a slow address delays no call of another store, and a store has five calls at a time', async () => {
  const releases: (() => void)[] = []
  receiver.answer((response) => void releases.push(() => response.end('KEY-1')))
  for (let n = 0; n < 6; n++) await createPaidOrder()
  const { app } = store.tradepost
  await callAddressesJob.run(app)
  await until(() => releases.length === 5)
  const other = await openNextClocked(store)
  const quick = await product(other.tradepost, { type: 'dynamic' }, other.as)
  const quickReceiver = await openReceiver()
  quickReceiver.answer((response) => response.end('KEY-2'))
  const path = `/products/${quick.id}/variants/${quick.variantId}/dynamic`
  await expectSuccess(other.tradepost.put(path, { url: quickReceiver.url }, other.as))
  const { id } = await order(other.tradepost, quick.id, { mark_paid: true }, other.as)
  await callAddressesJob.run(app)
  await until(async () => (await other.getOrder(id)).status === 'completed')
  expect(releases).toHaveLength(5)
  for (const release of releases) release()
  receiver.answer((response) => response.end('KEY-1'))
  await callAddresses()
  await callAddresses()
  expect(receiver.received).toHaveLength(6)
  await quickReceiver.close()
})

test('an order without dynamic lines runs no statement of its own for dynamic deliveries', async () => {
  const { id } = await product(store.tradepost, { type: 'service' }, store.as)
  await order(store.tradepost, id, { mark_paid: true }, store.as)
  const statements = await store.tradepost.statements(() =>
    order(store.tradepost, id, { mark_paid: true }, store.as),
  )
  const calls = statements.filter((text) => text.includes('dynamic_call'))
  expect(calls).toHaveLength(1)
  expect(calls[0]).toContain('insert into delivery')
})
