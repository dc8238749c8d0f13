import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import type { Person } from './people.ts'
import { buyersOf, type Outcome, outcomeOf, saleMoments } from './plan.rules.ts'
import { planAfterSale } from './support.ts'
import { CANCEL_REASONS } from './texts.ts'
import type { GoodRef, OrderRef, Trade, VariantRef } from './trade.ts'

const METHODS = [
  ['card', 55],
  ['paypal', 25],
  ['crypto', 8],
  ['manual', 12],
] as const
const COUPON_PART = 0.12
const LINK_PART = 0.14
/** A variant is bought again only while this many units of it are left. */
const UNITS_LEFT_MIN = 3

/** The agents that orders come from. */
const AGENT = 'Mozilla/5.0 (demo)'

interface Sale {
  person: Person
  outcome: Outcome
  moment: number
}

/** Plans the orders, and what follows from each. */
export function planOrders(trade: Trade): void {
  const { random, size, until } = trade
  const opened = trade.from + Math.min(DAY_MS, (until - trade.from) / 20)
  const moments = saleMoments(random, size.orders, { from: opened, until: until - 5 * MINUTE_MS })
  const buyers = buyersOf(random, size.orders, trade.people.length)
  for (const [at, moment] of moments.entries()) {
    const person = trade.people[buyers[at] ?? 0]
    const left = moments.length - 1 - at
    const outcome = outcomeOf(random, { age_ms: until - moment, left })
    if (person) trade.plan(moment, () => sell(trade, { person, outcome, moment }))
  }
}

interface Line {
  product_id: string
  variant_id: number
  quantity: number
}

interface Basket {
  lines: Line[]
  isShipped: boolean
}

/** One to three goods that are in stock. */
async function fillBasket(trade: Trade): Promise<Basket> {
  const { random, goods } = trade
  const wanted = random.weighted([
    [1, 75],
    [2, 20],
    [3, 5],
  ] as const)
  const basket: Basket = { lines: [], isShipped: false }
  const demands = [...goods.values()].map((good) => [good, good.demand] as const)
  for (let attempt = 0; attempt < 12 && basket.lines.length < wanted; attempt++) {
    const good = random.weighted(demands)
    const variant = random.pick(good.variants)
    if (basket.lines.some((line) => line.variant_id === variant.id)) continue
    const quantity = good.type === 'physical' && random.chance(0.15) ? 2 : 1
    if (!(await isInStock(trade, good, variant))) continue
    basket.lines.push({ product_id: good.id, variant_id: variant.id, quantity })
    basket.isShipped ||= good.type === 'physical'
  }
  return basket
}

async function isInStock(trade: Trade, good: GoodRef, variant: VariantRef): Promise<boolean> {
  if (good.type !== 'physical' && good.type !== 'serial') return true
  const params = { id: good.id, variant_id: variant.id }
  const { stock } = await trade.call<{ stock: { available: number | null } }>('stock.get', {
    params,
  })
  return stock.available === null || stock.available >= UNITS_LEFT_MIN
}

async function sell(trade: Trade, sale: Sale): Promise<void> {
  const { lines, isShipped } = await fillBasket(trade)
  if (lines.length === 0) return
  const { random } = trade
  const { person, outcome } = sale
  const isPaidAtOnce = ['paid', 'refunded', 'partly_refunded'].includes(outcome)
  const method = isPaidAtOnce ? random.weighted(METHODS) : 'manual'
  const coupon = random.chance(COUPON_PART) ? await usableCoupon(trade, person, lines) : undefined
  const partner = random.chance(LINK_PART) ? trade.partners[random.whole(0, 2)] : undefined
  const { order } = await trade.call<{ order: OrderRef }>('orders.create', {
    body: {
      items: lines,
      customer: { email: person.email, name: person.name, country: person.country },
      payment_method: method,
      ...(isPaidAtOnce && { mark_paid: true }),
      ...(coupon && { coupon_code: coupon }),
      ...(partner && { affiliate_code: partner.code }),
      ...(isShipped && {
        shipping_address: person.address,
        shipping_rate_id: trade.rates.get(person.country) ?? trade.rates.get('*'),
      }),
      source: random.chance(0.3) ? 'embed' : 'api',
      ip: `198.51.100.${random.whole(1, 254)}`,
      user_agent: AGENT,
    },
  })
  follow(trade, order, sale)
}

/** A coupon, if the customer may still use one for these lines. */
async function usableCoupon(
  trade: Trade,
  { email }: Person,
  items: readonly Line[],
): Promise<string | undefined> {
  const code = trade.random.pick(['WELCOME10', 'WELCOME10', 'BUNDLE5'])
  const { valid } = await trade.call<{ valid: boolean }>('coupons.validate', {
    body: { code, items, email },
  })
  return valid ? code : undefined
}

/** Plans the steps after an order was created. */
function follow(trade: Trade, order: OrderRef, { outcome, moment }: Sale): void {
  const { random } = trade
  const params = { id: order.id }
  const pay = (body: object) => trade.call('orders.add_manual_payment', { params, body })
  const after = (hours: number, run: () => Promise<unknown>) =>
    trade.plan(moment + hours * HOUR_MS, run)
  switch (outcome) {
    case 'paid':
      deliver(trade, order, moment)
      break
    case 'transfer': {
      const hours = random.whole(2, 30)
      after(hours, () => pay({ reference: `Transfer ${random.whole(10_000, 99_999)}` }))
      deliver(trade, order, moment + hours * HOUR_MS)
      break
    }
    case 'refunded':
      after(random.whole(10, 60), () => refund(trade, order, {}))
      break
    case 'partly_refunded': {
      const amount_cents = Math.ceil(order.total_cents / 3)
      after(random.whole(10, 60), () => refund(trade, order, { amount_cents }))
      deliver(trade, order, moment)
      break
    }
    case 'cancelled': {
      const reason = random.pick(CANCEL_REASONS)
      after(random.whole(1, 20), () => trade.call('orders.cancel', { params, body: { reason } }))
      break
    }
    case 'in_review': {
      const proof_text = 'Sent from my bank this morning.'
      after(0, () => pay({ status: 'pending_review', proof_text }))
      break
    }
    case 'partly_paid': {
      const amount_cents = Math.max(1, Math.floor(order.total_cents / 2))
      after(0, () => pay({ amount_cents }))
      break
    }
    // The order expires when it is due, or waits.
    case 'expired':
    case 'waiting':
  }
}

const refund = (
  trade: Trade,
  { id }: OrderRef,
  part: { amount_cents?: number },
): Promise<unknown> =>
  trade.call('orders.refund', {
    params: { id },
    body: { reason: 'requested_by_customer', ...part },
  })

/** Plans the deliveries that need the seller, and the events after the last of them. */
function deliver(trade: Trade, order: OrderRef, paid: number): void {
  const { random } = trade
  const params = { id: order.id }
  let done = paid + MINUTE_MS
  for (const { id, delivery_type } of order.items) {
    if (delivery_type !== 'service' && delivery_type !== 'dynamic') continue
    const moment = paid + random.whole(1, 30) * HOUR_MS
    const text =
      delivery_type === 'service'
        ? 'Your review is on Tuesday at 10. The link comes an hour before.'
        : `Your place: play-${random.whole(100, 999)}.example.com`
    trade.plan(moment, () =>
      trade.call('orders.deliver', { params, body: { order_item_id: id, text } }),
    )
    done = Math.max(done, moment)
  }
  if (order.items.some((item) => item.delivery_type === 'physical')) {
    const shipped = paid + random.whole(8, 50) * HOUR_MS
    trade.plan(shipped, () => ship(trade, order, shipped))
    done = Math.max(done, shipped)
  }
  planAfterSale(trade, order, done + MINUTE_MS)
}

async function ship(trade: Trade, { id }: OrderRef, shipped: number): Promise<void> {
  const { random } = trade
  const tracking_number = `DEMO${random.whole(1e8, 9e8)}`
  const { fulfillment } = await trade.call<{ fulfillment: { id: number | string } }>(
    'fulfillments.create',
    { params: { id }, body: { carrier_code: 'parcel', tracking_number } },
  )
  const params = { id: fulfillment.id }
  trade.plan(shipped + random.whole(30, 140) * HOUR_MS, () =>
    trade.call('fulfillments.update', { params, body: { shipment_status: 'delivered' } }),
  )
}
