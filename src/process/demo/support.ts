import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { type OrderRef, productOf, type Scenario } from './scenario.ts'
import { QUESTIONS, REPLIES, REVIEWS, TICKETS } from './texts.ts'

const REVIEW_PROBABILITY = 0.28
const RETURN_PROBABILITY = 0.08
const RATINGS = [
  [5, 52],
  [4, 26],
  [3, 11],
  [2, 7],
  [1, 4],
] as const

/** Plans the review and the return of an order after its delivery. */
export function planAfterSale(scenario: Scenario, order: OrderRef, deliveredAt: number): void {
  const { random } = scenario
  if (random.chance(REVIEW_PROBABILITY))
    scenario.plan(deliveredAt + random.whole(1, 9) * DAY_MS, () => addReview(scenario, order))
  const item = order.items.find(({ delivery_type }) => delivery_type === 'physical')
  if (item && random.chance(RETURN_PROBABILITY)) {
    const moment = deliveredAt + random.whole(4, 12) * DAY_MS
    scenario.plan(moment, () => requestReturn(scenario, order, { id: item.id, moment }))
  }
}

async function addReview(scenario: Scenario, order: OrderRef): Promise<void> {
  const { random } = scenario
  const [item] = order.items
  if (!item) return
  const rating = random.weighted(RATINGS)
  const message = random.chance(0.75) ? random.pick(REVIEWS[rating] ?? ['']) : null
  const body = { order_id: order.id, product_id: item.product_id, rating, message }
  const { review } = await scenario.call<{ review: { id: number } }>('reviews.create', { body })
  if (message === null || !random.chance(0.4)) return
  const reply = rating >= 4 ? REPLIES[0] : REPLIES[1]
  scenario.plan(scenario.now() + random.whole(3, 40) * HOUR_MS, () =>
    scenario.call('reviews.put_reply', { params: { id: review.id }, body: { reply } }),
  )
}

/** Requests a return, and plans its approval, receipt and refund. Steps after the present do not run. */
async function requestReturn(
  scenario: Scenario,
  order: OrderRef,
  { id, moment }: { id: number; moment: number },
): Promise<void> {
  const { random } = scenario
  const reason = random.pick([
    'too_small',
    'changed_mind',
    'damaged_or_defective',
    'not_as_described',
  ])
  const items = [{ order_item_id: id, quantity: 1, reason }]
  const answer = await scenario.call<{ return: { id: number | string } }>('returns.create', {
    body: { order_id: order.id, items },
  })
  const params = { id: answer.return.id }
  const approvedAt = moment + random.whole(4, 40) * HOUR_MS
  if (random.chance(0.2)) {
    const body = { note: 'It was worn.' }
    return scenario.plan(approvedAt, () => scenario.call('returns.reject', { params, body }))
  }
  const receivedAt = approvedAt + random.whole(4, 9) * DAY_MS
  scenario.plan(approvedAt, () => scenario.call('returns.approve', { params }))
  scenario.plan(receivedAt, () => scenario.call('returns.receive', { params }))
  scenario.plan(receivedAt + 2 * HOUR_MS, () => scenario.call('returns.refund', { params }))
}

/** Plans the questions and tickets, spread over the days. */
export function planSupport(scenario: Scenario): void {
  for (const [index, item] of QUESTIONS.entries()) {
    const moment = momentOf(scenario, index, QUESTIONS.length)
    scenario.plan(moment, () => askQuestion(scenario, item, moment))
  }
  for (const [index, item] of TICKETS.entries()) {
    const moment = momentOf(scenario, index, TICKETS.length)
    scenario.plan(moment, () => openTicket(scenario, item, moment))
  }
}

/** Returns the time of an item. The times are spread, and the last is some hours before the present. */
function momentOf({ from, until, random }: Scenario, index: number, count: number): number {
  const part = (index + 0.3 + 0.5 * random.next()) / count
  return Math.floor(from + (until - from) * (0.05 + 0.94 * part))
}

async function askQuestion(
  scenario: Scenario,
  { product, body, answer }: (typeof QUESTIONS)[number],
  moment: number,
): Promise<void> {
  const { random } = scenario
  const person = random.pick(scenario.people)
  const { question } = await scenario.call<{ question: { id: number } }>('questions.create', {
    body: {
      product_id: productOf(scenario, product).id,
      customer_email: person.email,
      customer_name: person.name,
      body,
    },
  })
  if (!answer) return
  scenario.plan(moment + random.whole(1, 30) * HOUR_MS, () =>
    scenario.call('questions.answer', { params: { id: question.id }, body: { body: answer } }),
  )
}

async function openTicket(
  scenario: Scenario,
  { subject, message, lines, closed }: (typeof TICKETS)[number],
  moment: number,
): Promise<void> {
  const { random } = scenario
  const { email } = random.pick(scenario.people)
  const { ticket } = await scenario.call<{ ticket: { id: number | string } }>('tickets.create', {
    body: { email, subject, message },
  })
  const params = { id: ticket.id }
  let messageTime = moment
  for (const [line, body] of lines.entries()) {
    messageTime += random.whole(2, 26) * HOUR_MS
    const author = line % 2 === 0 ? 'seller' : 'customer'
    scenario.plan(messageTime, () =>
      scenario.call('tickets.post_message', { params, body: { body, author } }),
    )
  }
  if (closed)
    scenario.plan(messageTime + 20 * HOUR_MS, () => scenario.call('tickets.close', { params }))
}
