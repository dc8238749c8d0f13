import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addKeys,
  type CreatedProduct,
  keysNamed,
  order,
  orderOf,
  product,
} from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { sendAlertsJob } from '../stock/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const refund = (id: string, body: Json = {}, options = {}) =>
  tradepost.post(`/orders/${id}/refund`, body, options)
const getOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const stockOf = async ({ id }: CreatedProduct): Promise<number> =>
  (await tradepost.get(`/products/${id}`)).json.variants[0].stock_quantity
const keyStatuses = async ({ id, variantId }: CreatedProduct): Promise<string[]> =>
  (await tradepost.get(`/products/${id}/variants/${variantId}/keys`)).json.keys.map(
    (key: Json) => key.status,
  )
const customerTotals = async (email: string): Promise<Json> =>
  (
    await sql<Json>`
      select total_spent_cents, orders_count, balance_cents from customer where email = ${email}`.execute(
      tradepost.db,
    )
  ).rows[0]

async function createSoldOrder(name: string, units: number, fields: Json = {}) {
  const game = await product(tradepost, { name }, { keys: keysNamed(name, units) })
  const items = [{ product_id: game.id, quantity: units }]
  const newOrder = await order(tradepost, game.id, { items, mark_paid: true, ...fields })
  await tradepost.events()
  return { game, newOrder }
}

describe('a partial refund', () => {
  test('is recorded and emits an event, and leaves the status of the order unchanged', async () => {
    const { game, newOrder } = await createSoldOrder('PART', 2)
    const { status, json } = await refund(newOrder.id, {
      amount_cents: 500,
      reason: 'duplicate',
      note: 'Paid twice.',
    })
    expect(status).toBe(201)
    expect(json.refunds).toEqual([json.refund])
    expect(json.refund).toEqual({
      id: expect.any(Number),
      object: 'refund',
      order_id: newOrder.id,
      amount_cents: 500,
      currency: 'EUR',
      status: 'succeeded',
      source: 'seller',
      payment_id: null,
      external_id: null,
      failure: null,
      reason: 'duplicate',
      note: 'Paid twice.',
      restock: false,
      items: [],
      actor: { type: 'api_key', id: expect.any(String), name: 'First key' },
      created_at: json.refund.created_at,
    })
    expect(json.order).toMatchObject({
      status: 'completed',
      refund_status: 'partial',
      paid_cents: 2000,
      refunded_cents: 500,
      deliveries: newOrder.deliveries,
      status_history: newOrder.status_history,
      refunds: [json.refund],
    })
    expect(await getOrder(newOrder.id)).toEqual(json.order)
    expect(await keyStatuses(game)).toEqual(['sold', 'sold'])
    expect(await tradepost.events()).toEqual(['order.refunded'])
    expect((await tradepost.payloads('order.refunded')).at(-1).data.object).toMatchObject({
      id: newOrder.id,
      status: 'completed',
      total: 20,
      paid_amount: 20,
      refunded_amount: 5,
      refund: {
        id: json.refund.id,
        amount: 5,
        reason: 'duplicate',
        note: 'Paid twice.',
        return_id: null,
        items: [],
      },
    })
  })

  test('ends the order when the whole paid amount is refunded, with one event for each refund', async () => {
    const { newOrder } = await createSoldOrder('PARTS', 1)
    await expectSuccess(refund(newOrder.id, { amount_cents: 400 }))
    const { json } = await refund(newOrder.id)
    expect(json.refund).toMatchObject({ amount_cents: 600, reason: 'other', note: null })
    expect(json.order).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
      refunded_cents: 1000,
    })
    expect(json.order.status_history.at(-1)).toMatchObject({ status: 'refunded', reason: 'other' })
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    const payloads = (await tradepost.payloads('order.refunded')).slice(-2)
    expect(payloads.map(({ data }) => data.object.refund.amount)).toEqual([4, 6])
  })
})

describe('a refund of everything', () => {
  test('revokes the keys, which are never sold again', async () => {
    const { game, newOrder } = await createSoldOrder('REVOKED', 2)
    const { json } = await refund(newOrder.id, { reason: 'fraudulent' })
    expect(json.order).toMatchObject({ status: 'refunded', deliveries: [{ status: 'revoked' }] })
    expect(await keyStatuses(game)).toEqual(['revoked', 'revoked'])
    expect(await stockOf(game)).toBe(0)
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const { json: refusal } = await tradepost.post('/orders', orderOf(game.id))
    expect(refusal.code).toBe('OUT_OF_STOCK')
  })

  test('with restock returns the keys to stock, emits one event for each product, and sells them again', async () => {
    const { game, newOrder } = await createSoldOrder('BACK', 2)
    await expectSuccess(
      tradepost.post(`/products/${game.id}/stock-alerts`, { email: 'waits@example.com' }),
    )
    const { json } = await refund(newOrder.id, { restock: true })
    expect(json.refund.restock).toBe(true)
    expect(json.order.deliveries).toMatchObject([{ status: 'revoked' }])
    expect(await keyStatuses(game)).toEqual(['available', 'available'])
    expect(await stockOf(game)).toBe(2)
    await sendAlertsJob.run(tradepost.app)
    const alerts = (await tradepost.get(`/products/${game.id}/stock-alerts`)).json.stock_alerts
    expect(alerts).toMatchObject([{ email: 'waits@example.com', status: 'notified' }])
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
    const eventObject = (await tradepost.payloads('product.restocked')).at(-1).data.object
    expect(eventObject).toMatchObject({ id: game.id, added: 2, stock: 2 })
    const secondOrder = await order(tradepost, game.id, { mark_paid: true })
    expect(secondOrder.deliveries[0].keys).toEqual(['BACK-000001'])
  })

  test('with restock returns keys to stock, where they can be deleted one by one or together', async () => {
    const { game, newOrder } = await createSoldOrder('GONE', 3)
    await expectSuccess(refund(newOrder.id, { restock: true }))
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const { keys } = (await tradepost.get(path)).json
    expect((await tradepost.delete(`${path}/${keys[0].id}`)).status).toBe(200)
    expect((await tradepost.delete(path)).status).toBe(200)
    expect(await stockOf(game)).toBe(0)
    const { order: after } = (await tradepost.get(`/orders/${newOrder.id}`)).json
    expect(after.deliveries).toMatchObject([{ status: 'revoked', keys: [] }])
  })

  test('with restock adds the sold quantity to the stock of counted variants only', async () => {
    const variants = [{ name: 'Mug', price_cents: 700, stock_quantity: 5 }]
    const mug = await product(tradepost, { type: 'physical', variants })
    const advice = await product(tradepost, { type: 'service' })
    const items = [
      { product_id: mug.id, quantity: 3 },
      { product_id: advice.id, quantity: 1 },
    ]
    const newOrder = await order(tradepost, mug.id, { items, mark_paid: true })
    expect(await stockOf(mug)).toBe(2)
    await tradepost.events()
    await expectSuccess(refund(newOrder.id, { restock: true }))
    expect(await stockOf(mug)).toBe(5)
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
  })

  test('with restock releases the units that a waiting line still reserves, without adding stock', async () => {
    const variants = [{ name: 'A', allow_backorder: true }]
    const game = await product(tradepost, { variants }, { keys: ['WAITS-000001'] })
    const items = [{ product_id: game.id, quantity: 2 }]
    const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
    expect(newOrder.status).toBe('paid')
    expect(await stockOf(game)).toBe(0)
    await tradepost.events()
    const { json } = await refund(newOrder.id, { restock: true })
    expect(json.order).toMatchObject({ status: 'refunded', completed_at: null })
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.refunded'])
  })

  test('does not include a payment under review, which is rejected', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    const pendingReview = { status: 'pending_review', amount_cents: 5 }
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`, pendingReview))
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`))
    const { json } = await refund(newOrder.id)
    expect(json.order.payments).toMatchObject([{ status: 'rejected' }, { status: 'approved' }])
  })

  test('includes an overpayment', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/manual-payments`, { amount_cents: 1500 }),
    )
    const { json } = await refund(newOrder.id)
    expect(json.refund.amount_cents).toBe(1500)
    expect(json.order.status).toBe('refunded')
  })
})

test("a refund reduces the customer's spending, and is credited to the balance if requested", async () => {
  const { newOrder } = await createSoldOrder('SPENT', 2, {
    customer: { email: 'spender@example.com' },
  })
  expect(await customerTotals('spender@example.com')).toEqual({
    total_spent_cents: 2000,
    orders_count: 1,
    balance_cents: 0,
  })
  await expectSuccess(refund(newOrder.id, { amount_cents: 300 }))
  await expectSuccess(refund(newOrder.id, { amount_cents: 700, to_balance: true }))
  expect(await customerTotals('spender@example.com')).toEqual({
    total_spent_cents: 1000,
    orders_count: 1,
    balance_cents: 700,
  })
  const { rows } = await sql`
    select amount_cents, balance_cents, reason, order_id from balance_entry`.execute(tradepost.db)
  expect(rows).toEqual([
    { amount_cents: 700, balance_cents: 700, reason: 'refund', order_id: newOrder.id },
  ])
})

describe('a refund is refused', () => {
  const refusalOf = async (id: string, body: Json, options = {}) => {
    await tradepost.events()
    const before = await getOrder(id)
    const { status, json } = await refund(id, body, options)
    expect(await getOrder(id)).toEqual(before)
    expect(await tradepost.events()).toEqual([])
    return [status, json.code]
  }

  test('beyond the paid amount, and after everything was refunded', async () => {
    const { newOrder } = await createSoldOrder('MORE', 1)
    await expectSuccess(refund(newOrder.id, { amount_cents: 1 }))
    expect(await refusalOf(newOrder.id, { amount_cents: 1000 })).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
    ])
    await expectSuccess(refund(newOrder.id))
    expect(await refusalOf(newOrder.id, {})).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    expect(await refusalOf(newOrder.id, { amount_cents: 1 })).toEqual([422, 'REFUND_EXCEEDS_PAID'])
  })

  test('of an amount of an order that cost nothing, in words that fit it', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 0 })
    const newOrder = await order(tradepost, id)
    const { status, json } = await refund(newOrder.id, { amount_cents: 1 })
    expect([status, json.code, json.error]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
      'Nothing was paid for this order, so no amount can be refunded. Leave amount_cents out to take the goods back.',
    ])
    await expectSuccess(refund(newOrder.id))
    expect(await refusalOf(newOrder.id, {})).toEqual([422, 'REFUND_EXCEEDS_PAID'])
  })

  test('for an unpaid order, also with a part payment', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    expect(await refusalOf(newOrder.id, {})).toEqual([409, 'INVALID_STATE'])
    await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/manual-payments`, { amount_cents: 400 }),
    )
    expect(await refusalOf(newOrder.id, { amount_cents: 1 })).toEqual([409, 'INVALID_STATE'])
  })

  test.each([
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ reason: 'angry' }, 'reason'],
    [{ amount_cents: 1, restock: true }, 'restock'],
    [{ restock: 'yes' }, 'restock'],
    [{ to_balance: 1 }, 'to_balance'],
    [{ amount: 1 }, 'amount'],
  ])('for %j, and the error names the field', async (body, field) => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id, { mark_paid: true })
    const { json } = await refund(newOrder.id, body)
    expect([json.code, json.details.field]).toEqual(['VALIDATION_FAILED', field])
    expect(await refusalOf(newOrder.id, body)).toEqual([422, 'VALIDATION_FAILED'])
  })

  test('without orders:write, and for another store', async () => {
    const { newOrder } = await createSoldOrder('FOREIGN', 1)
    const as = await tradepost.key({ permissions: ['orders:read'] })
    expect(await refusalOf(newOrder.id, {}, { as })).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(await refusalOf(newOrder.id, {}, { as: tradepost.other })).toEqual([404, 'NOT_FOUND'])
    expect(await refusalOf(newOrder.id, {}, { as: tradepost.test })).toEqual([404, 'NOT_FOUND'])
  })
})

test('a refund that is repeated with one idempotency key refunds once', async () => {
  const { newOrder } = await createSoldOrder('TWICE', 1)
  const headers = { 'idempotency-key': 'refund-once' }
  const [first, second] = [
    await refund(newOrder.id, { amount_cents: 400 }, { headers }),
    await refund(newOrder.id, { amount_cents: 400 }, { headers }),
  ]
  expect([first.status, second.text]).toEqual([201, first.text])
  expect((await getOrder(newOrder.id)).refunded_cents).toBe(400)
  expect(await tradepost.events()).toEqual(['order.refunded'])
})

test('keys of a product with unlimited stock are returned to stock by a refund with restock', async () => {
  const game = await product(
    tradepost,
    { variants: [{ name: 'A', stock_mode: 'unlimited' }] },
    { keys: ['LOOSE-000001'] },
  )
  const newOrder = await order(tradepost, game.id, { mark_paid: true })
  await expectSuccess(refund(newOrder.id, { restock: true }))
  expect(await keyStatuses(game)).toEqual(['available'])
  await addKeys(tradepost, game, ['LOOSE-000002'])
  const secondOrder = await order(tradepost, game.id, { mark_paid: true })
  expect(secondOrder.deliveries[0].keys).toEqual(['LOOSE-000001'])
})
