import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleOf } from '../../src/events/samples.ts'
import { EVENT_TYPES } from '../../src/events/types.ts'
import { addKeys, product } from '../build.ts'
import type { Json } from '../harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../store-with-clock.ts'

// The samples of events in the reference equal the events that the calls of this file cause.

const BUYER = { email: 'ada@example.com', name: 'Ada', country: 'GB' }
const CUSTOM_FIELDS = { 'Name on the license': 'Ada Lovelace' }
const KEYS = Array.from({ length: 25 }, (_, n) => `SAMPLE-AAAA-${String(n + 1).padStart(4, '0')}`)

let side: StoreWithClock
let objectByType: Map<string, Json>

beforeAll(async () => {
  side = await openStoreWithClock()
  await causeEvents()
  objectByType = new Map()
  for (const type of EVENT_TYPES) {
    const [first] = await side.tradepost.payloads(type)
    if (first) objectByType.set(type, first.data.object)
  }
})
afterAll(() => side.tradepost.close())

async function post(path: string, body?: Json): Promise<Json> {
  const { status, json, text } = await side.tradepost.post(path, body, side.as)
  if (status >= 300) throw new Error(`${path}: ${text}`)
  return json
}

/** Creates a product with stock keys. Returns its id, and a function that orders two units. */
async function createEditor(): Promise<{ id: string; buy: (fields?: Json) => Promise<Json> }> {
  const newProduct = await product(
    side.tradepost,
    { name: 'Photo editor', price_cents: 1999, sku: 'EDIT-1' },
    side.as,
  )
  await addKeys(side.tradepost, newProduct, KEYS, side.as)
  const { id } = newProduct
  const items = [{ product_id: id, quantity: 2 }]
  const buy = async (fields: Json = {}) =>
    (await post('/orders', { items, customer: BUYER, custom_fields: CUSTOM_FIELDS, ...fields }))
      .order
  return { id, buy }
}

/** Makes calls that cause an event of every type. */
async function causeEvents(): Promise<void> {
  const { tradepost, as } = side
  await tradepost.delete(`/products/${(await createEditor()).id}`, as)
  const { id: product_id, buy } = await createEditor()
  const partner_id = await createPartner()
  const paidOrder = await buy({ affiliate_code: 'grace' })
  const transfer = { reference: 'Transfer 4711', status: 'pending_review' }
  const { payment } = await post(`/orders/${paidOrder.id}/manual-payments`, transfer)
  await post(`/orders/${paidOrder.id}/manual-payments/${payment.id}/approve`)
  const { payout } = await post('/affiliates/payouts', { partner_id, method: 'bank_transfer' })
  await post(`/affiliates/payouts/${payout.id}/send`, { reference: 'Transfer 4711' })
  await createReviewAndQuestion(product_id, paidOrder.id)
  await post(`/orders/${(await buy()).id}/cancel`, { reason: 'The customer asked.' })
  await buy()
  // The sample is the order that expires first.
  await side.advance('1m')
  await payPart((await buy()).id)
  await side.advance('61m')
  const refundedOrder = await buy({ mark_paid: true })
  await buy({ mark_paid: true })
  await completeWithdrawal()
  const refundedItems = [{ order_item_id: refundedOrder.items[0].id, quantity: 2 }]
  const refund = { reason: 'requested_by_customer', items: refundedItems }
  await post(`/orders/${refundedOrder.id}/refund`, refund)
  await buy({ items: [{ product_id, quantity: KEYS.length - 6 }] })
}

/** A part of a payment arrives at a payment provider. */
async function payPart(orderId: string): Promise<void> {
  const { payment } = await post(`/orders/${orderId}/payments`, { method: 'test' })
  const part = { do: 'pay_part', amount_cents: 1000 }
  await post(`/orders/${orderId}/payments/${payment.id}/simulate`, part)
}

/** Makes Grace a partner with a link, whose commissions have no hold. */
async function createPartner(): Promise<string> {
  const terms = { enabled: true, hold_days: 0, min_payout_cents: 0 }
  await side.tradepost.patch('/affiliates/program', terms, side.as)
  const applicant = { email: 'grace@example.com', name: 'Grace' }
  const { partner } = await post('/affiliates/applications', applicant)
  await post(`/affiliates/partners/${partner.id}/approve`)
  await post(`/affiliates/partners/${partner.id}/links`, { code: 'grace' })
  return partner.id
}

async function createReviewAndQuestion(product_id: string, order_id: string): Promise<void> {
  await post('/reviews', { order_id, product_id, rating: 5, message: 'Does what it says.' })
  const { question } = await post('/questions', {
    product_id,
    customer_email: BUYER.email,
    customer_name: BUYER.name,
    body: 'Does it read RAW files?',
  })
  await post(`/questions/${question.id}/answers`, { body: 'It does, of most cameras.' })
}

async function completeWithdrawal(): Promise<void> {
  const { withdrawal } = await post('/account/withdrawals', {
    amount_cents: 5000,
    fee_cents: 250,
    method: 'bank_transfer',
    address: 'GB29NWBK60161331926819',
  })
  await post(`/account/withdrawals/${withdrawal.id}/complete`, { reference: 'Transfer 4712' })
}

/** Replaces ids, order numbers and times, which differ between runs. */
const mask = (value: unknown): string =>
  JSON.stringify(value, (name, field) => {
    if (field === null || typeof field === 'object') return field
    if (/^(id|product_id|variant_id|order_item_id|order_id|invoice_id|number)$/.test(name))
      return `<${typeof field}>`
    return /_at$/.test(name) ? '<time>' : field
  })

test.each(EVENT_TYPES)(
  'the sample of %s equals the recorded event, except for ids, numbers and times',
  (type) => {
    expect(mask(objectByType.get(type))).toBe(mask(sampleOf(type, 'EUR')))
  },
)
