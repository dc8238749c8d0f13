import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, orderOf, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { createStoreWithKeys } from '../account/index.ts'
import { expireOrdersJob } from '../payments/index.ts'
import { renewSubscriptionsJob } from '../subscriptions/renew-subscriptions.job.ts'

// Store credit paid for an order that ends unpaid goes back to the balance (decision 180).

let tradepost: Tradepost
let customerCount = 0

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

/** Creates a customer with this balance. */
async function createCustomer(amount_cents: number, options: CallOptions = {}): Promise<Json> {
  const email = `buyer-${++customerCount}@example.com`
  const { customer } = await expectSuccess(tradepost.post('/customers', { email }, options))
  const credit = { amount_cents, reason: 'A gift.' }
  await expectSuccess(tradepost.post(`/customers/${customer.id}/balance`, credit, options))
  return customer
}

const service = (options: CallOptions = {}) => product(tradepost, { type: 'service' }, options)
const balanceOf = async ({ id }: Json, options: CallOptions = {}): Promise<number> =>
  (await tradepost.get(`/customers/${id}`, options)).json.customer.balance_cents
const entriesOf = async ({ id }: Json): Promise<Json[]> =>
  (await tradepost.get(`/customers/${id}/balance-entries`)).json.balance_entries
const payFromBalance = (id: string, amount_cents: number, options: CallOptions = {}) =>
  expectSuccess(tradepost.post(`/orders/${id}/balance-payments`, { amount_cents }, options))
const readOrder = async (id: string, options: CallOptions = {}): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`, options)).json.order

/** Creates an order of 10.00 of which a part is paid from the balance. */
async function createPartPaid({ email }: Json, amount_cents: number): Promise<string> {
  const { id } = await order(tradepost, (await service()).id, { customer: { email } })
  await payFromBalance(id, amount_cents)
  await tradepost.events()
  return id
}

async function expire(): Promise<void> {
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
}

const ENDS = {
  cancelled: (id: string) =>
    expectSuccess(tradepost.post(`/orders/${id}/cancel`, { reason: 'Sold elsewhere.' })),
  expired: expire,
}

describe.each(['cancelled', 'expired'] as const)('the credit of an order that is %s', (end) => {
  test('goes back to the balance, as a refund by the system', async () => {
    const customer = await createCustomer(700)
    const id = await createPartPaid(customer, 600)
    await ENDS[end](id)
    expect(await balanceOf(customer)).toBe(700)
    expect((await entriesOf(customer))[0]).toMatchObject({
      amount_cents: 600,
      balance_cents: 700,
      reason: 'order_ended',
      order_id: id,
    })
    const after = await readOrder(id)
    expect(after).toMatchObject({
      status: end,
      paid_cents: 600,
      refunded_cents: 600,
      refund_status: 'full',
      payments: [{ kind: 'balance', status: 'succeeded', amount_cents: 600 }],
      refunds: [
        {
          amount_cents: 600,
          reason: 'other',
          note: null,
          restock: false,
          actor: { type: 'system', id: null, name: null },
        },
      ],
    })
    expect(after.status_history.at(-1).status).toBe(end)
    expect(await tradepost.events()).toEqual([`order.${end}`, 'order.refunded'])
    const { object } = (await tradepost.payloads('order.refunded')).at(-1).data
    expect(object).toMatchObject({
      id,
      status: end,
      refunded_amount: 6,
      refund: { amount: 6, reason: 'other' },
    })
    const repeat = await tradepost.post(`/orders/${id}/refund`)
    expect([repeat.status, repeat.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    expect((await tradepost.get(`/customers/${customer.id}`)).json.customer).toMatchObject({
      total_spent_cents: 0,
      orders_count: 0,
    })
  })

  test('goes back without what was paid by other methods, which the seller refunds', async () => {
    const customer = await createCustomer(400)
    const id = await createPartPaid(customer, 250)
    await payFromBalance(id, 50)
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 100 }))
    await ENDS[end](id)
    expect(await balanceOf(customer)).toBe(400)
    expect(await readOrder(id)).toMatchObject({
      status: end,
      paid_cents: 400,
      refunded_cents: 300,
      refund_status: 'partial',
    })
    expect(await tradepost.events()).toEqual([`order.${end}`, 'order.refunded'])
    const { order: refunded } = await expectSuccess(tradepost.post(`/orders/${id}/refund`))
    expect(refunded).toMatchObject({ refunded_cents: 400, refund_status: 'full', status: end })
    expect(await balanceOf(customer)).toBe(400)
  })

  test('stays with the order of an erased customer, and can be refunded', async () => {
    const customer = await createCustomer(400)
    const id = await createPartPaid(customer, 400)
    await expectSuccess(tradepost.post(`/customers/${customer.id}/erase`))
    await tradepost.events()
    await ENDS[end](id)
    expect(await readOrder(id)).toMatchObject({ status: end, refunded_cents: 0, refunds: [] })
    expect(await tradepost.events()).toEqual([`order.${end}`])
    await expectSuccess(tradepost.post(`/orders/${id}/refund`, { to_balance: false }))
    expect((await readOrder(id)).refund_status).toBe('full')
  })

  test('stays with the order if the balance cannot hold it', async () => {
    const customer = await createCustomer(400)
    const id = await createPartPaid(customer, 400)
    const credit = { amount_cents: 99_999_999_999, reason: 'A gift.' }
    await expectSuccess(tradepost.post(`/customers/${customer.id}/balance`, credit))
    await sql`
      with entry as (
        update balance_entry set amount_cents = ${Number.MAX_SAFE_INTEGER}::bigint,
                                 balance_cents = ${Number.MAX_SAFE_INTEGER}::bigint
         where customer_id = ${customer.id} and amount_cents = ${credit.amount_cents}
        returning customer_id
      )
      update customer set balance_cents = ${Number.MAX_SAFE_INTEGER}::bigint
       where id in (select customer_id from entry)`.execute(tradepost.db)
    await ENDS[end](id)
    expect(await readOrder(id)).toMatchObject({ status: end, refunded_cents: 0 })
    expect(await tradepost.events()).toEqual([`order.${end}`])
  })

  test('is not looked for in what was paid by other methods', async () => {
    const { id } = await order(tradepost, (await service()).id)
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 300 }))
    await tradepost.events()
    await ENDS[end](id)
    expect(await tradepost.events()).toEqual([`order.${end}`])
    expect(await readOrder(id)).toMatchObject({ refund_status: 'none', refunded_cents: 0 })
  })
})

test('an order under review is cancelled with its credit, and its review is rejected', async () => {
  const customer = await createCustomer(300)
  const id = await createPartPaid(customer, 300)
  const review = { amount_cents: 700, status: 'pending_review' }
  await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, review))
  await tradepost.events()
  const { order: after } = await ENDS.cancelled(id)
  expect(after).toMatchObject({ status: 'cancelled', refund_status: 'full', refunded_cents: 300 })
  expect(after.payments.map(({ status }: Json) => status)).toEqual(['succeeded', 'rejected'])
  expect(await balanceOf(customer)).toBe(300)
  expect(await tradepost.events()).toEqual(['order.cancelled', 'order.refunded'])
})

test('an expired order that is paid late owes the returned credit again', async () => {
  const customer = await createCustomer(400)
  const game = await product(tradepost, {}, { keys: keysNamed('LATE', 2) })
  const { id } = await order(tradepost, game.id, { customer: { email: customer.email } })
  await payFromBalance(id, 400)
  await expire()
  const { payment, order: after } = await expectSuccess(
    tradepost.post(`/orders/${id}/manual-payments`, {}),
  )
  expect(payment.amount_cents).toBe(1_000)
  expect(after).toMatchObject({ status: 'completed', refund_status: 'partial', paid_cents: 1_400 })
  await expectSuccess(tradepost.post(`/orders/${id}/refund`))
  expect(await balanceOf(customer)).toBe(400)
})

test('the audit trail names the caller who cancelled, and the amount that went back', async () => {
  const customer = await createCustomer(200)
  const id = await createPartPaid(customer, 200)
  await ENDS.cancelled(id)
  const { audit_events: events } = await expectSuccess(
    tradepost.get(`/account/audit-events?object_id=${id}&limit=1`),
  )
  expect(events[0]).toMatchObject({ action: 'order.cancel', actor: { type: 'api_key' } })
  expect(events[0].changes.refunded_cents).toEqual({ from: 0, to: 200 })
})

test('the credit of many customers in several currencies goes back to each of them once', async () => {
  const expected: { id: string; customer: Json; as: CallOptions; paid: number }[] = []
  for (const currency of ['EUR', 'JPY', 'KWD']) {
    const { live } = await createStoreWithKeys(tradepost.app, {
      name: `Store ${currency}`,
      currency,
      plan: 'self_hosted',
    })
    const as = { as: live }
    const { id: productId } = await service(as)
    for (let n = 1; n <= 5; n++) {
      const customer = await createCustomer(100 * n, as)
      for (const part of [30 * n, 20 * n]) {
        const body = orderOf(productId, { customer: { email: customer.email } })
        const { order: newOrder } = await expectSuccess(tradepost.post('/orders', body, as))
        await payFromBalance(newOrder.id, part, as)
        expected.push({ id: newOrder.id, customer, as, paid: part })
      }
    }
  }
  for (const [index, { id, as }] of expected.entries())
    if (index % 2 === 0) await expectSuccess(tradepost.post(`/orders/${id}/cancel`, {}, as))
  await tradepost.events()
  await expire()
  const types = await tradepost.events()
  expect(types.filter((type) => type === 'order.refunded')).toHaveLength(expected.length / 2)
  for (const { id, customer, as, paid } of expected) {
    const after = await readOrder(id, as)
    expect([after.refunded_cents, after.refunds[0].currency]).toEqual([paid, after.currency])
    const { json } = await tradepost.get(`/customers/${customer.id}/balance-entries`, as)
    const returned = json.balance_entries.filter(({ reason }: Json) => reason === 'order_ended')
    expect(returned).toHaveLength(2)
    expect(await balanceOf(customer, as)).toBe(json.balance_entries.at(-1).amount_cents)
  }
})

describe('the credit of a renewal order', () => {
  /** Subscribes, lets a renewal fail because the balance is too low, and pays a part of its order. */
  async function createPartPaidRenewal() {
    const customer = await createCustomer(1_000)
    const productId = await subscriptionProduct(tradepost, { recurring_price_cents: 1_000 })
    const fields = { customer: { email: customer.email }, mark_paid: false }
    const subscription = await subscribe(tradepost, productId, {
      ...fields,
      payment_method: 'balance',
    })
    const credit = { amount_cents: 350, reason: 'A gift.' }
    await expectSuccess(tradepost.post(`/customers/${customer.id}/balance`, credit))
    tradepost.forward(32 * DAY_MS)
    await renewSubscriptionsJob.run(tradepost.app)
    const { json } = await tradepost.get(`/orders?customer_id=${customer.id}&status=pending`)
    const { id } = json.orders[0]
    await payFromBalance(id, 300)
    expect(await balanceOf(customer)).toBe(50)
    await tradepost.events()
    return { customer, subscription, id }
  }

  test('goes back if the subscription is cancelled', async () => {
    const { customer, subscription, id } = await createPartPaidRenewal()
    await expectSuccess(
      tradepost.post(`/subscriptions/${subscription.id}/cancel`, { at_period_end: false }),
    )
    expect(await balanceOf(customer)).toBe(350)
    expect(await readOrder(id)).toMatchObject({ status: 'cancelled', refund_status: 'full' })
    const types = await tradepost.events()
    expect(types).toEqual(['order.cancelled', 'order.refunded'])
  })

  test('goes back if the last attempt to charge it fails', async () => {
    const { customer, subscription, id } = await createPartPaidRenewal()
    for (let day = 0; day < 20; day++) {
      tradepost.forward(DAY_MS)
      await renewSubscriptionsJob.run(tradepost.app)
    }
    const after = (await tradepost.get(`/subscriptions/${subscription.id}`)).json.subscription
    expect(after.status).toBe('expired')
    expect(await readOrder(id)).toMatchObject({ status: 'expired', refunded_cents: 300 })
    expect(await balanceOf(customer)).toBe(350)
    expect(await tradepost.events()).toEqual(['order.expired', 'order.refunded'])
  })

  test('goes back if the first order is refunded, which ends the subscription', async () => {
    const { customer, subscription, id } = await createPartPaidRenewal()
    const refund = { reason: 'requested_by_customer', to_balance: false }
    await expectSuccess(tradepost.post(`/orders/${subscription.initial_invoice_id}/refund`, refund))
    await renewSubscriptionsJob.run(tradepost.app)
    expect(await readOrder(id)).toMatchObject({ status: 'cancelled', refund_status: 'full' })
    expect(await balanceOf(customer)).toBe(350)
    expect(await tradepost.events()).toEqual([
      'order.refunded',
      'order.cancelled',
      'order.refunded',
    ])
  })
})
