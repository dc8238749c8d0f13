import { expect, test } from 'vitest'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

const ROWS = 1_000_000
const ROWS_READ_MAX = 400

/** Statements that create audit events of ten keys. One key and one action have one event in ten thousand. */
const eventStatements = (store: number): string[] => [
  `insert into audit_event (store_id, actor_type, actor_id, actor_name, ip, request_id, action, object,
     object_id, changes, created_at)
   select ${store}, 'api_key', case when n % 10000 = 1 then 'rare' else (n % 9)::text end, 'Till',
          '127.0.0.1', 'req_' || n, case when n % 10000 = 2 then 'order.refund' else 'order.update' end,
          'order', 'ord_' || n % 100000, '{"note": {"from": null, "to": "••••"}}',
          now() - (${ROWS} - n) * interval '1 second'
     from generate_series(1, ${ROWS}) n`,
  'analyze audit_event',
]

const tradepost = bigStore(async ({ storeId }) => eventStatements(storeId))

test.each([
  ['all events', '', 25],
  ['events after a cursor', '&cursor=500000', 25],
  ['events of a key with many', '&actor_id=7', 25],
  ['events of a key with few', '&actor_id=rare', 25],
  ['events of a frequent action', '&action=order.update', 25],
  ['events of a rare action', '&action=order.refund', 25],
  ['events of a record', '&object_id=ord_17', 10],
  ['events of a frequent action of a key', '&actor_id=7&action=order.update', 25],
  ['events of an unknown key', '&actor_id=none', 0],
])(
  'the list of %s runs one statement, which reads only one page of the 1,000,000 audit events (decision 124)',
  async (_, query, length) => {
    const { json, plans } = await tradepost.explainList(`/account/audit-events?limit=25${query}`)
    expect(json.audit_events).toHaveLength(length)
    expect(plans).toHaveLength(1)
    expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
  },
)
