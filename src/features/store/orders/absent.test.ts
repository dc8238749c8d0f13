import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// An absent value is null in both directions, and never an empty text (decision 28).

let tradepost: Tradepost
let id: string

beforeAll(async () => {
  tradepost = await openTradepost()
  id = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

test('an order and its payment accept null for absent values', async () => {
  const absentFields = { shipping_address: null, ip: null, user_agent: null }
  const customer = { email: 'null@example.com', name: null, country: null }
  const newOrder = await order(tradepost, id, { ...absentFields, customer })
  expect(newOrder).toMatchObject({ ...absentFields, customer })
  const absentTexts = { reference: null, note: null, proof_text: null, proof_url: null }
  const review = { ...absentTexts, status: 'pending_review' }
  const path = `/orders/${newOrder.id}/manual-payments`
  const { payment } = (await tradepost.post(path, review)).json
  expect(payment).toMatchObject(absentTexts)
  await expectSuccess(tradepost.post(`${path}/${payment.id}/reject`, { note: 'Not seen.' }))
  const secondPayment = (await tradepost.post(path, { ...review, note: 'Check' })).json.payment
  const approvedPayment = (
    await tradepost.post(`${path}/${secondPayment.id}/approve`, { note: null })
  ).json.payment
  expect(approvedPayment).toMatchObject({ status: 'approved', note: null })
})

test.each<[string, (newOrder: Json) => Promise<Json>]>([
  ['note', (newOrder) => tradepost.patch(`/orders/${newOrder.id}`, { note: '' })],
  ['note', (newOrder) => tradepost.post(`/orders/${newOrder.id}/manual-payments`, { note: '' })],
  [
    'proof_text',
    (newOrder) => tradepost.post(`/orders/${newOrder.id}/manual-payments`, { proof_text: '' }),
  ],
  ['note', (newOrder) => tradepost.post(`/orders/${newOrder.id}/refund`, { note: '' })],
])('an empty %s is refused', async (field, send) => {
  const { status, json } = await send(await order(tradepost, id))
  expect([status, json.details?.field]).toEqual([422, field])
})

test('a refusal says what to write instead', async () => {
  const errorOf = async (fields: Json) => {
    const items = [{ product_id: id, quantity: 1 }]
    const customer = { email: 'ada@example.com' }
    return (await tradepost.post('/orders', { items, customer, ...fields })).json.error
  }
  expect(await errorOf({ ip: 'here' })).toBe('ip: Use an IPv4 or IPv6 address.')
  expect(await errorOf({ metadata: { ['k'.repeat(41)]: 'v' } })).toContain(
    'Write at most 40 characters.',
  )
  expect(await errorOf({ metadata: { k: 'v'.repeat(501) } })).toBe(
    'metadata.k: Write at most 500 characters.',
  )
  const errorOfFilter = async (query: string) =>
    (await tradepost.get(`/orders?${query}`)).json.error
  expect(await errorOfFilter('customer_id=x')).toBe(
    'customer_id: Use the id of a record, such as 42.',
  )
  expect(await errorOfFilter('product_id=x')).toBe(
    'product_id: Use the 12 characters of a product hash, or its numeric id.',
  )
})
