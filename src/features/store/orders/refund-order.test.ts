import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { sendAlertsJob } from '../stock/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const refund = (id: string, body: Json = {}, options = {}) =>
  tradepost.post(`/orders/${id}/refund`, body, options)
const read = async (id: string): Promise<Json> => (await tradepost.get(`/orders/${id}`)).json.order
const stockOf = async ({ id }: Stocked): Promise<number> =>
  (await tradepost.get(`/products/${id}`)).json.variants[0].stock_quantity
const statusesOf = async ({ id, variantId }: Stocked): Promise<string[]> =>
  (await tradepost.get(`/products/${id}/variants/${variantId}/keys`)).json.keys.map(
    (key: Json) => key.status,
  )
const customer = async (email: string): Promise<Json> =>
  (
    await sql<Json>`
      select total_spent_cents, orders_count, balance_cents from customer where email = ${email}`.execute(
      tradepost.db,
    )
  ).rows[0]

async function sold(name: string, units: number, fields: Json = {}) {
  const game = await product(tradepost, { name }, { keys: keysNamed(name, units) })
  const items = [{ product_id: game.id, quantity: units }]
  const made = await order(tradepost, game.id, { items, mark_paid: true, ...fields })
  await tradepost.events()
  return { game, made }
}

describe('a refund of a part', () => {
  test('is recorded and emitted, and leaves the status of the order unchanged', async () => {
    const { game, made } = await sold('PART', 2)
    const { status, json } = await refund(made.id, {
      amount_cents: 500,
      reason: 'duplicate',
      note: 'Paid twice.',
    })
    expect(status).toBe(201)
    expect(json.refund).toEqual({
      id: expect.any(Number),
      object: 'refund',
      order_id: made.id,
      amount_cents: 500,
      currency: 'EUR',
      reason: 'duplicate',
      note: 'Paid twice.',
      restock: false,
      actor: { type: 'api_key', id: expect.any(String), name: 'First key' },
      created_at: json.refund.created_at,
    })
    expect(json.order).toMatchObject({
      status: 'completed',
      refund_status: 'partial',
      paid_cents: 2000,
      refunded_cents: 500,
      deliveries: made.deliveries,
      status_history: made.status_history,
      refunds: [json.refund],
    })
    expect(await read(made.id)).toEqual(json.order)
    expect(await statusesOf(game)).toEqual(['sold', 'sold'])
    expect(await tradepost.events()).toEqual(['order.refunded'])
    expect((await tradepost.payloads('order.refunded')).at(-1).data.object).toMatchObject({
      id: made.id,
      status: 'completed',
      total: 20,
      paid_amount: 20,
      refunded_amount: 5,
      refund: { id: json.refund.id, amount: 5, reason: 'duplicate' },
    })
  })

  test('and then another ends the order when nothing is left, with one event each', async () => {
    const { made } = await sold('PARTS', 1)
    await refund(made.id, { amount_cents: 400 })
    const { json } = await refund(made.id)
    expect(json.refund).toMatchObject({ amount_cents: 600, reason: 'other', note: null })
    expect(json.order).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
      refunded_cents: 1000,
    })
    expect(json.order.status_history.at(-1)).toMatchObject({ status: 'refunded', reason: 'other' })
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    const emitted = (await tradepost.payloads('order.refunded')).slice(-2)
    expect(emitted.map(({ data }) => data.object.refund.amount)).toEqual([4, 6])
  })
})

describe('a refund of everything', () => {
  test('revokes the keys, which are never sold again', async () => {
    const { game, made } = await sold('REVOKED', 2)
    const { json } = await refund(made.id, { reason: 'fraudulent' })
    expect(json.order).toMatchObject({ status: 'refunded', deliveries: [{ status: 'revoked' }] })
    expect(await statusesOf(game)).toEqual(['revoked', 'revoked'])
    expect(await stockOf(game)).toBe(0)
    expect(await tradepost.events()).toEqual(['order.refunded'])
  })

  test('with restock returns the keys to stock, emits one event a product, and sells them again', async () => {
    const { game, made } = await sold('BACK', 2)
    await tradepost.post(`/products/${game.id}/stock-alerts`, { email: 'waits@example.com' })
    const { json } = await refund(made.id, { restock: true })
    expect(json.refund.restock).toBe(true)
    expect(json.order.deliveries).toMatchObject([{ status: 'revoked' }])
    expect(await statusesOf(game)).toEqual(['available', 'available'])
    expect(await stockOf(game)).toBe(2)
    await sendAlertsJob.run(tradepost.app)
    const alerts = (await tradepost.get(`/products/${game.id}/stock-alerts`)).json.stock_alerts
    expect(alerts).toMatchObject([{ email: 'waits@example.com', status: 'notified' }])
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
    const emitted = (await tradepost.payloads('product.restocked')).at(-1).data.object
    expect(emitted).toMatchObject({ id: game.id, added: 2, stock: 2 })
    const again = await order(tradepost, game.id, { mark_paid: true })
    expect(again.deliveries[0].keys).toEqual(['BACK-000001'])
  })

  test('with restock leaves keys that can be removed, one or all', async () => {
    const { game, made } = await sold('GONE', 3)
    await refund(made.id, { restock: true })
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const { keys } = (await tradepost.get(path)).json
    expect((await tradepost.delete(`${path}/${keys[0].id}`)).status).toBe(200)
    expect((await tradepost.delete(path)).status).toBe(200)
    expect(await stockOf(game)).toBe(0)
    const { order: after } = (await tradepost.get(`/orders/${made.id}`)).json
    expect(after.deliveries).toMatchObject([{ status: 'revoked', keys: [] }])
  })

  test('with restock returns the quantity that was taken, and not uncounted units', async () => {
    const variants = [{ name: 'Mug', price_cents: 700, stock_quantity: 5 }]
    const mug = await product(tradepost, { type: 'physical', variants })
    const advice = await product(tradepost, { type: 'service' })
    const items = [
      { product_id: mug.id, quantity: 3 },
      { product_id: advice.id, quantity: 1 },
    ]
    const made = await order(tradepost, mug.id, { items, mark_paid: true })
    expect(await stockOf(mug)).toBe(2)
    await tradepost.events()
    await refund(made.id, { restock: true })
    expect(await stockOf(mug)).toBe(5)
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
  })

  test('releases the units that a waiting line still reserves, without adding stock', async () => {
    const variants = [{ name: 'A', allow_backorder: true }]
    const game = await product(tradepost, { variants }, { keys: ['WAITS-000001'] })
    const items = [{ product_id: game.id, quantity: 2 }]
    const made = await order(tradepost, game.id, { items, mark_paid: true })
    expect(made.status).toBe('paid')
    expect(await stockOf(game)).toBe(0)
    await tradepost.events()
    const { json } = await refund(made.id, { restock: true })
    expect(json.order).toMatchObject({ status: 'refunded', completed_at: null })
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.refunded'])
  })

  test('refuses a payment that still waits for review', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    const waiting = { status: 'pending_review', amount_cents: 5 }
    await tradepost.post(`/orders/${made.id}/manual-payments`, waiting)
    await tradepost.post(`/orders/${made.id}/manual-payments`)
    const { json } = await refund(made.id)
    expect(json.order.payments).toMatchObject([{ status: 'rejected' }, { status: 'approved' }])
  })

  test('takes an overpayment along', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    await tradepost.post(`/orders/${made.id}/manual-payments`, { amount_cents: 1500 })
    const { json } = await refund(made.id)
    expect(json.refund.amount_cents).toBe(1500)
    expect(json.order.status).toBe('refunded')
  })
})

test("reduces the customer's spending, and goes to the balance if requested", async () => {
  const { made } = await sold('SPENT', 2, { customer: { email: 'spender@example.com' } })
  expect(await customer('spender@example.com')).toEqual({
    total_spent_cents: 2000,
    orders_count: 1,
    balance_cents: 0,
  })
  await refund(made.id, { amount_cents: 300 })
  await refund(made.id, { amount_cents: 700, to_balance: true })
  expect(await customer('spender@example.com')).toEqual({
    total_spent_cents: 1000,
    orders_count: 1,
    balance_cents: 700,
  })
  const { rows } = await sql`
    select amount_cents, balance_cents, reason, order_id from balance_entry`.execute(tradepost.db)
  expect(rows).toEqual([
    { amount_cents: 700, balance_cents: 700, reason: 'refund', order_id: made.id },
  ])
})

describe('is refused', () => {
  const refused = async (id: string, body: Json, options = {}) => {
    await tradepost.events()
    const before = await read(id)
    const { status, json } = await refund(id, body, options)
    expect(await read(id)).toEqual(before)
    expect(await tradepost.events()).toEqual([])
    return [status, json.code]
  }

  test('beyond the paid amount, and after everything was refunded', async () => {
    const { made } = await sold('MORE', 1)
    await refund(made.id, { amount_cents: 1 })
    expect(await refused(made.id, { amount_cents: 1000 })).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    await refund(made.id)
    expect(await refused(made.id, {})).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    expect(await refused(made.id, { amount_cents: 1 })).toEqual([422, 'REFUND_EXCEEDS_PAID'])
  })

  test('for an order that is not paid, also with a part of the money in', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    expect(await refused(made.id, {})).toEqual([409, 'INVALID_STATE'])
    await tradepost.post(`/orders/${made.id}/manual-payments`, { amount_cents: 400 })
    expect(await refused(made.id, { amount_cents: 1 })).toEqual([409, 'INVALID_STATE'])
  })

  test.each([
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ reason: 'angry' }, 'reason'],
    [{ amount_cents: 1, restock: true }, 'restock'],
    [{ restock: 'yes' }, 'restock'],
    [{ to_balance: 1 }, 'to_balance'],
    [{ amount: 1 }, 'amount'],
  ])('%j by its field', async (body, field) => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id, { mark_paid: true })
    const { json } = await refund(made.id, body)
    expect([json.code, json.details.field]).toEqual(['VALIDATION_FAILED', field])
    expect(await refused(made.id, body)).toEqual([422, 'VALIDATION_FAILED'])
  })

  test('without orders:write, and for another store', async () => {
    const { made } = await sold('FOREIGN', 1)
    const as = await tradepost.key({ permissions: ['orders:read'] })
    expect(await refused(made.id, {}, { as })).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(await refused(made.id, {}, { as: tradepost.other })).toEqual([404, 'NOT_FOUND'])
    expect(await refused(made.id, {}, { as: tradepost.test })).toEqual([404, 'NOT_FOUND'])
  })
})

test('the same call twice under one key gives back once', async () => {
  const { made } = await sold('TWICE', 1)
  const headers = { 'idempotency-key': 'refund-once' }
  const [first, second] = [
    await refund(made.id, { amount_cents: 400 }, { headers }),
    await refund(made.id, { amount_cents: 400 }, { headers }),
  ]
  expect([first.status, second.text]).toEqual([201, first.text])
  expect((await read(made.id)).refunded_cents).toBe(400)
  expect(await tradepost.events()).toEqual(['order.refunded'])
})

test('keys of a product that no longer counts keys are returned anyway', async () => {
  const game = await product(
    tradepost,
    { variants: [{ name: 'A', stock_mode: 'unlimited' }] },
    { keys: ['LOOSE-000001'] },
  )
  const made = await order(tradepost, game.id, { mark_paid: true })
  await refund(made.id, { restock: true })
  expect(await statusesOf(game)).toEqual(['available'])
  await addKeys(tradepost, game, ['LOOSE-000002'])
  const again = await order(tradepost, game.id, { mark_paid: true })
  expect(again.deliveries[0].keys).toEqual(['LOOSE-000001'])
})
