import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { WITHOUT_PROVIDER } from '../../../../test/provider-payments.ts'
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** Creates an unpaid order of one key at 10.00. */
async function createUnpaidOrder(fields: Json = {}): Promise<Json> {
  const game = await product(tradepost, {}, { keys: keysNamed('PAY', 1) })
  const newOrder = await order(tradepost, game.id, fields)
  await tradepost.events()
  return newOrder
}

const pay = async ({ id }: Json, body: Json = {}) => {
  const { status, json } = await tradepost.post(`/orders/${id}/manual-payments`, body)
  return { status, json, payment: json.payment as Json, order: json.order as Json }
}
const review = async ({ id }: Json, { id: paymentId }: Json, verdict: string, body: Json = {}) => {
  const path = `/orders/${id}/manual-payments/${paymentId}/${verdict}`
  const { status, json } = await tradepost.post(path, body)
  return { status, json, payment: json.payment as Json, order: json.order as Json }
}
const statusesOf = ({ status_history }: Json) => status_history.map((step: Json) => step.status)

describe('a manual payment', () => {
  test('without an amount pays the owed amount, and the order is paid and delivered', async () => {
    const newOrder = await createUnpaidOrder()
    const body = {
      reference: 'Transfer 1',
      note: 'n',
      proof_text: 'p',
      proof_url: 'https://a.example/p',
    }
    const { status, payment, order: after } = await pay(newOrder, body)
    expect(status).toBe(201)
    expect(payment).toEqual({
      id: expect.any(Number),
      object: 'payment',
      order_id: newOrder.id,
      kind: 'manual',
      status: 'approved',
      amount_cents: 1000,
      currency: 'EUR',
      ...body,
      ...WITHOUT_PROVIDER,
      reviewed_at: after.paid_at,
      actor: { type: 'api_key', id: expect.any(String), name: 'First key' },
      reviewed_by: null,
      created_at: after.paid_at,
    })
    expect(after).toMatchObject({
      status: 'completed',
      paid_cents: 1000,
      expires_at: null,
      payments: [payment],
    })
    expect(after.completed_at).toBe(after.paid_at)
    expect(statusesOf(after)).toEqual(['pending', 'paid', 'completed'])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of a part leaves the order partially paid without an event, and one of the remaining amount completes it', async () => {
    const newOrder = await createUnpaidOrder()
    const partPayment = await pay(newOrder, { amount_cents: 400 })
    expect(partPayment.order).toMatchObject({
      status: 'partially_paid',
      paid_cents: 400,
      paid_at: null,
      deliveries: [],
    })
    expect(partPayment.order.expires_at).toBe(newOrder.expires_at)
    expect(await tradepost.events()).toEqual([])
    const lastPayment = await pay(newOrder)
    expect(lastPayment.payment.amount_cents).toBe(600)
    expect(statusesOf(lastPayment.order)).toEqual([
      'pending',
      'partially_paid',
      'paid',
      'completed',
    ])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of more than the owed amount is recorded in full', async () => {
    const { order: after } = await pay(await createUnpaidOrder(), { amount_cents: 2500 })
    expect(after).toMatchObject({ status: 'completed', total_cents: 1000, paid_cents: 2500 })
  })

  test('for a paid or cancelled order is refused, and nothing is recorded', async () => {
    const paidOrder = await createUnpaidOrder()
    expect((await pay(paidOrder)).status).toBe(201)
    await tradepost.events()
    for (const status of ['approved', 'pending_review']) {
      const secondPayment = await pay(paidOrder, { status })
      expect([secondPayment.status, secondPayment.json.code]).toEqual([409, 'INVALID_STATE'])
      expect(secondPayment.json.details.status).toBe('completed')
    }
    expect((await tradepost.get(`/orders/${paidOrder.id}`)).json.order.payments).toHaveLength(1)
    const cancelledOrder = await createUnpaidOrder()
    await expectSuccess(tradepost.post(`/orders/${cancelledOrder.id}/cancel`))
    await tradepost.events()
    expect((await pay(cancelledOrder)).json.code).toBe('INVALID_STATE')
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['the amount 0', { amount_cents: 0 }, 'amount_cents'],
    ['a negative amount', { amount_cents: -5 }, 'amount_cents'],
    ['an amount of half a cent', { amount_cents: 0.5 }, 'amount_cents'],
    ['the status rejected', { status: 'rejected' }, 'status'],
    ['a JavaScript address as proof_url', { proof_url: 'javascript:alert(1)' }, 'proof_url'],
    ['an unknown field', { kind: 'crypto' }, 'kind'],
  ])('with %s is refused', async (_, body, field) => {
    const { status, json } = await pay(await createUnpaidOrder(), body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('may be as large as its order, and so may a refund', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
    const newOrder = await order(tradepost, id, { items: [{ product_id: id, quantity: 10_000 }] })
    const amount_cents = 999_999_999_990_000
    const reviewPayment = (await pay(newOrder, { status: 'pending_review', amount_cents })).payment
    const fullPayment = await pay(newOrder, { amount_cents })
    expect(fullPayment.order).toMatchObject({ status: 'paid', paid_cents: amount_cents })
    const path = `/orders/${newOrder.id}`
    const approval = await tradepost.post(`${path}/manual-payments/${reviewPayment.id}/approve`)
    expect([approval.status, approval.json.details.field]).toEqual([422, 'amount_cents'])
    const tooLargeRefund = await tradepost.post(`${path}/refund`, {
      amount_cents: amount_cents + 1,
    })
    expect(tooLargeRefund.json.code).toBe('REFUND_EXCEEDS_PAID')
    expect((await tradepost.post(`${path}/refund`, { amount_cents })).status).toBe(201)
  })

  test("of another store's order answers 404, and needs orders:write", async () => {
    const { id } = await createUnpaidOrder()
    const path = `/orders/${id}/manual-payments`
    expect((await tradepost.post(path, {}, { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.post('/orders/ord_x/manual-payments', {})).status).toBe(404)
    const as = await tradepost.key({ permissions: ['orders:read'] })
    expect((await tradepost.post(path, {}, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('a payment under review', () => {
  test('stops the expiry of its order, and emits an event with its amount in major units', async () => {
    const newOrder = await createUnpaidOrder()
    const { payment, order: after } = await pay(newOrder, {
      status: 'pending_review',
      reference: 'R',
    })
    expect(payment).toMatchObject({
      status: 'pending_review',
      reviewed_at: null,
      amount_cents: 1000,
    })
    expect(after).toMatchObject({
      status: 'manual_review',
      expires_at: null,
      paid_cents: 0,
      deliveries: [],
    })
    expect(await tradepost.events()).toEqual(['order.manual_review'])
    const eventObject = (await tradepost.payloads('order.manual_review')).at(-1).data.object
    expect(eventObject).toMatchObject({
      id: newOrder.id,
      status: 'manual_review',
      total: 10,
      paid_amount: 0,
      payment: { id: payment.id, amount: 10, reference: 'R' },
    })
  })

  test('that is approved in full pays and delivers the order', async () => {
    const newOrder = await createUnpaidOrder()
    const { payment } = await pay(newOrder, { status: 'pending_review' })
    await tradepost.events()
    const { status, ...answer } = await review(newOrder, payment, 'approve', { note: 'Seen.' })
    expect(status).toBe(200)
    expect(answer.payment).toMatchObject({ id: payment.id, status: 'approved', note: 'Seen.' })
    expect(answer.order).toMatchObject({ status: 'completed', paid_cents: 1000 })
    expect(answer.order.payments).toHaveLength(1)
    expect(await tradepost.events()).toEqual(['order.completed'])
    const secondReview = await review(newOrder, payment, 'approve')
    expect([secondReview.status, secondReview.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await tradepost.events()).toEqual([])
  })

  test('that is approved below the total leaves the order partially paid without an event, and restarts its expiry', async () => {
    const newOrder = await createUnpaidOrder()
    const { payment } = await pay(newOrder, { status: 'pending_review', amount_cents: 300 })
    await tradepost.events()
    tradepost.forward(10 * MINUTE_MS)
    const { order: after } = await review(newOrder, payment, 'approve')
    expect(after).toMatchObject({ status: 'partially_paid', paid_cents: 300 })
    expect(Date.parse(after.expires_at)).toBe(Date.parse(after.updated_at) + HOUR_MS)
    expect(await tradepost.events()).toEqual([])
  })

  test('that is rejected restarts the expiry, and leaves an order with earlier payments partially paid', async () => {
    for (const paid_cents of [0, 400]) {
      const newOrder = await createUnpaidOrder()
      if (paid_cents > 0) await pay(newOrder, { amount_cents: paid_cents })
      const { payment } = await pay(newOrder, { status: 'pending_review' })
      await tradepost.events()
      tradepost.forward(10 * MINUTE_MS)
      const answer = await review(newOrder, payment, 'reject', { note: 'Nothing came.' })
      expect(answer.payment).toMatchObject({ status: 'rejected', note: 'Nothing came.' })
      const status = paid_cents > 0 ? 'partially_paid' : 'pending'
      expect(answer.order).toMatchObject({ status, paid_cents })
      expect(Date.parse(answer.order.expires_at)).toBe(
        Date.parse(answer.order.updated_at) + HOUR_MS,
      )
      expect(await tradepost.events()).toEqual([])
    }
  })

  test('leaves the order under review if another payment waits for a review too', async () => {
    const newOrder = await createUnpaidOrder()
    const first = await pay(newOrder, { status: 'pending_review', amount_cents: 300 })
    const second = await pay(newOrder, { status: 'pending_review', amount_cents: 700 })
    expect(statusesOf(second.order)).toEqual(['pending', 'manual_review'])
    const { order: afterRejection } = await review(newOrder, first.payment, 'reject')
    expect(afterRejection).toMatchObject({ status: 'manual_review', expires_at: null })
    const { order: after } = await review(newOrder, second.payment, 'approve')
    expect(after).toMatchObject({ status: 'partially_paid', paid_cents: 700 })
  })

  test('keeps its note if the review sends none', async () => {
    const newOrder = await createUnpaidOrder()
    const { payment } = await pay(newOrder, { status: 'pending_review', note: 'First.' })
    expect((await review(newOrder, payment, 'approve')).payment.note).toBe('First.')
  })

  test('of another order, or with an unknown id, answers 404', async () => {
    const [newOrder, otherOrder] = [await createUnpaidOrder(), await createUnpaidOrder()]
    const { payment } = await pay(newOrder, { status: 'pending_review' })
    for (const verdict of ['approve', 'reject']) {
      expect((await review(otherOrder, payment, verdict)).status).toBe(404)
      expect((await review(newOrder, { id: 999_999_999 }, verdict)).status).toBe(404)
      expect((await review(newOrder, { id: 'abc' }, verdict)).status).toBe(404)
    }
    expect((await tradepost.get(`/orders/${newOrder.id}`)).json.order.status).toBe('manual_review')
  })
})

describe('an order that is paid immediately', () => {
  test('because it is free is completed by the call that creates it, and has a payment of the kind free', async () => {
    const game = await product(tradepost, { discount_percent: 100 }, { keys: keysNamed('FREE', 1) })
    await tradepost.events()
    const newOrder = await order(tradepost, game.id, { payment_method: 'manual' })
    expect(newOrder).toMatchObject({
      status: 'completed',
      total_cents: 0,
      paid_cents: 0,
      payment_method: 'free',
      payments: [{ kind: 'free', status: 'succeeded', amount_cents: 0 }],
      deliveries: [{ keys: ['FREE-000001'] }],
    })
    expect(statusesOf(newOrder)).toEqual(['pending', 'paid', 'completed'])
    const eventTypes = (await tradepost.events()).filter((type) => type !== 'customer.created')
    expect(eventTypes).toEqual(['order.created', 'product.out_of_stock', 'order.completed'])
    const eventObject = (await tradepost.payloads('order.created')).at(-1).data.object
    expect([eventObject.id, eventObject.status]).toEqual([newOrder.id, 'pending'])
  })

  test('by mark_paid has a manual payment of the whole total', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('MARK', 1) })
    const newOrder = await order(tradepost, game.id, { mark_paid: true })
    expect(newOrder).toMatchObject({
      status: 'completed',
      payment_method: 'manual',
      payments: [
        { kind: 'manual', status: 'approved', amount_cents: 1000, reviewed_at: newOrder.paid_at },
      ],
    })
  })

  test('and has a service is not completed', async () => {
    const lesson = await product(tradepost, { type: 'service' })
    await tradepost.events()
    const newOrder = await order(tradepost, lesson.id, { mark_paid: true })
    expect(newOrder).toMatchObject({
      status: 'paid',
      completed_at: null,
      deliveries: [
        { type: 'service', status: 'pending', keys: [], text: null, delivered_at: null },
      ],
    })
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('and has a service and keys delivers the keys, and waits for the service', async () => {
    const variants = [{ name: 'Key' }, { name: 'Setup', delivery_type: 'service' }]
    const game = await product(tradepost, { variants }, { keys: keysNamed('MIX', 1) })
    const items = game.product.variants.map((item: Json) => ({
      product_id: game.id,
      variant_id: item.id,
      quantity: 1,
    }))
    const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
    expect(newOrder.status).toBe('paid')
    expect(newOrder.deliveries).toMatchObject([
      { status: 'delivered', keys: ['MIX-000001'], attempts: 1 },
      { status: 'pending', keys: [], attempts: 0 },
    ])
  })
})

describe('physical goods', () => {
  const shipping_address = { name: 'Ada', line1: '1 Road', city: 'London', country: 'GB' }
  const createBox = () =>
    product(tradepost, {
      type: 'physical',
      variants: [{ name: 'Box', stock_mode: 'manual', stock_quantity: 2 }],
    })

  test.each([
    ['no address', {}, 'shipping_address'],
    ['no rate', { shipping_address }, 'shipping_rate_id'],
    ['half an address', { shipping_address: { name: 'Ada' } }, 'shipping_address.line1'],
  ])('with %s are refused', async (_, fields, field) => {
    const { id } = await createBox()
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'a@example.com' } }
    const { status, json } = await tradepost.post('/orders', { ...body, ...fields })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that are already paid need neither an address nor a rate, have no delivery, and reduce the stock', async () => {
    const { id } = await createBox()
    const newOrder = await order(tradepost, id, { mark_paid: true, shipping_address })
    expect(newOrder).toMatchObject({
      status: 'paid',
      fulfillment_status: 'unfulfilled',
      deliveries: [],
      shipping: null,
      shipping_address: {
        ...shipping_address,
        line2: null,
        region: null,
        postal_code: null,
        phone: null,
      },
    })
    const { variants } = (await tradepost.get(`/products/${id}`)).json
    expect(variants[0].stock_quantity).toBe(1)
  })
})

test('the timestamps of an order never decrease, even if the clock of the machine jumps back', async () => {
  const newOrder = await createUnpaidOrder()
  tradepost.forward(-HOUR_MS)
  try {
    const { order: after } = await pay(newOrder)
    expect(after.updated_at >= newOrder.updated_at).toBe(true)
    expect(after.paid_at >= after.created_at).toBe(true)
    expect(after.completed_at >= after.paid_at).toBe(true)
  } finally {
    tradepost.forward(HOUR_MS)
  }
})

test('payments under review can be approved or rejected after another payment completed the order', async () => {
  const newOrder = await createUnpaidOrder()
  const addReviewPayment = async () => (await pay(newOrder, { status: 'pending_review' })).payment
  const [first, second, third] = [
    await addReviewPayment(),
    await addReviewPayment(),
    await addReviewPayment(),
  ]
  const reviewById = (id: number, verdict: string) =>
    tradepost.post(`/orders/${newOrder.id}/manual-payments/${id}/${verdict}`, {})
  expect((await reviewById(first.id, 'approve')).json.order.status).toBe('completed')
  await tradepost.events()

  const approval = await reviewById(second.id, 'approve')
  expect(approval.json).toMatchObject({
    payment: { status: 'approved' },
    order: { status: 'completed', paid_cents: 2 * newOrder.total_cents },
  })
  const rejection = await reviewById(third.id, 'reject')
  expect(rejection.json).toMatchObject({
    payment: { status: 'rejected' },
    order: { status: 'completed', paid_cents: 2 * newOrder.total_cents },
  })
  expect(await tradepost.events()).toEqual([])
})
