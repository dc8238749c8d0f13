import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { addKeys } from './set-up.ts'
import { goodOf, type OrderRef, type Shop, SILENT_URL } from './shop.ts'

const BALANCE_CENTS = 6_000

/** Plans the subscriptions. Most renew from a balance; the others wait for a payment each time. */
export function planSubscriptions(shop: Shop): void {
  const { random, size, from, until } = shop
  for (let at = 0; at < size.subscriptions; at++) {
    const part = (at + random.next()) / size.subscriptions
    const moment = Math.floor(from + (until - from) * (0.03 + 0.94 * part))
    const person = shop.people[at * 3]
    const hasBalance = at % 4 !== 3
    const ends = at % 5 === 4
    if (person) shop.plan(moment, () => subscribe(shop, { ...person, hasBalance, ends, moment }))
  }
  for (let day = 1; day * DAY_MS < until - from; day++)
    shop.plan(from + day * DAY_MS, () => payRenewals(shop, from + day * DAY_MS))
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
  shop: Shop,
  { email, name, country, hasBalance, ends, moment }: Subscriber,
): Promise<void> {
  const customer = await customerOf(shop, { email, name, country })
  if (hasBalance) {
    const body = { amount_cents: BALANCE_CENTS, reason: 'Bank transfer to the balance.' }
    await shop.call('customers.change_balance', { params: { id: customer }, body })
  }
  const { order } = await shop.call<{ order: OrderRef }>('orders.create', {
    body: {
      items: [{ product_id: goodOf(shop, 'cloud').id, quantity: 1 }],
      customer: { email, name, country },
      ...(hasBalance
        ? { payment_method: 'balance' }
        : { payment_method: 'manual', mark_paid: true }),
    },
  })
  if (!ends) return
  shop.plan(moment + shop.random.whole(12, 50) * DAY_MS, async () => {
    const { subscriptions } = await shop.call<{ subscriptions: SubscriptionRef[] }>(
      'subscriptions.list',
      { query: { limit: '100' } },
    )
    const found = subscriptions.find((item) => item.initial_invoice_id === order.id)
    if (found && found.status !== 'cancelled')
      await shop.call('subscriptions.cancel', { params: { id: found.id } })
  })
}

interface SubscriptionRef {
  id: number
  status: string
  initial_invoice_id: string
}

async function customerOf(
  shop: Shop,
  person: { email: string; name: string; country: string },
): Promise<number> {
  const { customers } = await shop.call<{ customers: { id: number }[] }>('customers.list', {
    query: { email: person.email },
  })
  const [known] = customers
  if (known) return known.id
  const { customer } = await shop.call<{ customer: { id: number } }>('customers.create', {
    body: person,
  })
  return customer.id
}

/** Plans the payments of renewals that wait, a few hours later. One of them is never paid. */
async function payRenewals(shop: Shop, day: number): Promise<void> {
  const { subscriptions } = await shop.call<{ subscriptions: SubscriptionRef[] }>(
    'subscriptions.list',
    { query: { status: 'past_due', limit: '100' } },
  )
  for (const { id } of subscriptions.slice(1)) {
    const { subscription } = await shop.call<{
      subscription: { payments: { invoice_id: string; status: string }[] }
    }>('subscriptions.get', { params: { id } })
    const waiting = subscription.payments.find(({ status }) => status === 'pending')
    if (!waiting) continue
    shop.plan(day + shop.random.whole(1, 20) * HOUR_MS, () =>
      shop.call('orders.add_manual_payment', { params: { id: waiting.invoice_id }, body: {} }),
    )
  }
}

/** Plans what the seller does now and then: more stock, payouts, a blocked address, endpoints. */
export function planSeller(shop: Shop): void {
  const { from, until } = shop
  const at = (part: number) => Math.floor(from + (until - from) * part)
  shop.plan(at(0.5), () => addKeys(shop, 'cards', { at: 0, count: 60, series: 'B' }))
  shop.plan(at(0.6), () => restock(shop, 'mug', 24))
  shop.plan(at(0.65), () => restock(shop, 'poster', 30))
  shop.plan(at(0.7), () => payOut(shop, 0, true))
  shop.plan(until - 20 * HOUR_MS, () => payOut(shop, 1, false))
  // Endpoints come last: nothing is sent about the past (decision 316).
  shop.plan(until - 30 * MINUTE_MS, () => addEndpoints(shop))
}

/** More of every variant but the last, which runs low. */
async function restock(shop: Shop, key: string, delta: number): Promise<void> {
  const { id, variants } = goodOf(shop, key)
  for (const variant of variants.slice(0, Math.max(1, variants.length - 1))) {
    const params = { id, variant_id: variant.id }
    await shop.call('stock.update', { params, body: { delta } })
  }
}

/** A payout of what a partner has earned; the later one waits to be sent. */
async function payOut(shop: Shop, place: number, isSent: boolean): Promise<void> {
  const partner = shop.partners[place]
  if (!partner) return
  const { partner: now } = await shop.call<{ partner: { available_cents: number } }>(
    'affiliates.get_partner',
    { params: { id: partner.id } },
  )
  if (now.available_cents < 1_000) return
  const { payout } = await shop.call<{ payout: { id: number } }>('affiliates.request_payout', {
    body: { partner_id: partner.id, method: 'bank_transfer', destination: 'DE00 0000 0000' },
  })
  if (!isSent) return
  shop.plan(shop.now() + DAY_MS, () =>
    shop.call('affiliates.send_payout', {
      params: { id: payout.id },
      body: { reference: 'Payout 1' },
    }),
  )
}

/** An endpoint at which nobody listens, where webhooks may go to this machine, and one that is off. */
async function addEndpoints(shop: Shop): Promise<void> {
  const events = ['order.created', 'order.completed']
  const off = {
    url: 'https://hooks.example.com/shop',
    description: 'The former warehouse',
    events,
    enabled: false,
  }
  await shop.call('webhooks.create', { body: off })
  if (!shop.allowsLoopback) return
  const body = { url: SILENT_URL, description: 'Nobody listens here', events }
  await shop.call('webhooks.create', { body })
  const dynamic = goodOf(shop, 'server')
  for (const { id } of dynamic.variants) {
    const params = { id: dynamic.id, variant_id: id }
    await shop.call('variants.set_dynamic', { params, body: { url: SILENT_URL } })
  }
}
