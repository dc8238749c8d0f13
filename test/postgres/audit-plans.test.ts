import { expect, test } from 'vitest'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** A page of the audit trail among 1,000,000 events looks at its own rows (decision 124). */

const ROWS = 1_000_000
const LOOKED_AT_MAX = 400

/** Ten keys act, one of them once in ten thousand events; so does one action. */
const many = (store: number): string[] => [
  `insert into audit_event (store_id, actor_type, actor_id, actor_name, ip, request_id, action, object,
     object_id, changes, created_at)
   select ${store}, 'api_key', case when n % 10000 = 1 then 'rare' else (n % 9)::text end, 'Till',
          '127.0.0.1', 'req_' || n, case when n % 10000 = 2 then 'order.refund' else 'order.update' end,
          'order', 'ord_' || n % 100000, '{"note": {"from": null, "to": "••••"}}',
          now() - (${ROWS} - n) * interval '1 second'
     from generate_series(1, ${ROWS}) n`,
  'analyze audit_event',
]

const tradepost = bigStore(async ({ storeId }) => many(storeId))

const LISTS: [string, string, number][] = [
  ['all events', '', 25],
  ['events behind a cursor', '&cursor=500000', 25],
  ['acts of a busy key', '&actor_id=7', 25],
  ['acts of a rare key', '&actor_id=rare', 25],
  ['a common action', '&action=order.update', 25],
  ['a rare action', '&action=order.refund', 25],
  ['acts on a record', '&object_id=ord_17', 10],
  ['a common action of a busy key', '&actor_id=7&action=order.update', 25],
  ['acts of nobody', '&actor_id=none', 0],
]

test.each(LISTS)(
  'the list of %s is one statement that looks at its page',
  async (_, query, length) => {
    const { json, plans } = await tradepost.look(`/account/audit-events?limit=25${query}`)
    expect(json.audit_events).toHaveLength(length)
    expect(plans).toHaveLength(1)
    expect(Math.max(...plans.map(busiest))).toBeLessThanOrEqual(LOOKED_AT_MAX)
  },
)
