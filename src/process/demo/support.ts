import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { QUESTIONS, REPLIES, REVIEWS, TICKETS } from './texts.ts'
import { goodOf, type OrderRef, type Trade } from './trade.ts'

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
export function planAfterSale(trade: Trade, order: OrderRef, delivered: number): void {
  const { random } = trade
  if (random.chance(REVIEW_PART))
    trade.plan(delivered + random.whole(1, 9) * DAY_MS, () => review(trade, order))
  const item = order.items.find(({ delivery_type }) => delivery_type === 'physical')
  if (item && random.chance(RETURN_PART)) {
    const moment = delivered + random.whole(4, 12) * DAY_MS
    trade.plan(moment, () => giveBack(trade, order, { id: item.id, moment }))
  }
}

async function review(trade: Trade, order: OrderRef): Promise<void> {
  const { random } = trade
  const [item] = order.items
  if (!item) return
  const rating = random.weighted(RATINGS)
  const message = random.chance(0.75) ? random.pick(REVIEWS[rating] ?? ['']) : null
  const body = { order_id: order.id, product_id: item.product_id, rating, message }
  const { review } = await trade.call<{ review: { id: number } }>('reviews.create', { body })
  if (message === null || !random.chance(0.4)) return
  const reply = rating >= 4 ? REPLIES[0] : REPLIES[1]
  trade.plan(trade.now() + random.whole(3, 40) * HOUR_MS, () =>
    trade.call('reviews.put_reply', { params: { id: review.id }, body: { reply } }),
  )
}

/** A return: requested, approved, received and refunded, as far as the present allows. */
async function giveBack(
  trade: Trade,
  order: OrderRef,
  { id, moment }: { id: number; moment: number },
): Promise<void> {
  const { random } = trade
  const reason = random.pick([
    'too_small',
    'changed_mind',
    'damaged_or_defective',
    'not_as_described',
  ])
  const items = [{ order_item_id: id, quantity: 1, reason }]
  const answer = await trade.call<{ return: { id: number | string } }>('returns.create', {
    body: { order_id: order.id, items },
  })
  const params = { id: answer.return.id }
  const approved = moment + random.whole(4, 40) * HOUR_MS
  if (random.chance(0.2)) {
    const body = { note: 'It was worn.' }
    return trade.plan(approved, () => trade.call('returns.reject', { params, body }))
  }
  const received = approved + random.whole(4, 9) * DAY_MS
  trade.plan(approved, () => trade.call('returns.approve', { params }))
  trade.plan(received, () => trade.call('returns.receive', { params }))
  trade.plan(received + 2 * HOUR_MS, () => trade.call('returns.refund', { params }))
}

/** Plans the questions and tickets, spread over the days. */
export function planSupport(trade: Trade): void {
  for (const [at, item] of QUESTIONS.entries()) {
    const moment = momentOf(trade, at, QUESTIONS.length)
    trade.plan(moment, () => ask(trade, item, moment))
  }
  for (const [at, item] of TICKETS.entries()) {
    const moment = momentOf(trade, at, TICKETS.length)
    trade.plan(moment, () => openTicket(trade, item, moment))
  }
}

/** The last of them comes some hours before the present. */
function momentOf({ from, until, random }: Trade, at: number, count: number): number {
  const part = (at + 0.3 + 0.5 * random.next()) / count
  return Math.floor(from + (until - from) * (0.05 + 0.94 * part))
}

async function ask(
  trade: Trade,
  { good, body, answer }: (typeof QUESTIONS)[number],
  moment: number,
): Promise<void> {
  const { random } = trade
  const person = random.pick(trade.people)
  const { question } = await trade.call<{ question: { id: number } }>('questions.create', {
    body: {
      product_id: goodOf(trade, good).id,
      customer_email: person.email,
      customer_name: person.name,
      body,
    },
  })
  if (!answer) return
  trade.plan(moment + random.whole(1, 30) * HOUR_MS, () =>
    trade.call('questions.answer', { params: { id: question.id }, body: { body: answer } }),
  )
}

async function openTicket(
  trade: Trade,
  { subject, message, lines, closed }: (typeof TICKETS)[number],
  moment: number,
): Promise<void> {
  const { random } = trade
  const { email } = random.pick(trade.people)
  const { ticket } = await trade.call<{ ticket: { id: number | string } }>('tickets.create', {
    body: { email, subject, message },
  })
  const params = { id: ticket.id }
  let at = moment
  for (const [line, body] of lines.entries()) {
    at += random.whole(2, 26) * HOUR_MS
    const author = line % 2 === 0 ? 'seller' : 'customer'
    trade.plan(at, () => trade.call('tickets.post_message', { params, body: { body, author } }))
  }
  if (closed) trade.plan(at + 20 * HOUR_MS, () => trade.call('tickets.close', { params }))
}
