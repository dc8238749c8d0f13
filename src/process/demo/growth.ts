import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { planStarts } from './programs.ts'
import { type OrderRef, productOf, type Scenario, SILENT_URL } from './scenario.ts'
import { addKeys } from './set-up.ts'

const BALANCE_CENTS = 6_000
/** The age of the endpoint without a receiver. */
const FAILING_MS = 12 * HOUR_MS
const EVENTS = ['order.created', 'order.completed']

/** Plans the subscriptions. Most are renewed from a balance; the others need a payment for each renewal. */
export function planSubscriptions(scenario: Scenario): void {
  const { random, size, from, until } = scenario
  for (let index = 0; index < size.subscriptions; index++) {
    const part = (index + random.next()) / size.subscriptions
    // None starts at the very beginning or end of the history.
    const moment = Math.floor(from + (until - from) * (0.03 + 0.94 * part))
    const person = scenario.people[index * 3]
    const hasBalance = index % 4 !== 3
    const ends = index % 5 === 4
    if (person)
      scenario.plan(moment, () => subscribe(scenario, { ...person, hasBalance, ends, moment }))
  }
  for (let day = 1; day * DAY_MS < until - from; day++)
    scenario.plan(from + day * DAY_MS, () => payRenewals(scenario, from + day * DAY_MS))
}

interface Subscriber {
  email: string
  name: string
  country: string
  hasBalance: boolean
  ends: boolean
  moment: number
}

async function subscribe(
  scenario: Scenario,
  { email, name, country, hasBalance, ends, moment }: Subscriber,
): Promise<void> {
  const customerId = await customerOf(scenario, { email, name, country })
  if (hasBalance) {
    const body = { amount_cents: BALANCE_CENTS, reason: 'Bank transfer to the balance.' }
    await scenario.call('customers.change_balance', { params: { id: customerId }, body })
  }
  const { order } = await scenario.call<{ order: OrderRef }>('orders.create', {
    body: {
      items: [{ product_id: productOf(scenario, 'cloud').id, quantity: 1 }],
      customer: { email, name, country },
      ...(hasBalance
        ? { payment_method: 'balance' }
        : { payment_method: 'manual', mark_paid: true }),
    },
  })
  planStarts(scenario, order, moment)
  if (!ends) return
  scenario.plan(moment + scenario.random.whole(12, 50) * DAY_MS, async () => {
    const { subscriptions } = await scenario.call<{ subscriptions: SubscriptionRef[] }>(
      'subscriptions.list',
      { query: { limit: '100' } },
    )
    const subscription = subscriptions.find((item) => item.initial_invoice_id === order.id)
    if (subscription && subscription.status !== 'cancelled')
      await scenario.call('subscriptions.cancel', { params: { id: subscription.id } })
  })
}

interface SubscriptionRef {
  id: number
  status: string
  initial_invoice_id: string
}

async function customerOf(
  scenario: Scenario,
  person: { email: string; name: string; country: string },
): Promise<number> {
  const { customers } = await scenario.call<{ customers: { id: number }[] }>('customers.list', {
    query: { email: person.email },
  })
  const [existingCustomer] = customers
  if (existingCustomer) return existingCustomer.id
  const { customer } = await scenario.call<{ customer: { id: number } }>('customers.create', {
    body: person,
  })
  return customer.id
}

/** Plans payments of pending renewals some hours later. One renewal remains unpaid. */
async function payRenewals(scenario: Scenario, day_ms: number): Promise<void> {
  const { subscriptions } = await scenario.call<{ subscriptions: SubscriptionRef[] }>(
    'subscriptions.list',
    { query: { status: 'past_due', limit: '100' } },
  )
  for (const { id } of subscriptions.slice(1)) {
    const { subscription } = await scenario.call<{
      subscription: { payments: { invoice_id: string; status: string }[] }
    }>('subscriptions.get', { params: { id } })
    const pendingPayment = subscription.payments.find(({ status }) => status === 'pending')
    if (!pendingPayment) continue
    scenario.plan(day_ms + scenario.random.whole(1, 20) * HOUR_MS, () =>
      scenario.call('orders.add_manual_payment', {
        params: { id: pendingPayment.invoice_id },
        body: {},
      }),
    )
  }
}

/** Plans the occasional work of the seller: more stock, payouts, and webhook endpoints. */
export function planSeller(scenario: Scenario): void {
  const { from, until } = scenario
  const timeAt = (part: number) => Math.floor(from + (until - from) * part)
  scenario.plan(timeAt(0.5), () =>
    addKeys(scenario, 'cards', { variantIndex: 0, count: 60, series: 'B' }),
  )
  scenario.plan(timeAt(0.6), () => restock(scenario, 'mug', 24))
  scenario.plan(timeAt(0.65), () => restock(scenario, 'poster', 30))
  scenario.plan(timeAt(0.7), () => payOut(scenario, 0, { isSent: true }))
  scenario.plan(until - 20 * HOUR_MS, () => payOut(scenario, 1, { isSent: false }))
  // Endpoints are created late, so that only the newest events are sent.
  scenario.plan(until - FAILING_MS, () => addFailingEndpoint(scenario))
  scenario.plan(until - 30 * MINUTE_MS, () => addEndpoints(scenario))
}

/** Adds stock to every variant except the last, so that one variant runs low. */
async function restock(scenario: Scenario, key: string, delta: number): Promise<void> {
  const { id, variants } = productOf(scenario, key)
  for (const variant of variants.slice(0, Math.max(1, variants.length - 1))) {
    const params = { id, variant_id: variant.id }
    await scenario.call('stock.update', { params, body: { delta } })
  }
}

/** Requests the payout of a partner's earnings, and plans to mark it as sent if `isSent`. */
async function payOut(
  scenario: Scenario,
  index: number,
  { isSent }: { isSent: boolean },
): Promise<void> {
  const partner = scenario.partners[index]
  if (!partner) return
  const { partner: current } = await scenario.call<{ partner: { available_cents: number } }>(
    'affiliates.get_partner',
    { params: { id: partner.id } },
  )
  if (current.available_cents < 1_000) return
  const { payout } = await scenario.call<{ payout: { id: number } }>('affiliates.request_payout', {
    body: { partner_id: partner.id, method: 'bank_transfer', destination: 'DE00 0000 0000' },
  })
  if (!isSent) return
  scenario.plan(scenario.now() + DAY_MS, () =>
    scenario.call('affiliates.send_payout', {
      params: { id: payout.id },
      body: { reference: 'Payout 1' },
    }),
  )
}

/** Adds an endpoint without a receiver, if webhooks may go to this machine. */
async function addFailingEndpoint(scenario: Scenario): Promise<void> {
  if (!scenario.allowsLoopback) return
  const description = 'An address without a listener'
  await scenario.call('webhooks.create', { body: { url: SILENT_URL, description, events: EVENTS } })
}

/** Adds a disabled endpoint, and if calls may go to this machine, the address of dynamic deliveries. */
async function addEndpoints(scenario: Scenario): Promise<void> {
  const disabledEndpoint = {
    url: 'https://hooks.example.com/shop',
    description: 'The former warehouse',
    events: EVENTS,
    enabled: false,
  }
  await scenario.call('webhooks.create', { body: disabledEndpoint })
  if (!scenario.allowsLoopback) return
  const dynamic = productOf(scenario, 'server')
  for (const { id } of dynamic.variants) {
    const params = { id: dynamic.id, variant_id: id }
    await scenario.call('variants.set_dynamic', { params, body: { url: SILENT_URL } })
  }
}
