import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'

// What is not there is null in both directions, and never an empty text (decision 28).

let shop: Tradepost
let id: string

beforeAll(async () => {
  shop = await openTradepost()
  id = (await product(shop, { type: 'service' })).id
})
afterAll(() => shop.close())

test('an order and its payment take null for what there is not', async () => {
  const none = { shipping_address: null, ip: null, user_agent: null }
  const customer = { email: 'null@example.com', name: null, country: null }
  const made = await order(shop, id, { ...none, customer })
  expect(made).toMatchObject({ ...none, customer })
  const absent = { reference: null, note: null, proof_text: null, proof_url: null }
  const review = { ...absent, status: 'pending_review' }
  const path = `/orders/${made.id}/manual-payments`
  const { payment } = (await shop.post(path, review)).json
  expect(payment).toMatchObject(absent)
  await shop.post(`${path}/${payment.id}/reject`, { note: 'Not seen.' })
  const later = (await shop.post(path, { ...review, note: 'Check' })).json.payment
  const kept = (await shop.post(`${path}/${later.id}/approve`, { note: null })).json.payment
  expect(kept).toMatchObject({ status: 'approved', note: null })
})

test.each<[string, (made: Json) => Promise<Json>]>([
  ['note', (made) => shop.patch(`/orders/${made.id}`, { note: '' })],
  ['note', (made) => shop.post(`/orders/${made.id}/manual-payments`, { note: '' })],
  ['proof_text', (made) => shop.post(`/orders/${made.id}/manual-payments`, { proof_text: '' })],
  ['note', (made) => shop.post(`/orders/${made.id}/refund`, { note: '' })],
])('an empty %s is refused', async (field, send) => {
  const { status, json } = await send(await order(shop, id))
  expect([status, json.details?.field]).toEqual([422, field])
})

test('a refusal says what to write instead', async () => {
  const said = async (fields: Json) => {
    const items = [{ product_id: id, quantity: 1 }]
    const customer = { email: 'ada@example.com' }
    return (await shop.post('/orders', { items, customer, ...fields })).json.error
  }
  expect(await said({ ip: 'here' })).toBe('Use an IPv4 or IPv6 address.')
  expect(await said({ metadata: { ['k'.repeat(41)]: 'v' } })).toContain(
    'Write at most 40 characters.',
  )
  expect(await said({ metadata: { k: 'v'.repeat(501) } })).toBe('Write at most 500 characters.')
  const filter = async (query: string) => (await shop.get(`/orders?${query}`)).json.error
  expect(await filter('customer_id=x')).toBe('Use the id of a record, such as 42.')
  expect(await filter('product_id=x')).toBe(
    'Use the 12 characters of a product hash, or its numeric id.',
  )
})
