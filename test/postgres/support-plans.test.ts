import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createAutoReviewsJob,
  selectNextAutoReview,
} from '../../src/features/store/reviews/index.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { createdDuring, maxRowsRead, minutesBefore } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100

/** Statements that create the orders of reviews, tickets and returns. One in ten thousand is of a rare customer. */
const orderStatements = (store: number): string[] => [
  `insert into customer (store_id, email, created_at, updated_at)
   select ${store}, e, now(), now() from unnest(array['rare@example.com', 'often@example.com']) e`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id, customer_email,
     custom_fields, metadata, status_history, completed_at, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n, 'completed', 'not_required', 'api', 'EUR',
          n, 0, 0, n, c.id, c.email, '{}', '{}', '[]', now(), now(), now()
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}
      and c.email = case when n % 10000 = 1 then 'rare' else 'often' end || '@example.com'`,
  'analyze "order"',
]

/** The id of the order with the number 1, which has the MD5 hash of this number. */
const FIRST_ORDER_ID = 'ord_c4ca4238a0b923820dcc50'

const createdAt = (n: string) => minutesBefore(`${ROWS} - ${n}`)

const reviewStatements = (store: number): string[] => [
  `insert into review (store_id, order_id, product_id, customer_email, rating, message, automatic,
     status, reply, replied_at, created_at, updated_at)
   select ${store}, o.id, case when o.number % 10000 = 2 then 2 else 1 end, o.customer_email,
          case when o.number % 10000 = 3 then 1 else 5 end, 'Good.', o.number % 10000 = 4,
          case when o.number % 10000 = 5 then 'hidden' else 'published' end,
          case when o.number % 10000 = 6 then 'Thanks.' end,
          case when o.number % 10000 = 6 then now() end, ${createdAt('o.number')}, now()
     from "order" o where o.store_id = ${store}`,
  'vacuum analyze review',
]

const questionStatements = (store: number): string[] => [
  `insert into question (store_id, product_id, customer_email, body, status, answers, answered_at,
     created_at)
   select ${store}, case when n % 10000 = 2 then 2 else 1 end, 'often@example.com', 'RAW?',
          case when n % 10000 = 1 then 'pending' else 'answered' end,
          case when n % 10000 = 1 then 0 else 1 end, case when n % 10000 <> 1 then now() end,
          ${createdAt('n')}
     from generate_series(1, ${ROWS}) n`,
  `insert into question_answer (store_id, question_id, author, body, created_at)
   select store_id, id, 'seller', 'Yes.', created_at from question
    where store_id = ${store} and answers = 1`,
  'vacuum analyze question, question_answer',
]

const ticketStatements = (store: number): string[] => [
  `insert into ticket (store_id, customer_email, order_id, subject, status, awaiting, message_count,
     last_message_at, closed_at, created_at, updated_at)
   select ${store}, o.customer_email, o.id, 'Help',
          case when o.number % 10000 in (1, 2) then 'open' else 'closed' end,
          case o.number % 10000 when 1 then 'seller' when 2 then 'customer' end, 1, now(),
          case when o.number % 10000 in (1, 2) then null else now() end, ${createdAt('o.number')}, now()
     from "order" o where o.store_id = ${store}`,
  `insert into ticket_message (store_id, ticket_id, author, body, created_at)
   select store_id, id, 'customer', 'Hi.', created_at from ticket where store_id = ${store}`,
  'vacuum analyze ticket, ticket_message',
]

const returnStatements = (store: number): string[] => [
  `insert into order_return (store_id, number, order_id, customer_email, status, requested_at,
     closed_at, created_at, updated_at)
   select ${store}, o.number, o.id, o.customer_email,
          case when o.number % 10000 = 1 then 'requested' else 'rejected' end, now(),
          case when o.number % 10000 <> 1 then now() end, ${createdAt('o.number')}, now()
     from "order" o where o.store_id = ${store}`,
  'vacuum analyze order_return',
]

const tradepost = bigStore(async ({ storeId, targets: [target] }) => {
  for (const name of ['Often', 'Seldom']) {
    const { status } = await call(target, 'POST', '/products', { body: { name, price_cents: 1 } })
    expect(status).toBe(201)
  }
  return [
    ...orderStatements(storeId),
    ...reviewStatements(storeId),
    ...questionStatements(storeId),
    ...ticketStatements(storeId),
    ...returnStatements(storeId),
  ]
})

test.each<[string, string, number]>([
  ['reviews', '', 25],
  ['reviews', createdDuring(50_000, 10), 10],
  ['reviews', createdDuring(50_000, 10_000), 25],
  ['reviews', 'offset=300', 25],
  ['reviews', 'product_id=2', 10],
  ['reviews', 'product_id=1', 25],
  ['reviews', 'rating=1,2', 10],
  ['reviews', 'rating=5', 25],
  ['reviews', 'automatic=true', 10],
  ['reviews', 'status=hidden,reported', 10],
  ['reviews', 'has_reply=true', 10],
  ['reviews', 'has_reply=false', 25],
  ['reviews', 'email=rare@example.com', 10],
  ['reviews', 'email=rare@xn--bcher-kva.example', 0],
  ['questions', '', 25],
  ['questions', createdDuring(50_000, 10), 10],
  ['questions', createdDuring(50_000, 10_000), 25],
  ['questions', 'status=pending', 10],
  ['questions', 'status=answered', 25],
  ['questions', 'product_id=2', 10],
  ['questions', 'sort=waiting', 25],
  ['questions', 'sort=waiting&status=pending', 10],
  ['tickets', '', 25],
  ['tickets', createdDuring(50_000, 10), 10],
  ['tickets', createdDuring(50_000, 10_000), 25],
  ['tickets', 'status=open', 20],
  ['tickets', 'awaiting=seller', 10],
  ['tickets', 'sort=waiting', 25],
  ['tickets', 'sort=waiting&awaiting=seller', 10],
  ['tickets', 'sort=waiting&email=rare@example.com', 10],
  ['tickets', 'email=rare@example.com', 10],
  ['tickets', 'email=rare@xn--bcher-kva.example', 0],
  ['tickets', `order_id=${FIRST_ORDER_ID}`, 1],
  ['returns', '', 25],
  ['returns', createdDuring(50_000, 10), 10],
  ['returns', createdDuring(50_000, 10_000), 25],
  ['returns', 'status=requested', 10],
  ['returns', 'sort=waiting', 25],
  ['returns', 'sort=waiting&status=requested', 10],
  ['returns', 'sort=waiting&status=rejected', 25],
  ['returns', 'email=rare@example.com', 10],
  ['returns', 'email=rare@xn--bcher-kva.example', 0],
  ['returns', `order_id=${FIRST_ORDER_ID}`, 1],
])(
  'the list of %s with the query "%s" reads only one page of the 100,000 rows',
  async (list, query, length) => {
    const { json, plans } = await tradepost.explainList(`/${list}?limit=25&${query}`)
    expect(json[list]).toHaveLength(length)
    const rows = plans.map(maxRowsRead).sort((value, other) => value - other)
    const rowsMax = query.includes('offset') ? 2 * ROWS_READ_MAX : ROWS_READ_MAX
    expect(Math.max(0, ...rows.slice(0, -1))).toBeLessThanOrEqual(rowsMax)
    expect(rows.at(-1)).toBeLessThanOrEqual(length < 25 ? rowsMax : COUNTED_MAX)
  },
)

test('the job for automatic reviews reads due orders only', async () => {
  const { app } = await tradepost.openNext()
  await sql`update store set auto_review_days = 30`.execute(app.db)
  const { rows } = await sql<{ id: number }>`
    select store_id as id from review limit 1`.execute(app.db)
  const { json, plans } = await tradepost.explain(async () => {
    await createAutoReviewsJob.run(app)
    return selectNextAutoReview(app.db, rows[0]?.id ?? 0)
  })
  expect(json).toEqual(expect.stringMatching(/Z$/))
  expect(plans).toHaveLength(3)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
})
