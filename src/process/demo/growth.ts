import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { addKeys } from './set-up.ts'
import { goodOf, type OrderRef, SILENT_URL, type Trade } from './trade.ts'

const BALANCE_CENTS = 6_000

/** Plans the subscriptions. Most renew from a balance; the others wait for a payment each time. */
export function planSubscriptions(trade: Trade): void {
  const { random, size, from, until } = trade
  for (let at = 0; at < size.subscriptions; at++) {
    const part = (at + random.next()) / size.subscriptions
    const moment = Math.floor(from + (until - from) * (0.03 + 0.94 * part))
    const person = trade.people[at * 3]
    const hasBalance = at % 4 !== 3
    const ends = at % 5 === 4
    if (person) trade.plan(moment, () => subscribe(trade, { ...person, hasBalance, ends, moment }))
  }
  for (let day = 1; day * DAY_MS < until - from; day++)
    trade.plan(from + day * DAY_MS, () => payRenewals(trade, from + day * DAY_MS))
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
  trade: Trade,
  { email, name, country, hasBalance, ends, moment }: Subscriber,
): Promise<void> {
  const customer = await customerOf(trade, { email, name, country })
  if (hasBalance) {
    const body = { amount_cents: BALANCE_CENTS, reason: 'Bank transfer to the balance.' }
    await trade.call('customers.change_balance', { params: { id: customer }, body })
  }
  const { order } = await trade.call<{ order: OrderRef }>('orders.create', {
    body: {
      items: [{ product_id: goodOf(trade, 'cloud').id, quantity: 1 }],
      customer: { email, name, country },
      ...(hasBalance
        ? { payment_method: 'balance' }
        : { payment_method: 'manual', mark_paid: true }),
    },
  })
  if (!ends) return
  trade.plan(moment + trade.random.whole(12, 50) * DAY_MS, async () => {
    const { subscriptions } = await trade.call<{ subscriptions: SubscriptionRef[] }>(
      'subscriptions.list',
      { query: { limit: '100' } },
    )
    const found = subscriptions.find((item) => item.initial_invoice_id === order.id)
    if (found && found.status !== 'cancelled')
      await trade.call('subscriptions.cancel', { params: { id: found.id } })
  })
}

interface SubscriptionRef {
  id: number
  status: string
  initial_invoice_id: string
}

async function customerOf(
  trade: Trade,
  person: { email: string; name: string; country: string },
): Promise<number> {
  const { customers } = await trade.call<{ customers: { id: number }[] }>('customers.list', {
    query: { email: person.email },
  })
  const [known] = customers
  if (known) return known.id
  const { customer } = await trade.call<{ customer: { id: number } }>('customers.create', {
    body: person,
  })
  return customer.id
}

/** Plans the payments of renewals that wait, a few hours later. One of them is never paid. */
async function payRenewals(trade: Trade, day: number): Promise<void> {
  const { subscriptions } = await trade.call<{ subscriptions: SubscriptionRef[] }>(
    'subscriptions.list',
    { query: { status: 'past_due', limit: '100' } },
  )
  for (const { id } of subscriptions.slice(1)) {
    const { subscription } = await trade.call<{
      subscription: { payments: { invoice_id: string; status: string }[] }
    }>('subscriptions.get', { params: { id } })
    const waiting = subscription.payments.find(({ status }) => status === 'pending')
    if (!waiting) continue
    trade.plan(day + trade.random.whole(1, 20) * HOUR_MS, () =>
      trade.call('orders.add_manual_payment', { params: { id: waiting.invoice_id }, body: {} }),
    )
  }
}

/** Plans the occasional work of the seller: more stock, payouts, a blocked address, endpoints. */
export function planSeller(trade: Trade): void {
  const { from, until } = trade
  const at = (part: number) => Math.floor(from + (until - from) * part)
  trade.plan(at(0.5), () => addKeys(trade, 'cards', { at: 0, count: 60, series: 'B' }))
  trade.plan(at(0.6), () => restock(trade, 'mug', 24))
  trade.plan(at(0.65), () => restock(trade, 'poster', 30))
  trade.plan(at(0.7), () => payOut(trade, 0, true))
  trade.plan(until - 20 * HOUR_MS, () => payOut(trade, 1, false))
  // Endpoints come last: nothing is sent about the past (decision 316).
  trade.plan(until - 30 * MINUTE_MS, () => addEndpoints(trade))
}

/** More of every variant but the last, which runs low. */
async function restock(trade: Trade, key: string, delta: number): Promise<void> {
  const { id, variants } = goodOf(trade, key)
  for (const variant of variants.slice(0, Math.max(1, variants.length - 1))) {
    const params = { id, variant_id: variant.id }
    await trade.call('stock.update', { params, body: { delta } })
  }
}

/** A payout of a partner's earnings; the later one waits to be sent. */
async function payOut(trade: Trade, index: number, isSent: boolean): Promise<void> {
  const partner = trade.partners[index]
  if (!partner) return
  const { partner: now } = await trade.call<{ partner: { available_cents: number } }>(
    'affiliates.get_partner',
    { params: { id: partner.id } },
  )
  if (now.available_cents < 1_000) return
  const { payout } = await trade.call<{ payout: { id: number } }>('affiliates.request_payout', {
    body: { partner_id: partner.id, method: 'bank_transfer', destination: 'DE00 0000 0000' },
  })
  if (!isSent) return
  trade.plan(trade.now() + DAY_MS, () =>
    trade.call('affiliates.send_payout', {
      params: { id: payout.id },
      body: { reference: 'Payout 1' },
    }),
  )
}

/** An endpoint without a receiver, if webhooks may go to this machine, and one that is off. */
async function addEndpoints(trade: Trade): Promise<void> {
  const events = ['order.created', 'order.completed']
  const off = {
    url: 'https://hooks.example.com/shop',
    description: 'The former warehouse',
    events,
    enabled: false,
  }
  await trade.call('webhooks.create', { body: off })
  if (!trade.allowsLoopback) return
  const body = { url: SILENT_URL, description: 'An address without a listener', events }
  await trade.call('webhooks.create', { body })
  const dynamic = goodOf(trade, 'server')
  for (const { id } of dynamic.variants) {
    const params = { id: dynamic.id, variant_id: id }
    await trade.call('variants.set_dynamic', { params, body: { url: SILENT_URL } })
  }
}
