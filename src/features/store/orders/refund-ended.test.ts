import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { expireOrdersJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const refund = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/refund`, body)
const pay = async (id: string, body: Json = {}): Promise<Json> =>
  (await tradepost.post(`/orders/${id}/manual-payments`, body)).json
const spentBy = async (email: string): Promise<number | undefined> =>
  (
    await sql<{ total_spent_cents: number }>`
      select total_spent_cents from customer where email = ${email}`.execute(tradepost.db)
  ).rows[0]?.total_spent_cents

/** An order of 1000 that ended with this much money in. */
async function ended(how: 'cancelled' | 'expired', amount_cents: number, fields: Json = {}) {
  const { id } = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, id, fields)
  if (amount_cents > 0) await pay(made.id, { amount_cents })
  if (how === 'cancelled') await tradepost.post(`/orders/${made.id}/cancel`)
  else {
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
  }
  await tradepost.events()
  return made.id as string
}

describe.each(['cancelled', 'expired'] as const)('an order that is %s', (how) => {
  test('refunds the received money, keeps its status, and takes no more (decision 123)', async () => {
    const email = `${how}@example.com`
    const id = await ended(how, 400, { customer: { email } })
    const part = await refund(id, { amount_cents: 150, reason: 'requested_by_customer' })
    expect(part.status).toBe(201)
    expect(part.json.order).toMatchObject({
      status: how,
      refund_status: 'partial',
      paid_cents: 400,
      refunded_cents: 150,
    })
    const rest = await refund(id, { to_balance: true })
    expect(rest.json.refund).toMatchObject({ amount_cents: 250 })
    expect(rest.json.order).toMatchObject({
      status: how,
      refund_status: 'full',
      refunded_cents: 400,
    })
    expect(rest.json.order.status_history).toEqual(part.json.order.status_history)
    expect((await tradepost.get(`/orders/${id}`)).json.order).toEqual(rest.json.order)
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    const sent = (await tradepost.payloads('order.refunded')).at(-1).data.object
    expect(sent).toMatchObject({ id, status: how, refunded_amount: 4, refund: { amount: 2.5 } })
    expect(await spentBy(email)).toBe(0)
    const again = await refund(id)
    expect([again.status, again.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    expect(await tradepost.events()).toEqual([])
  })

  test('refunds no more than it received, nothing if it received nothing, and returns no goods (decision 123)', async () => {
    const id = await ended(how, 400)
    const more = await refund(id, { amount_cents: 401 })
    expect([more.status, more.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    expect(more.json.details).toEqual({ field: 'amount_cents', available: 400 })
    const none = await refund(id, { amount_cents: 0 })
    expect([none.json.code, none.json.details.field]).toEqual(['VALIDATION_FAILED', 'amount_cents'])
    const goods = await refund(id, { restock: true })
    expect([goods.json.code, goods.json.details.field]).toEqual(['VALIDATION_FAILED', 'restock'])
    const unpaid = await refund(await ended(how, 0))
    expect([unpaid.status, unpaid.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(unpaid.json.details.status).toBe(how)
    expect(await tradepost.events()).toEqual([])
  })
})

test.each([
  ['pending', undefined],
  ['partially_paid', { amount_cents: 400 }],
  ['manual_review', { amount_cents: 400, status: 'pending_review' }],
])('an order that is %s has to be cancelled first (decision 123)', async (status, payment) => {
  const { id } = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, id)
  if (payment) await pay(made.id, payment)
  await tradepost.events()
  const { json, ...answer } = await refund(made.id, { amount_cents: 1 })
  expect([answer.status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', status])
  expect(json.error).toContain('cancel it')
  expect(await tradepost.events()).toEqual([])
})

test('late money pays an expired order once the refunded amount is paid again (decision 123)', async () => {
  const email = 'late@example.com'
  const id = await ended('expired', 400, { customer: { email } })
  await refund(id)
  const part = await pay(id, { amount_cents: 600 })
  expect(part.order).toMatchObject({
    status: 'expired',
    refund_status: 'partial',
    paid_cents: 1000,
  })
  const { payment, order: after } = await pay(id)
  expect(payment.amount_cents).toBe(400)
  expect(after).toMatchObject({
    status: 'paid',
    refund_status: 'partial',
    paid_cents: 1400,
    refunded_cents: 400,
  })
  expect(await spentBy(email)).toBe(1000)
  const { json } = await refund(id)
  expect(json.refund.amount_cents).toBe(1000)
  expect(json.order).toMatchObject({ status: 'refunded', refund_status: 'full' })
  expect(await spentBy(email)).toBe(0)
})

describe('an order whose total is 0', () => {
  async function free() {
    const game = await product(tradepost, { price_cents: 0 }, { keys: keysNamed('FREE', 1) })
    const made = await order(tradepost, game.id)
    await tradepost.events()
    return { game, made }
  }

  test.each([{ amount_cents: 0 }, {}])(
    'is refunded once with %j, and its deliveries are revoked (decision 123)',
    async (body) => {
      const { game, made } = await free()
      expect(made.status).toBe('completed')
      const { status, json } = await refund(made.id, body)
      expect([status, json.refund?.amount_cents]).toEqual([201, 0])
      expect(json.order).toMatchObject({
        status: 'refunded',
        refund_status: 'full',
        refunded_cents: 0,
        refunds: [json.refund],
        deliveries: [{ status: 'revoked' }],
      })
      const { keys } = (await tradepost.get(`/products/${game.id}/variants/${game.variantId}/keys`))
        .json
      expect(keys).toMatchObject([{ status: 'revoked' }])
      expect(await tradepost.events()).toEqual(['order.refunded'])
      const sent = (await tradepost.payloads('order.refunded')).at(-1).data.object
      expect(sent).toMatchObject({ status: 'refunded', refund: { amount: 0 } })
      for (const more of [{ amount_cents: 0 }, {}]) {
        const again = await refund(made.id, more)
        expect([again.status, again.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
      }
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('returns its keys to stock with restock, credits no balance, and refunds never more than 0 (decision 123)', async () => {
    const { game, made } = await free()
    const more = await refund(made.id, { amount_cents: 1 })
    expect([more.status, more.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    const { status } = await refund(made.id, { amount_cents: 0, restock: true, to_balance: true })
    expect(status).toBe(201)
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(1)
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
  })
})
