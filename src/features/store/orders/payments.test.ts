import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** An unpaid order of one key at 10.00. */
async function unpaid(fields: Json = {}): Promise<Json> {
  const game = await product(tradepost, {}, { keys: keysNamed('PAY', 1) })
  const made = await order(tradepost, game.id, fields)
  await tradepost.events()
  return made
}

const pay = async ({ id }: Json, body: Json = {}) => {
  const { status, json } = await tradepost.post(`/orders/${id}/manual-payments`, body)
  return { status, json, payment: json.payment as Json, order: json.order as Json }
}
const review = async ({ id }: Json, { id: payment }: Json, verdict: string, body: Json = {}) => {
  const path = `/orders/${id}/manual-payments/${payment}/${verdict}`
  const { status, json } = await tradepost.post(path, body)
  return { status, json, payment: json.payment as Json, order: json.order as Json }
}
const steps = (item: Json) => item.status_history.map((step: Json) => step.status)

describe('a manual payment', () => {
  test('without an amount pays the owed amount, and the order is paid and delivered', async () => {
    const made = await unpaid()
    const body = {
      reference: 'Transfer 1',
      note: 'n',
      proof_text: 'p',
      proof_url: 'https://a.example/p',
    }
    const { status, payment, order: after } = await pay(made, body)
    expect(status).toBe(201)
    expect(payment).toEqual({
      id: expect.any(Number),
      object: 'payment',
      order_id: made.id,
      kind: 'manual',
      status: 'approved',
      amount_cents: 1000,
      currency: 'EUR',
      ...body,
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
    expect(steps(after)).toEqual(['pending', 'paid', 'completed'])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of a part leaves the order partially paid without an event; the rest completes it', async () => {
    const made = await unpaid()
    const part = await pay(made, { amount_cents: 400 })
    expect(part.order).toMatchObject({
      status: 'partially_paid',
      paid_cents: 400,
      paid_at: null,
      deliveries: [],
    })
    expect(part.order.expires_at).toBe(made.expires_at)
    expect(await tradepost.events()).toEqual([])
    const rest = await pay(made)
    expect(rest.payment.amount_cents).toBe(600)
    expect(steps(rest.order)).toEqual(['pending', 'partially_paid', 'paid', 'completed'])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of more than the owed amount is kept in full', async () => {
    const { order: after } = await pay(await unpaid(), { amount_cents: 2500 })
    expect(after).toMatchObject({ status: 'completed', total_cents: 1000, paid_cents: 2500 })
  })

  test('of a paid or cancelled order is refused, and nothing is recorded', async () => {
    const paid = await unpaid()
    await pay(paid)
    await tradepost.events()
    for (const status of ['approved', 'pending_review']) {
      const again = await pay(paid, { status })
      expect([again.status, again.json.code]).toEqual([409, 'INVALID_STATE'])
      expect(again.json.details.status).toBe('completed')
    }
    expect((await tradepost.get(`/orders/${paid.id}`)).json.order.payments).toHaveLength(1)
    const cancelled = await unpaid()
    await tradepost.post(`/orders/${cancelled.id}/cancel`)
    await tradepost.events()
    expect((await pay(cancelled)).json.code).toBe('INVALID_STATE')
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['nothing', { amount_cents: 0 }, 'amount_cents'],
    ['less than nothing', { amount_cents: -5 }, 'amount_cents'],
    ['half a cent', { amount_cents: 0.5 }, 'amount_cents'],
    ['a verdict of its own', { status: 'rejected' }, 'status'],
    ['an address that runs', { proof_url: 'javascript:alert(1)' }, 'proof_url'],
    ['an unknown field', { kind: 'crypto' }, 'kind'],
  ])('of %s is refused', async (_, body, field) => {
    const { status, json } = await pay(await unpaid(), body)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('may be as large as its order, and so may a refund', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
    const made = await order(tradepost, id, { items: [{ product_id: id, quantity: 10_000 }] })
    const amount_cents = 999_999_999_990_000
    const review = { status: 'pending_review', amount_cents }
    const second = (await pay(made, review)).payment
    const first = await pay(made, { amount_cents })
    expect(first.order).toMatchObject({ status: 'paid', paid_cents: amount_cents })
    const path = `/orders/${made.id}`
    const more = await tradepost.post(`${path}/manual-payments/${second.id}/approve`)
    expect([more.status, more.json.details.field]).toEqual([422, 'amount_cents'])
    const beyond = await tradepost.post(`${path}/refund`, { amount_cents: amount_cents + 1 })
    expect(beyond.json.code).toBe('REFUND_EXCEEDS_PAID')
    expect((await tradepost.post(`${path}/refund`, { amount_cents })).status).toBe(201)
  })

  test('for another store’s order is NOT_FOUND; a key needs orders:write', async () => {
    const { id } = await unpaid()
    const path = `/orders/${id}/manual-payments`
    expect((await tradepost.post(path, {}, { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.post('/orders/ord_x/manual-payments', {})).status).toBe(404)
    const as = await tradepost.key({ permissions: ['orders:read'] })
    expect((await tradepost.post(path, {}, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('a payment to be reviewed', () => {
  test('stops the clock of its order, and emits an event with its amount in major units', async () => {
    const made = await unpaid()
    const { payment, order: after } = await pay(made, { status: 'pending_review', reference: 'R' })
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
    const emitted = (await tradepost.payloads('order.manual_review')).at(-1).data.object
    expect(emitted).toMatchObject({
      id: made.id,
      status: 'manual_review',
      total: 10,
      paid_amount: 0,
      payment: { id: payment.id, amount: 10, reference: 'R' },
    })
  })

  test('approved in full pays and delivers', async () => {
    const made = await unpaid()
    const { payment } = await pay(made, { status: 'pending_review' })
    await tradepost.events()
    const { status, ...answer } = await review(made, payment, 'approve', { note: 'Seen.' })
    expect(status).toBe(200)
    expect(answer.payment).toMatchObject({ id: payment.id, status: 'approved', note: 'Seen.' })
    expect(answer.order).toMatchObject({ status: 'completed', paid_cents: 1000 })
    expect(answer.order.payments).toHaveLength(1)
    expect(await tradepost.events()).toEqual(['order.completed'])
    const again = await review(made, payment, 'approve')
    expect([again.status, again.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await tradepost.events()).toEqual([])
  })

  test('approved below the total leaves the order partially paid without an event, and restarts its clock', async () => {
    const made = await unpaid()
    const { payment } = await pay(made, { status: 'pending_review', amount_cents: 300 })
    await tradepost.events()
    tradepost.forward(10 * MINUTE_MS)
    const { order: after } = await review(made, payment, 'approve')
    expect(after).toMatchObject({ status: 'partially_paid', paid_cents: 300 })
    expect(Date.parse(after.expires_at)).toBe(Date.parse(after.updated_at) + HOUR_MS)
    expect(await tradepost.events()).toEqual([])
  })

  test('rejected restarts the clock of the order: it is pending, or partially paid with earlier payments', async () => {
    for (const paid_cents of [0, 400]) {
      const made = await unpaid()
      if (paid_cents > 0) await pay(made, { amount_cents: paid_cents })
      const { payment } = await pay(made, { status: 'pending_review' })
      await tradepost.events()
      tradepost.forward(10 * MINUTE_MS)
      const answer = await review(made, payment, 'reject', { note: 'Nothing came.' })
      expect(answer.payment).toMatchObject({ status: 'rejected', note: 'Nothing came.' })
      const status = paid_cents > 0 ? 'partially_paid' : 'pending'
      expect(answer.order).toMatchObject({ status, paid_cents })
      expect(Date.parse(answer.order.expires_at)).toBe(
        Date.parse(answer.order.updated_at) + HOUR_MS,
      )
      expect(await tradepost.events()).toEqual([])
    }
  })

  test('of two keeps the order waiting until both are reviewed', async () => {
    const made = await unpaid()
    const first = await pay(made, { status: 'pending_review', amount_cents: 300 })
    const second = await pay(made, { status: 'pending_review', amount_cents: 700 })
    expect(steps(second.order)).toEqual(['pending', 'manual_review'])
    const { order: between } = await review(made, first.payment, 'reject')
    expect(between).toMatchObject({ status: 'manual_review', expires_at: null })
    const { order: after } = await review(made, second.payment, 'approve')
    expect(after).toMatchObject({ status: 'partially_paid', paid_cents: 700 })
  })

  test('keeps its own note if the review sends none', async () => {
    const made = await unpaid()
    const { payment } = await pay(made, { status: 'pending_review', note: 'First.' })
    expect((await review(made, payment, 'approve')).payment.note).toBe('First.')
  })

  test('of another order, or an unknown one, is NOT_FOUND', async () => {
    const [made, stranger] = [await unpaid(), await unpaid()]
    const { payment } = await pay(made, { status: 'pending_review' })
    for (const verdict of ['approve', 'reject']) {
      expect((await review(stranger, payment, verdict)).status).toBe(404)
      expect((await review(made, { id: 999_999_999 }, verdict)).status).toBe(404)
      expect((await review(made, { id: 'abc' }, verdict)).status).toBe(404)
    }
    expect((await tradepost.get(`/orders/${made.id}`)).json.order.status).toBe('manual_review')
  })
})

describe('paid at once', () => {
  test('a free order completes in the call that makes it, with a payment of the kind free', async () => {
    const game = await product(tradepost, { discount_percent: 100 }, { keys: keysNamed('FREE', 1) })
    await tradepost.events()
    const made = await order(tradepost, game.id, { payment_method: 'manual' })
    expect(made).toMatchObject({
      status: 'completed',
      total_cents: 0,
      paid_cents: 0,
      payment_method: 'free',
      payments: [{ kind: 'free', status: 'succeeded', amount_cents: 0 }],
      deliveries: [{ keys: ['FREE-000001'] }],
    })
    expect(steps(made)).toEqual(['pending', 'paid', 'completed'])
    const emitted = (await tradepost.events()).filter((type) => type !== 'customer.created')
    expect(emitted).toEqual(['order.created', 'product.out_of_stock', 'order.completed'])
    const created = (await tradepost.payloads('order.created')).at(-1).data.object
    expect([created.id, created.status]).toEqual([made.id, 'pending'])
  })

  test('mark_paid records a manual payment of the whole total', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('MARK', 1) })
    const made = await order(tradepost, game.id, { mark_paid: true })
    expect(made).toMatchObject({
      status: 'completed',
      payment_method: 'manual',
      payments: [
        { kind: 'manual', status: 'approved', amount_cents: 1000, reviewed_at: made.paid_at },
      ],
    })
  })

  test('a service is not delivered yet: the order is paid, and not completed', async () => {
    const lesson = await product(tradepost, { type: 'service' })
    await tradepost.events()
    const made = await order(tradepost, lesson.id, { mark_paid: true })
    expect(made).toMatchObject({
      status: 'paid',
      completed_at: null,
      deliveries: [
        { type: 'service', status: 'pending', keys: [], text: null, delivered_at: null },
      ],
    })
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('together with a service, the keys are handed over and the order waits', async () => {
    const variants = [{ name: 'Key' }, { name: 'Setup', delivery_type: 'service' }]
    const game = await product(tradepost, { variants }, { keys: keysNamed('MIX', 1) })
    const items = game.product.variants.map((item: Json) => ({
      product_id: game.id,
      variant_id: item.id,
      quantity: 1,
    }))
    const made = await order(tradepost, game.id, { items, mark_paid: true })
    expect(made.status).toBe('paid')
    expect(made.deliveries).toMatchObject([
      { status: 'delivered', keys: ['MIX-000001'], attempts: 1 },
      { status: 'pending', keys: [], attempts: 0 },
    ])
  })
})

describe('physical goods', () => {
  const shipping_address = { name: 'Ada', line1: '1 Road', city: 'London', country: 'GB' }
  const parcel = () =>
    product(tradepost, {
      type: 'physical',
      variants: [{ name: 'Box', stock_mode: 'manual', stock_quantity: 2 }],
    })

  test.each([
    ['no address', {}, 'shipping_address'],
    ['no rate', { shipping_address }, 'shipping_rate_id'],
    ['half an address', { shipping_address: { name: 'Ada' } }, 'shipping_address.line1'],
  ])('with %s are refused', async (_, fields, field) => {
    const { id } = await parcel()
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'a@example.com' } }
    const { status, json } = await tradepost.post('/orders', { ...body, ...fields })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('that are paid already need neither; the parcel is not a delivery, and stock goes down', async () => {
    const { id } = await parcel()
    const made = await order(tradepost, id, { mark_paid: true, shipping_address })
    expect(made).toMatchObject({
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

test('moments of an order follow one another, even when the clock of the machine jumps back', async () => {
  const made = await unpaid()
  tradepost.forward(-HOUR_MS)
  try {
    const { order: after } = await pay(made)
    expect(after.updated_at >= made.updated_at).toBe(true)
    expect(after.paid_at >= after.created_at).toBe(true)
    expect(after.completed_at >= after.paid_at).toBe(true)
  } finally {
    tradepost.forward(HOUR_MS)
  }
})

test('a second payment under review is booked, or refused, after another completed the order', async () => {
  const made = await unpaid()
  const waiting = async () => (await pay(made, { status: 'pending_review' })).payment
  const [first, second, third] = [await waiting(), await waiting(), await waiting()]
  const review = (id: number, verdict: string) =>
    tradepost.post(`/orders/${made.id}/manual-payments/${id}/${verdict}`, {})
  expect((await review(first.id, 'approve')).json.order.status).toBe('completed')
  await tradepost.events()

  const booked = await review(second.id, 'approve')
  expect(booked.json).toMatchObject({
    payment: { status: 'approved' },
    order: { status: 'completed', paid_cents: 2 * made.total_cents },
  })
  const refused = await review(third.id, 'reject')
  expect(refused.json).toMatchObject({
    payment: { status: 'rejected' },
    order: { status: 'completed', paid_cents: 2 * made.total_cents },
  })
  expect(await tradepost.events()).toEqual([])
})
