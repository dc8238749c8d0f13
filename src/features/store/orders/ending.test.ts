import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { clockCommands } from '../../installation/clock/index.ts'
import { expireOrdersJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  tradepost.stopClock()
})
afterAll(() => tradepost.close())

const read = async (id: string, as = tradepost.live): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`, { as })).json.order
const stockOf = async ({ id }: Stocked, as = tradepost.live): Promise<number> =>
  (await tradepost.get(`/products/${id}`, { as })).json.variants[0].stock_quantity
const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/manual-payments`, body)
const expire = () => expireOrdersJob.run(tradepost.app)

async function advance(duration: string, side = tradepost.test): Promise<Json> {
  const [clock] = clockCommands
  return clock?.run(tradepost.app, { store: side.id, duration })
}

describe('an order that is not paid in time', () => {
  test('expires when its hour is over and not before, returns its stock, and emits one event', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('EXP', 2) })
    const made = await order(tradepost, game.id, { items: [{ product_id: game.id, quantity: 2 }] })
    await tradepost.events()
    tradepost.forward(HOUR_MS - 5 * SECOND_MS)
    await expire()
    expect((await read(made.id)).status).toBe('pending')
    expect(await stockOf(game)).toBe(0)
    expect(await tradepost.events()).toEqual([])

    tradepost.forward(5 * SECOND_MS)
    await expire()
    await expire()
    const after = await read(made.id)
    expect(after).toMatchObject({ status: 'expired', paid_cents: 0, cancelled_at: null })
    expect(after.status_history.map((step: Json) => step.status)).toEqual(['pending', 'expired'])
    expect(await stockOf(game)).toBe(2)
    expect(await tradepost.events()).toEqual(['order.expired'])
    const emitted = (await tradepost.payloads('order.expired')).at(-1).data.object
    expect(emitted).toMatchObject({ id: made.id, status: 'expired', total: 20, paid_at: null })
  })

  test('that cannot be expired does not keep the others from it, and is tried again', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const [before, bad, after] = [
      await order(tradepost, id),
      await order(tradepost, id),
      await order(tradepost, id),
    ]
    await sql`
      create function refuse() returns trigger language plpgsql
          as $$ begin raise exception 'not this one'; end $$`.execute(tradepost.db)
    await sql`
      create trigger refuse before update on "order"
         for each row when (old.id = ${sql.lit(bad.id)}) execute function refuse()`.execute(
      tradepost.db,
    )
    await tradepost.events()
    tradepost.forward(HOUR_MS)
    expect(await expire()).toBe(false)
    const statuses = async () =>
      (await Promise.all([before, bad, after].map((item) => read(item.id)))).map(
        (item) => item.status,
      )
    expect(await statuses()).toEqual(['expired', 'pending', 'expired'])
    expect(await tradepost.events()).toEqual(['order.expired', 'order.expired'])

    await sql`drop function refuse cascade`.execute(tradepost.db)
    tradepost.forward(MINUTE_MS)
    await expire()
    expect(await statuses()).toEqual(['expired', 'expired', 'expired'])
    expect(await tradepost.events()).toEqual(['order.expired'])
  })

  test('expires with a part of the money in, and keeps it', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    await pay(made.id, { amount_cents: 400 })
    tradepost.forward(HOUR_MS)
    await expire()
    expect(await read(made.id)).toMatchObject({ status: 'expired', paid_cents: 400 })
  })

  test('does not expire while a payment waits for review, and has a whole hour after a rejection', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    const { payment } = (await pay(made.id, { status: 'pending_review' })).json
    tradepost.forward(5 * HOUR_MS)
    await expire()
    expect((await read(made.id)).status).toBe('manual_review')
    await tradepost.post(`/orders/${made.id}/manual-payments/${payment.id}/reject`)
    tradepost.forward(59 * MINUTE_MS)
    await expire()
    expect((await read(made.id)).status).toBe('pending')
    tradepost.forward(2 * MINUTE_MS)
    await expire()
    expect((await read(made.id)).status).toBe('expired')
  })
})

describe('money that comes late', () => {
  async function expired(keys: string[]) {
    const game = await product(tradepost, {}, { keys })
    const made = await order(tradepost, game.id)
    tradepost.forward(HOUR_MS)
    await expire()
    await tradepost.events()
    return { game, made }
  }

  test('is delivered at once where stock can be taken again', async () => {
    const { made, game } = await expired(keysNamed('LATE', 2))
    const { status, json } = await pay(made.id)
    expect(status).toBe(201)
    expect(json.order).toMatchObject({ status: 'completed', expires_at: null, paid_cents: 1000 })
    expect(json.order.deliveries).toMatchObject([{ keys: ['LATE-000001'] }])
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('waits for the seller where the stock went to another, and takes nothing from them', async () => {
    const { made, game } = await expired(['TAKEN-000001'])
    const other = await order(tradepost, game.id)
    await tradepost.events()
    const { json } = await pay(made.id)
    expect(json.order).toMatchObject({
      status: 'paid',
      deliveries: [{ status: 'pending', keys: [] }],
    })
    expect(await tradepost.events()).toEqual([])
    expect((await pay(other.id)).json.order).toMatchObject({
      status: 'completed',
      deliveries: [{ keys: ['TAKEN-000001'] }],
    })
  })

  test('in part leaves the order expired, and the rest of it pays', async () => {
    const { made } = await expired(['PART-000001'])
    expect((await pay(made.id, { amount_cents: 300 })).json.order).toMatchObject({
      status: 'expired',
      paid_cents: 300,
    })
    expect(await tradepost.events()).toEqual([])
    expect((await pay(made.id)).json.order).toMatchObject({ status: 'completed', paid_cents: 1000 })
  })

  test('cannot wait for a review, and does not make an expired order cancellable', async () => {
    const { made } = await expired(['REV-000001'])
    const late = await pay(made.id, { status: 'pending_review' })
    const cancel = await tradepost.post(`/orders/${made.id}/cancel`)
    for (const { status, json } of [late, cancel]) {
      expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'expired'])
    }
  })
})

describe('cancelling', () => {
  test('an unpaid order returns its stock, and its event has the reason', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('CAN', 1) })
    const made = await order(tradepost, game.id)
    await tradepost.events()
    const { status, json } = await tradepost.post(`/orders/${made.id}/cancel`, {
      reason: 'Changed mind',
    })
    expect(status).toBe(200)
    const { order: after } = json
    expect(after).toMatchObject({ status: 'cancelled', expires_at: null })
    expect(after.cancelled_at).toBe(after.updated_at)
    expect(after.status_history.at(-1)).toEqual({
      status: 'cancelled',
      at: after.cancelled_at,
      reason: 'Changed mind',
    })
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.cancelled'])
    const emitted = (await tradepost.payloads('order.cancelled')).at(-1).data.object
    expect(emitted).toMatchObject({ id: made.id, status: 'cancelled', reason: 'Changed mind' })
  })

  test('needs no body and no reason, also with money in and under review', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const partial = await order(tradepost, id)
    await pay(partial.id, { amount_cents: 1 })
    const reviewed = await order(tradepost, id)
    await pay(reviewed.id, { status: 'pending_review' })
    await tradepost.events()
    for (const made of [partial, reviewed]) {
      const { json } = await tradepost.post(`/orders/${made.id}/cancel`)
      expect(json.order).toMatchObject({ status: 'cancelled' })
      expect((await tradepost.payloads('order.cancelled')).at(-1).data.object.reason).toBeNull()
    }
    expect(await tradepost.events()).toEqual(['order.cancelled', 'order.cancelled'])
  })

  test.each([
    ['paid', { type: 'service' }, 'INVOICE_PAID'],
    ['completed', {}, 'INVOICE_PAID'],
  ])('an order that is %s is refused: refund it instead', async (state, fields, code) => {
    const game = await product(tradepost, fields, {
      keys: state === 'completed' ? ['DONE-0001'] : [],
    })
    const made = await order(tradepost, game.id, { mark_paid: true })
    expect(made.status).toBe(state)
    await tradepost.events()
    const { status, json } = await tradepost.post(`/orders/${made.id}/cancel`)
    expect([status, json.code]).toEqual([409, code])
    expect(await read(made.id)).toEqual(made)
    expect(await tradepost.events()).toEqual([])
  })

  test('twice is INVALID_STATE, and gives nothing back twice', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('TWICE', 3) })
    const made = await order(tradepost, game.id)
    await order(tradepost, game.id)
    await tradepost.post(`/orders/${made.id}/cancel`)
    const again = await tradepost.post(`/orders/${made.id}/cancel`)
    expect([again.status, again.json.code, again.json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'cancelled',
    ])
    expect(await stockOf(game)).toBe(2)
  })

  test('another store’s order is NOT_FOUND; an unknown field is refused', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    const path = `/orders/${made.id}/cancel`
    expect((await tradepost.post(path, {}, { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.post(path, {}, { as: tradepost.test })).status).toBe(404)
    expect((await tradepost.post(path, { refund: true })).json.details.field).toBe('refund')
    expect((await read(made.id)).status).toBe('pending')
  })
})

describe('the clock of the test side', () => {
  test('moved over an hour expires the orders that were due on the way, each at its own time', async () => {
    const as = tradepost.test
    const game = await product(tradepost, {}, { keys: keysNamed('CLOCK', 2), as })
    const first = await order(tradepost, game.id, {}, { as })
    await advance('30m')
    const second = await order(tradepost, game.id, {}, { as })
    const live = await product(tradepost, { type: 'service' })
    const untouched = await order(tradepost, live.id)
    expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBeGreaterThanOrEqual(
      30 * MINUTE_MS,
    )
    await tradepost.events()
    const { now } = await advance('3h')
    expect(await tradepost.events()).toEqual(['order.expired', 'order.expired'])
    for (const made of [first, second]) {
      const after = await read(made.id, as)
      expect(after.status).toBe('expired')
      const late_ms = Date.parse(after.updated_at) - Date.parse(made.expires_at)
      expect(late_ms).toBeGreaterThanOrEqual(0)
      expect(late_ms).toBeLessThan(20 * SECOND_MS)
    }
    expect(await stockOf(game, as)).toBe(2)
    expect((await read(untouched.id)).status).toBe('pending')
    await addKeys(tradepost, game, ['CLOCK-AFTER-1'], { as })
    const emitted = (await tradepost.payloads('product.restocked')).at(-1)
    expect(emitted.livemode).toBe(false)
    expect(emitted.created * 1000).toBeGreaterThanOrEqual(Date.parse(now) - SECOND_MS)
  })

  test('of a live side cannot be moved, and a duration has to be one', async () => {
    await expect(advance('1h', tradepost.live)).rejects.toThrow('live store')
    await expect(advance('soon')).rejects.toThrow('45s, 90m, 12h or 3d')
    await expect(advance('0m')).rejects.toThrow('45s, 90m, 12h or 3d')
  })
})

describe('a payment under review', () => {
  const review = (order: string, payment: number, verdict: string) =>
    tradepost.post(`/orders/${order}/manual-payments/${payment}/${verdict}`, {})

  test('is rejected when its order is cancelled, and no verdict changes that any more', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    await pay(made.id, { amount_cents: 100 })
    const waiting = { status: 'pending_review', amount_cents: 300, note: 'Seen?' }
    const { payment } = (await pay(made.id, waiting)).json
    await pay(made.id, waiting)
    await tradepost.events()
    tradepost.forward(MINUTE_MS)
    const { status, json } = await tradepost.post(`/orders/${made.id}/cancel`)
    expect(status).toBe(200)
    expect(json.order).toMatchObject({ status: 'cancelled', paid_cents: 100 })
    const rejected = { status: 'rejected', reviewed_at: json.order.cancelled_at, note: 'Seen?' }
    expect(json.order.payments).toMatchObject([{ status: 'approved' }, rejected, rejected])
    expect(await tradepost.events()).toEqual(['order.cancelled'])
    for (const verdict of ['approve', 'reject']) {
      const late = await review(made.id, payment.id, verdict)
      expect([late.status, late.json.code]).toEqual([409, 'INVALID_STATE'])
      expect(late.json.details.status).toBe('rejected')
    }
  })

  test('does not meet an expired order: that takes no payment to be reviewed', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id)
    const { payment } = (await pay(made.id, { status: 'pending_review' })).json
    tradepost.forward(2 * HOUR_MS)
    await expire()
    expect((await read(made.id)).status).toBe('manual_review')
    await review(made.id, payment.id, 'reject')
    tradepost.forward(2 * HOUR_MS)
    await expire()
    expect((await read(made.id)).status).toBe('expired')
    const late = await pay(made.id, { status: 'pending_review' })
    expect([late.status, late.json.code]).toEqual([409, 'INVALID_STATE'])
  })
})
