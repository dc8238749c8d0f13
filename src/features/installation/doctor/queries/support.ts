import { sql } from 'kysely'
import { breaking, type Invariant } from './invariant.ts'

/** Invariants of reviews, questions, tickets and returns. */
export const SUPPORT_INVARIANTS: readonly Invariant[] = [
  breaking(
    'reviews_are_counted',
    'The counts of ratings are the numbers of reviews that are not hidden, of each product and of the store.',
    sql`
      select store_id, product_id, rating
        from (select store_id, product_id, rating, reviews from review_tally
               union all
              select r.store_id, p.id, r.rating, -1
                from review r
               cross join lateral (values (r.product_id), (0)) as p(id)
               where r.status <> 'hidden') t
       group by store_id, product_id, rating
      having sum(reviews) <> 0`,
  ),
  breaking(
    'reviews_have_orders',
    'A review is of a product that its order contains.',
    sql`
      select r.store_id, r.id
        from review r
       where not exists (select from order_item i
                          where i.store_id = r.store_id and i.order_id = r.order_id
                            and i.product_id = r.product_id)`,
  ),
  breaking(
    'answers_are_counted',
    'A question counts its answers, and was answered at the time of the first one.',
    sql`
      select q.store_id, q.id
        from question q
        left join question_answer a on a.store_id = q.store_id and a.question_id = q.id
       group by q.store_id, q.id
      having q.answers <> count(a.id)`,
  ),
  breaking(
    'tickets_are_counted',
    'The stats of tickets are the numbers of tickets for each status and awaited side.',
    sql`
      select store_id, status, awaiting
        from (select store_id, status, awaiting, tickets from ticket_tally
               union all
              select store_id, status, coalesce(awaiting, ''), -1 from ticket) t
       group by store_id, status, awaiting
      having sum(tickets) <> 0`,
  ),
  breaking(
    'messages_are_counted',
    'A ticket counts its messages and knows the time of the newest one.',
    sql`
      select t.store_id, t.id
        from ticket t
        left join ticket_message m on m.store_id = t.store_id and m.ticket_id = t.id
       group by t.store_id, t.id
      having t.message_count <> count(m.id) or t.last_message_at is distinct from max(m.created_at)`,
  ),
  breaking(
    'returns_fit_orders',
    'The returns of a line claim no more units than were bought, and only physical ones.',
    sql`
      select i.store_id, i.order_item_id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item l on l.store_id = i.store_id and l.id = i.order_item_id
       where r.status not in ('rejected', 'cancelled')
       group by i.store_id, i.order_item_id, l.quantity, l.delivery_type
      having sum(case when r.received_at is null then i.quantity else i.received_quantity end) > l.quantity
          or l.delivery_type <> 'physical'
       union all
      select r.store_id, r.id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item l on l.store_id = i.store_id and l.id = i.order_item_id
       where l.order_id <> r.order_id`,
  ),
  breaking(
    'returns_restock_once',
    'Units that came back into stock are no more than were bought.',
    sql`
      select store_id, id from order_item where restocked not between 0 and quantity`,
  ),
  breaking(
    'returns_are_refunded',
    'A refunded return names a refund of its order with its amount, and no two returns name the same one.',
    sql`
      select r.store_id, r.id
        from order_return r
        left join refund f on f.store_id = r.store_id and f.id = r.refund_id
       where r.status = 'refunded'
         and (f.order_id is distinct from r.order_id
              or f.amount_cents is distinct from r.refund_amount_cents
              or exists (select from order_return o
                          where o.store_id = r.store_id and o.refund_id = r.refund_id and o.id <> r.id))`,
  ),
  breaking(
    'returns_are_counted',
    'The newest return number of a store is its number of returns.',
    sql`
      select c.store_id
        from return_counter c
       where c.last_number <> (select count(*) from order_return r where r.store_id = c.store_id)`,
  ),
]
