import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { isUnavailable } from '../../src/db/failure.ts'
import { renewSubscriptionsJob } from '../../src/features/store/index.ts'
import { chanceOf, SEED } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { callUntilServed, expectStatus, type Reply } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// Random calls that change subscriptions, compared with a model that is computed from their answers. In
// each round all subscriptions become due. Then buyers, the seller and three workers act concurrently.

const SUBSCRIPTIONS = 6
const ROUNDS = 4
const ACTORS = 4
const STEPS = 5
const WORKERS = 3
const PRICE_CENTS = 1_000
const BALANCE_CENTS = 2_500
/** The statuses of the expected refusals: a subscription or an order is in another state. */
const REFUSALS = [409, 422]
const LIVE_STATUSES = ['trialing', 'active', 'past_due']
const ENDED_STATUSES = ['cancelled', 'expired']

const database = sharedDatabase({ allowsLockTimeouts: true })

interface ModelSubscription {
  id: number
  email: string
  /** The order that started the subscription. */
  firstOrderId: string
  /** The acknowledged call that ended the subscription. */
  endedBy?: string
}

interface Model {
  tradepost: ServedStore
  subscriptions: ModelSubscription[]
}

const send = ({ tradepost }: Model, method: string, path: string, body?: Json): Promise<Reply> =>
  callUntilServed(tradepost.targets[0], method, path, body ? { body } : {})

test('subscriptions that are concurrently renewed, paid, cancelled and refunded are billed once for each period', async (context) => {
  const model = await openModel(await database.openStore(context))
  for (let round = 1; round <= ROUNDS; round++) {
    await makeAllAWeekOlder(model.tradepost)
    await Promise.all([
      ...Array.from({ length: ACTORS }, (_, n) =>
        act(model, chanceOf(`subscriptions, round ${round}, actor ${n}`)),
      ),
      ...Array.from({ length: WORKERS }, () => renewAll(model.tradepost)),
    ])
    await renewAll(model.tradepost)
    for (const subscription of model.subscriptions)
      await expectBilledOnce(model, subscription, `SEED=${SEED}, round ${round}`)
    await database.expectNoFaults(`SEED=${SEED}, round ${round}`)
  }
})

/** Creates weekly subscriptions with licenses. The balance of each buyer pays two renewals. */
async function openModel(tradepost: ServedStore): Promise<Model> {
  const model: Model = { tradepost, subscriptions: [] }
  const kind = { type: 'license', product_kind: 'subscription', price_cents: PRICE_CENTS }
  const { product } = expectStatus(
    await send(model, 'POST', '/products', { name: 'Plan', ...kind }),
  ).json
  expectStatus(
    await send(model, 'PUT', `/products/${product.id}/billing`, { billing_cycle: 'weekly' }),
  )
  for (let n = 0; n < SUBSCRIPTIONS; n++) {
    const customer = { email: `member-${n}@example.com` }
    const items = [{ product_id: product.id, quantity: 1 }]
    const body = { items, customer, payment_method: 'balance', mark_paid: true }
    const { order } = expectStatus(await send(model, 'POST', '/orders', body)).json
    const gift = { amount_cents: BALANCE_CENTS, reason: 'A gift.' }
    expectStatus(await send(model, 'POST', `/customers/${order.customer.id}/balance`, gift))
    const { subscriptions } = (await send(model, 'GET', '/subscriptions')).json
    const { id } = subscriptions.find((item: Json) => item.initial_invoice_id === order.id)
    model.subscriptions.push({ id, email: customer.email, firstOrderId: order.id })
  }
  return model
}

/** Makes all subscriptions, payments and license keys a week older. No call may run meanwhile. */
async function makeAllAWeekOlder({ app, storeId }: ServedStore): Promise<void> {
  const week = sql`interval '7 days'`
  await inTransaction(app.db, async (tx) => {
    await sql`
      update subscription
         set started_at = started_at - ${week}, anchor_at = anchor_at - ${week},
             current_period_start = current_period_start - ${week},
             current_period_end = current_period_end - ${week}, billed_at = billed_at - ${week},
             due_at = due_at - ${week}
       where store_id = ${storeId}`.execute(tx)
    await sql`
      update subscription_payment
         set period_start = period_start - ${week}, period_end = period_end - ${week}
       where store_id = ${storeId}`.execute(tx)
    await sql`
      update license_key set expires_at = expires_at - ${week} where store_id = ${storeId}`.execute(
      tx,
    )
  })
}

/** Renews all due subscriptions. The runner of jobs also repeats a job that an overloaded database refused. */
async function renewAll({ app }: ServedStore): Promise<void> {
  const run = () =>
    renewSubscriptionsJob.run(app).catch((error) => {
      if (!isUnavailable(error)) throw error
      return true
    })
  while (await run());
}

/** Makes random calls one after the other, and records the acknowledged ends in the model. */
async function act(model: Model, random: () => number): Promise<void> {
  const pickRandom = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const findUnpaidOrder = async ({ id }: ModelSubscription): Promise<string | undefined> => {
    const { subscription } = (await send(model, 'GET', `/subscriptions/${id}`)).json
    return subscription.payments.find((item: Json) => item.status === 'pending')?.invoice_id
  }
  const post = async (path: string, body?: Json) =>
    expectStatus(await send(model, 'POST', path, body), ...REFUSALS).status < 300
  const calls: ((subscription: ModelSubscription) => Promise<unknown>)[] = [
    ({ id }) => post(`/subscriptions/${id}/cancel`, { at_period_end: true }),
    // Resuming is listed twice, so that more subscriptions stay active.
    ({ id }) => post(`/subscriptions/${id}/resume`),
    ({ id }) => post(`/subscriptions/${id}/resume`),
    async (subscription) => {
      const orderId = await findUnpaidOrder(subscription)
      if (orderId) await post(`/orders/${orderId}/manual-payments`, {})
    },
    async (subscription) => {
      const orderId = await findUnpaidOrder(subscription)
      if (orderId) await post(`/orders/${orderId}/balance-payments`, {})
    },
    async (subscription) => {
      if (random() > 0.3) return
      const body = { at_period_end: false }
      if (await post(`/subscriptions/${subscription.id}/cancel`, body))
        subscription.endedBy = 'a cancellation'
    },
    async (subscription) => {
      if (random() > 0.3) return
      if (await post(`/orders/${subscription.firstOrderId}/refund`, {}))
        subscription.endedBy = 'a refund'
    },
    async (subscription) => {
      const orderId = await findUnpaidOrder(subscription)
      if (orderId && random() < 0.3 && (await post(`/orders/${orderId}/cancel`, {}))) {
        subscription.endedBy = 'the end of its renewal'
      }
    },
  ]
  for (let step = 0; step < STEPS; step++) await pickRandom(calls)(pickRandom(model.subscriptions))
}

/** Fails unless each period was billed once, and the balance was reduced by its payments. */
async function expectBilledOnce(
  model: Model,
  subscription: ModelSubscription,
  hint: string,
): Promise<void> {
  const { json } = await send(model, 'GET', `/subscriptions/${subscription.id}`)
  const { status, payments, auto_renewal } = json.subscription
  if (subscription.endedBy)
    expect(LIVE_STATUSES, `${subscription.endedBy}, ${hint}`).not.toContain(status)
  const renewals = payments.filter((item: Json) => item.invoice_id !== subscription.firstOrderId)
  const paid = renewals.filter((item: Json) => item.paid_at !== null)
  expect(paid.length, hint).toBeGreaterThanOrEqual(auto_renewal.renewals_count)
  if (!subscription.endedBy) expect(paid.length, hint).toBe(auto_renewal.renewals_count)
  const starts = paid.map((item: Json) => item.period_start)
  expect(new Set(starts).size, hint).toBe(starts.length)
  // Only renewals reduce the balance, and those that end unpaid give back what it paid (decision 180).
  const { customers } = (
    await send(model, 'GET', `/customers?email=${encodeURIComponent(subscription.email)}`)
  ).json
  const orders = await Promise.all(
    renewals.map((item: Json) => send(model, 'GET', `/orders/${item.invoice_id}`)),
  )
  const debits = orders
    .filter(({ json }) => !ENDED_STATUSES.includes(json.order.status))
    .flatMap(({ json }) => json.order.payments)
    .filter((item: Json) => item.kind === 'balance' && item.status === 'succeeded')
    .reduce((sum: number, item: Json) => sum + item.amount_cents, 0)
  expect(customers[0].balance_cents, hint).toBe(BALANCE_CENTS - debits)
}
