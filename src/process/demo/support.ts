import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { goodOf, type OrderRef, type Shop } from './shop.ts'
import { QUESTIONS, REPLIES, REVIEWS, TICKETS } from './texts.ts'

const REVIEW_PART = 0.28
const RETURN_PART = 0.08
const RATINGS = [
  [5, 52],
  [4, 26],
  [3, 11],
  [2, 7],
  [1, 4],
] as const

/** Plans the review and the return of an order, from the moment on at which it was delivered. */
export function planAfterSale(shop: Shop, order: OrderRef, delivered: number): void {
  const { random } = shop
  if (random.chance(REVIEW_PART))
    shop.plan(delivered + random.whole(1, 9) * DAY_MS, () => review(shop, order))
  const item = order.items.find(({ delivery_type }) => delivery_type === 'physical')
  if (item && random.chance(RETURN_PART)) {
    const moment = delivered + random.whole(4, 12) * DAY_MS
    shop.plan(moment, () => giveBack(shop, order, { id: item.id, moment }))
  }
}

async function review(shop: Shop, order: OrderRef): Promise<void> {
  const { random } = shop
  const [item] = order.items
  if (!item) return
  const rating = random.weighted(RATINGS)
  const message = random.chance(0.75) ? random.pick(REVIEWS[rating] ?? ['']) : null
  const body = { order_id: order.id, product_id: item.product_id, rating, message }
  const { review } = await shop.call<{ review: { id: number } }>('reviews.create', { body })
  if (message === null || !random.chance(0.4)) return
  const reply = rating >= 4 ? REPLIES[0] : REPLIES[1]
  shop.plan(shop.now() + random.whole(3, 40) * HOUR_MS, () =>
    shop.call('reviews.put_reply', { params: { id: review.id }, body: { reply } }),
  )
}

/** A return: requested, approved, received and refunded, as far as the present allows. */
async function giveBack(
  shop: Shop,
  order: OrderRef,
  { id, moment }: { id: number; moment: number },
): Promise<void> {
  const { random } = shop
  const reason = random.pick([
    'too_small',
    'changed_mind',
    'damaged_or_defective',
    'not_as_described',
  ])
  const items = [{ order_item_id: id, quantity: 1, reason }]
  const answer = await shop.call<{ return: { id: number | string } }>('returns.create', {
    body: { order_id: order.id, items },
  })
  const params = { id: answer.return.id }
  const approved = moment + random.whole(4, 40) * HOUR_MS
  if (random.chance(0.2)) {
    const body = { note: 'It was worn.' }
    return shop.plan(approved, () => shop.call('returns.reject', { params, body }))
  }
  const received = approved + random.whole(4, 9) * DAY_MS
  shop.plan(approved, () => shop.call('returns.approve', { params }))
  shop.plan(received, () => shop.call('returns.receive', { params }))
  shop.plan(received + 2 * HOUR_MS, () => shop.call('returns.refund', { params }))
}

/** Plans the questions and tickets, spread over the days. */
export function planSupport(shop: Shop): void {
  for (const [at, item] of QUESTIONS.entries()) {
    const moment = momentOf(shop, at, QUESTIONS.length)
    shop.plan(moment, () => ask(shop, item, moment))
  }
  for (const [at, item] of TICKETS.entries()) {
    const moment = momentOf(shop, at, TICKETS.length)
    shop.plan(moment, () => openTicket(shop, item, moment))
  }
}

/** The last of them comes some hours before the present. */
function momentOf({ from, until, random }: Shop, at: number, count: number): number {
  const part = (at + 0.3 + 0.5 * random.next()) / count
  return Math.floor(from + (until - from) * (0.05 + 0.94 * part))
}

async function ask(
  shop: Shop,
  { good, body, answer }: (typeof QUESTIONS)[number],
  moment: number,
): Promise<void> {
  const { random } = shop
  const person = random.pick(shop.people)
  const { question } = await shop.call<{ question: { id: number } }>('questions.create', {
    body: {
      product_id: goodOf(shop, good).id,
      customer_email: person.email,
      customer_name: person.name,
      body,
    },
  })
  if (!answer) return
  shop.plan(moment + random.whole(1, 30) * HOUR_MS, () =>
    shop.call('questions.answer', { params: { id: question.id }, body: { body: answer } }),
  )
}

async function openTicket(
  shop: Shop,
  { subject, message, lines, closed }: (typeof TICKETS)[number],
  moment: number,
): Promise<void> {
  const { random } = shop
  const { email } = random.pick(shop.people)
  const { ticket } = await shop.call<{ ticket: { id: number | string } }>('tickets.create', {
    body: { email, subject, message },
  })
  const params = { id: ticket.id }
  let at = moment
  for (const [line, body] of lines.entries()) {
    at += random.whole(2, 26) * HOUR_MS
    const author = line % 2 === 0 ? 'seller' : 'customer'
    shop.plan(at, () => shop.call('tickets.post_message', { params, body: { body, author } }))
  }
  if (closed) shop.plan(at + 20 * HOUR_MS, () => shop.call('tickets.close', { params }))
}
