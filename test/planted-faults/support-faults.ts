import { type RawBuilder, sql } from 'kysely'
import { order, product } from '../build.ts'
import type { Tradepost } from '../harness.ts'

/** Creates a review, an answered question, an answered ticket, and a refunded return. */
export async function createSupportRecords(tradepost: Tradepost, mug: string): Promise<void> {
  const license = await product(tradepost, { type: 'license' })
  const { id: order_id } = await order(tradepost, license.id, { mark_paid: true })
  await tradepost.post('/reviews', { order_id, product_id: license.id, rating: 4 })
  const question = { product_id: mug, customer_email: 'ada@example.com', body: 'How big?' }
  const created = await tradepost.post('/questions', question)
  await tradepost.post(`/questions/${created.json.question.id}/answers`, { body: '300 ml.' })
  const ticket = { email: 'ada@example.com', subject: 'Help', message: 'Where is it?' }
  const openedTicket = await tradepost.post('/tickets', ticket)
  await tradepost.post(`/tickets/${openedTicket.json.ticket.id}/messages`, { body: 'On its way.' })
  const paidOrder = await order(tradepost, mug, { mark_paid: true })
  const items = [{ order_item_id: paidOrder.items[0].id, quantity: 1 }]
  const { json } = await tradepost.post('/returns', { order_id: paidOrder.id, items })
  for (const step of ['approve', 'receive', 'refund']) {
    const { status, text } = await tradepost.post(`/returns/${json.return.id}/${step}`)
    if (status !== 200) throw new Error(`${step}: ${text}`)
  }
}

/** Faults in reviews, questions, tickets and returns. */
export const SUPPORT_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'reviews_are_counted',
    'a review that is counted twice',
    [sql`update review_tally set reviews = reviews + 1`],
  ],
  [
    'reviews_are_counted',
    'a hidden review that is counted',
    [sql`update review set status = 'hidden'`],
  ],
  [
    'reviews_have_orders',
    'a review of a product that was not bought',
    [
      sql`update review r set product_id = p.id from product p
           where p.store_id = r.store_id and p.id <> r.product_id`,
    ],
  ],
  [
    'answers_are_counted',
    'a question that counts an answer too many',
    [sql`update question set answers = answers + 1`],
  ],
  [
    'tickets_are_counted',
    'a ticket that awaits the other side',
    [sql`update ticket set awaiting = 'seller'`],
  ],
  [
    'messages_are_counted',
    'a ticket that counts a deleted message',
    [sql`delete from ticket_message where author = 'seller'`],
  ],
  [
    'returns_fit_orders',
    'a return of more than was bought',
    [sql`update order_return_item set quantity = 2, received_quantity = 2`],
  ],
  [
    'returns_restock_once',
    'a unit that was returned twice',
    [
      sql`alter table order_item drop constraint order_item_restocked_check`,
      sql`update order_item set restocked = quantity + 1`,
    ],
  ],
  [
    'returns_are_refunded',
    'a return whose amount is higher than its refund',
    [sql`update order_return set refund_amount_cents = refund_amount_cents + 1`],
  ],
  [
    'returns_are_counted',
    'a return number without a return',
    [sql`update return_counter set last_number = last_number + 1`],
  ],
]
