import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import type { DemoPerson } from './people.ts'
import { buyersOf, type OrderOutcome, outcomeOf, saleMoments } from './plan.rules.ts'
import { planStarts } from './programs.ts'
import { isPaidAtProvider, payAtProvider } from './provider-payments.ts'
import type { OrderRef, ProductRef, Scenario, VariantRef } from './scenario.ts'
import { planAfterSale } from './support.ts'
import { CANCEL_REASONS } from './texts.ts'

const METHODS = [
  ['card', 55],
  ['paypal', 25],
  ['crypto', 8],
  ['manual', 12],
] as const
/** The outcomes of orders that are paid when they are made. */
const PAID_AT_ONCE: readonly OrderOutcome[] = ['paid', 'refunded', 'partly_refunded', 'disputed']
const COUPON_PROBABILITY = 0.12
const LINK_PROBABILITY = 0.14
/** A variant is not bought if fewer units are in stock. */
const STOCK_MIN = 3

/** The `user_agent` of the orders. */
const USER_AGENT = 'Mozilla/5.0 (demo)'

interface Sale {
  person: DemoPerson
  outcome: OrderOutcome
  moment: number
  /** The number of orders before it. */
  index: number
}

/** Plans the orders, and the steps after each order. */
export function planOrders(scenario: Scenario): void {
  const { random, size, until } = scenario
  const salesStart = scenario.from + Math.min(DAY_MS, (until - scenario.from) / 20)
  const moments = saleMoments(random, size.orders, {
    from: salesStart,
    until: until - 5 * MINUTE_MS,
  })
  const buyers = buyersOf(random, size.orders, scenario.people.length)
  for (const [index, moment] of moments.entries()) {
    const person = scenario.people[buyers[index] ?? 0]
    const newerOrders = moments.length - 1 - index
    const outcome = outcomeOf(random, { age_ms: until - moment, newerOrders })
    if (person) scenario.plan(moment, () => sell(scenario, { person, outcome, moment, index }))
  }
}

interface BasketLine {
  product_id: string
  variant_id: number
  quantity: number
}

interface Basket {
  lines: BasketLine[]
  isShipped: boolean
}

/** Picks one to three products that are in stock. */
async function fillBasket(scenario: Scenario): Promise<Basket> {
  const { random, products } = scenario
  const lineCount = random.weighted([
    [1, 75],
    [2, 20],
    [3, 5],
  ] as const)
  const basket: Basket = { lines: [], isShipped: false }
  const demands = [...products.values()].map((product) => [product, product.demand] as const)
  for (let attempt = 0; attempt < 12 && basket.lines.length < lineCount; attempt++) {
    const product = random.weighted(demands)
    const variant = random.pick(product.variants)
    if (basket.lines.some((line) => line.variant_id === variant.id)) continue
    const quantity = product.type === 'physical' && random.chance(0.15) ? 2 : 1
    if (!(await isInStock(scenario, product, variant))) continue
    basket.lines.push({ product_id: product.id, variant_id: variant.id, quantity })
    basket.isShipped ||= product.type === 'physical'
  }
  return basket
}

async function isInStock(
  scenario: Scenario,
  product: ProductRef,
  variant: VariantRef,
): Promise<boolean> {
  if (product.type !== 'physical' && product.type !== 'serial') return true
  const params = { id: product.id, variant_id: variant.id }
  const { stock } = await scenario.call<{ stock: { available: number | null } }>('stock.get', {
    params,
  })
  return stock.available === null || stock.available >= STOCK_MIN
}

async function sell(scenario: Scenario, sale: Sale): Promise<void> {
  const { lines, isShipped } = await fillBasket(scenario)
  if (lines.length === 0) return
  const { random } = scenario
  const { person, outcome, index } = sale
  const isPaidAtOnce = PAID_AT_ONCE.includes(outcome)
  const method = isPaidAtOnce ? random.weighted(METHODS) : 'manual'
  const isAtProvider = isPaidAtProvider(scenario, { outcome, method, index })
  const couponCode = random.chance(COUPON_PROBABILITY)
    ? await usableCoupon(scenario, person, lines)
    : undefined
  const partner = random.chance(LINK_PROBABILITY)
    ? scenario.partners[random.whole(0, 2)]
    : undefined
  const { order } = await scenario.call<{ order: OrderRef }>('orders.create', {
    body: {
      items: lines,
      customer: { email: person.email, name: person.name, country: person.country },
      payment_method: isAtProvider ? 'test' : method,
      ...(isPaidAtOnce && !isAtProvider && { mark_paid: true }),
      ...(couponCode && { coupon_code: couponCode }),
      ...(partner && { affiliate_code: partner.code }),
      ...(isShipped && {
        shipping_address: person.address,
        shipping_rate_id: scenario.rates.get(person.country) ?? scenario.rates.get('*'),
      }),
      source: random.chance(0.3) ? 'embed' : 'api',
      ip: `198.51.100.${random.whole(1, 254)}`,
      user_agent: USER_AGENT,
    },
  })
  if (isAtProvider) await payAtProvider(scenario, order, outcome)
  planNextSteps(scenario, order, sale)
}

/** Returns the code of a random coupon if the customer may use it for these lines. */
async function usableCoupon(
  scenario: Scenario,
  { email }: DemoPerson,
  items: readonly BasketLine[],
): Promise<string | undefined> {
  const code = scenario.random.pick(['WELCOME10', 'WELCOME10', 'BUNDLE5'])
  const { valid } = await scenario.call<{ valid: boolean }>('coupons.validate', {
    body: { code, items, email },
  })
  return valid ? code : undefined
}

/** Plans the steps after an order was created. */
function planNextSteps(scenario: Scenario, order: OrderRef, { outcome, moment }: Sale): void {
  const { random } = scenario
  const params = { id: order.id }
  const pay = (body: object) => scenario.call('orders.add_manual_payment', { params, body })
  const after = (hours: number, run: () => Promise<unknown>) =>
    scenario.plan(moment + hours * HOUR_MS, run)
  switch (outcome) {
    case 'paid':
      deliver(scenario, order, moment)
      break
    case 'transfer': {
      const hours = random.whole(2, 30)
      after(hours, () => pay({ reference: `Transfer ${random.whole(10_000, 99_999)}` }))
      deliver(scenario, order, moment + hours * HOUR_MS)
      break
    }
    case 'refunded':
      after(random.whole(10, 60), () => refund(scenario, order, {}))
      break
    case 'partly_refunded': {
      const amount_cents = Math.ceil(order.total_cents / 3)
      after(random.whole(10, 60), () => refund(scenario, order, { amount_cents }))
      deliver(scenario, order, moment)
      break
    }
    case 'cancelled': {
      const reason = random.pick(CANCEL_REASONS)
      after(random.whole(1, 20), () => scenario.call('orders.cancel', { params, body: { reason } }))
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
    // No step is needed: the order expires, remains unpaid, or is on hold.
    case 'expired':
    case 'waiting':
    case 'declined':
    case 'paying':
    case 'disputed':
  }
}

const refund = (
  scenario: Scenario,
  { id }: OrderRef,
  part: { amount_cents?: number },
): Promise<unknown> =>
  scenario.call('orders.refund', {
    params: { id },
    body: { reason: 'requested_by_customer', ...part },
  })

/** Plans the deliveries that the seller makes, and the steps after the last delivery. */
function deliver(scenario: Scenario, order: OrderRef, paidAt: number): void {
  const { random } = scenario
  const params = { id: order.id }
  let deliveredAt = paidAt + MINUTE_MS
  for (const { id, delivery_type } of order.items) {
    if (delivery_type !== 'service' && delivery_type !== 'dynamic') continue
    const moment = paidAt + random.whole(1, 30) * HOUR_MS
    const text =
      delivery_type === 'service'
        ? 'Your review is on Tuesday at 10. The link comes an hour before.'
        : `Your place: play-${random.whole(100, 999)}.example.com`
    scenario.plan(moment, () =>
      scenario.call('orders.deliver', { params, body: { order_item_id: id, text } }),
    )
    deliveredAt = Math.max(deliveredAt, moment)
  }
  if (order.items.some((item) => item.delivery_type === 'physical')) {
    const shippedAt = paidAt + random.whole(8, 50) * HOUR_MS
    scenario.plan(shippedAt, () => ship(scenario, order, shippedAt))
    deliveredAt = Math.max(deliveredAt, shippedAt)
  }
  planStarts(scenario, order, paidAt)
  planAfterSale(scenario, order, deliveredAt + MINUTE_MS)
}

async function ship(scenario: Scenario, { id }: OrderRef, shippedAt: number): Promise<void> {
  const { random } = scenario
  const tracking_number = `DEMO${random.whole(1e8, 9e8)}`
  const { fulfillment } = await scenario.call<{ fulfillment: { id: number | string } }>(
    'fulfillments.create',
    { params: { id }, body: { carrier_code: 'parcel', tracking_number } },
  )
  const params = { id: fulfillment.id }
  scenario.plan(shippedAt + random.whole(30, 140) * HOUR_MS, () =>
    scenario.call('fulfillments.update', { params, body: { shipment_status: 'delivered' } }),
  )
}
