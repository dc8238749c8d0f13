import { expect, test } from 'vitest'
import { bigStore } from './big-store.ts'
import { createdDuring, maxRowsRead, minutesBefore, NEWEST_AT, nodesOf } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100

const CREATED_AT = minutesBefore(`${ROWS} - n`)

const fill = (store: number): string[] => [
  `insert into customer (store_id, email, created_at, updated_at)
   values (${store}, 'ada@example.com', now(), now())`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, paid_cents, customer_id,
     customer_email, custom_fields, metadata, status_history, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n, 'paid', 'not_required', 'api', 'EUR',
          100, 0, 0, 100, 100, c.id, c.email, '{}', '{}', '[]', now(), now()
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}`,
  `insert into payment (store_id, order_id, kind, status, amount_cents, currency, reviewed_at, created_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), 'manual', 'approved', 100, 'EUR', ${CREATED_AT}, ${CREATED_AT}
     from generate_series(1, ${ROWS}) n`,
  `insert into refund (store_id, order_id, amount_cents, currency, reason, restock, created_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), 1, 'EUR', 'other', false, ${CREATED_AT}
     from generate_series(1, ${ROWS}) n`,
  `insert into balance_entry (store_id, customer_id, amount_cents, balance_cents, reason, created_at)
   select ${store}, c.id, 1, n, 'gift', ${CREATED_AT}
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}`,
  `insert into withdrawal (store_id, amount_cents, fee_cents, currency, method, address, status,
     failure_reason, returned_at, created_at)
   select ${store}, 1, 0, 'EUR', 'bank_transfer', 'GB29', case when n % 10000 = 1 then 'failed' else 'pending' end,
          case when n % 10000 = 1 then 'No.' end, case when n % 10000 = 1 then ${CREATED_AT} end, ${CREATED_AT}
     from generate_series(1, ${ROWS}) n`,
  `insert into wallet (store_id, paid_cents, refunded_cents, pending_cents)
   values (${store}, ${100 * ROWS}, ${ROWS}, ${ROWS - 10})`,
  `insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at, order_id)
   select ${store}, 'msg_' || n, case when n % 10000 = 2 then 'order_paid' else 'stock_alert' end, null, 'Back',
          'ada@example.com', case when n % 10000 = 1 then 'bounced' else 'sent' end, now(), ${CREATED_AT},
          case when n % 10000 = 2 then 'ord_' || n end
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze "order", payment, refund, balance_entry, withdrawal, wallet, mail',
]

const tradepost = bigStore(async ({ storeId }) => fill(storeId))

test('a page of the ledger among 400,000 entries reads one page of each source, at any depth', async () => {
  let cursor = ''
  for (let n = 0; n < 3; n++) {
    const { json, plans } = await tradepost.explainList(`/account/ledger?limit=25${cursor}`)
    expect(json.entries).toHaveLength(25)
    expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
    cursor = `&cursor=${json.next_cursor}`
  }
  const middle = Date.parse(NEWEST_AT) - (ROWS / 2) * 60_000
  const { json, plans } = await tradepost.explainList(
    `/account/ledger?limit=25&cursor=${middle}-3-1`,
  )
  expect(json.entries).toHaveLength(25)
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('the wallet of a store with 100,000 orders reads one row, and no orders, payments or refunds', async () => {
  const { json, plans } = await tradepost.explainList('/account/wallet')
  expect(json.wallet).toMatchObject({ paid_cents: 100 * ROWS, pending_cents: ROWS - 10 })
  const relations = plans.flatMap(nodesOf).map((node) => node['Relation Name'])
  expect(new Set(relations.filter(Boolean))).toEqual(new Set(['wallet', 'wallet_delta']))
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(10)
})

test.each([
  ['/account/withdrawals?limit=25', 'withdrawals', 25],
  ['/account/withdrawals?limit=25&status=failed', 'withdrawals', 10],
  ['/account/outbox?limit=25', 'messages', 25],
  ['/account/outbox?limit=25&status=bounced', 'messages', 10],
  ['/account/outbox?limit=25&status=bounced,failed', 'messages', 10],
  ['/account/outbox?limit=25&template=order_paid', 'messages', 10],
  ['/account/outbox?limit=25&order_id=ord_2', 'messages', 1],
  [`/account/outbox?limit=25&${createdDuring(50_000, 1_440)}`, 'messages', 25],
  [`/account/outbox?limit=25&${createdDuring(50_000, 10)}`, 'messages', 10],
])('%s reads only one page of the 100,000 rows', async (path, name, length) => {
  const { json, plans } = await tradepost.explainList(path)
  expect(json[name]).toHaveLength(length)
  const [page, count] = plans.map(maxRowsRead).sort((rows, other) => rows - other)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})
