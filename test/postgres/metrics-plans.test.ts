import { expect, test } from 'vitest'
import {
  countActiveUserSessions,
  selectMailBacklog,
} from '../../src/features/installation/index.ts'
import { selectOrderBacklog } from '../../src/features/store/index.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

const ROWS = 100_000
/** One of 500 rows waits. */
const WAITING = ROWS / 500

const fill = (store: number): string[] => [
  `insert into customer (store_id, email, created_at, updated_at)
   values (${store}, 'ada@example.com', now(), now())`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, paid_cents, customer_id,
     customer_email, custom_fields, metadata, status_history, expires_at, hold, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n,
          case when n % 500 = 1 then 'pending' else 'completed' end,
          case when n % 500 = 2 then 'unfulfilled' else 'fulfilled' end,
          'api', 'EUR', 100, 0, 0, 100, 100, c.id, c.email, '{}', '{}', '[]',
          case when n % 500 = 1 then now() + interval '1 hour' end,
          case when n % 500 = 3 then '{"reason":"other"}'::jsonb end, now(), now()
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}`,
  `insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at)
   select ${store}, 'msg_' || n, 'stock_alert', null, 'Back', 'ada@example.com',
          case when n % 500 = 1 then 'queued' else 'sent' end, now(), now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze "order", mail',
]

const tradepost = bigStore(async ({ storeId }) => fill(storeId))

test('the metrics of 100,000 orders and mails read only those that wait', async () => {
  const { db } = tradepost.contextNow()
  const { json, plans } = await tradepost.explain(async () => ({
    orders: await selectOrderBacklog(db),
    mail: await selectMailBacklog(db),
    sessions: await countActiveUserSessions(db),
  }))
  expect(json.orders).toEqual({ pending: WAITING, on_hold: WAITING, to_ship: WAITING })
  expect(json.mail.waiting).toBe(WAITING)
  expect(plans).toHaveLength(3)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(2 * WAITING)
})
