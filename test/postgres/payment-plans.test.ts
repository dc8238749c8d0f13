import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { selectCounts } from '../../src/features/installation/live/queries.ts'
import { countDisputes, selectDisputes } from '../../src/features/store/orders/queries/disputes.ts'
import { nextExpiry, selectDueOrders } from '../../src/features/store/orders/queries/expiry.ts'
import {
  claimChecks,
  nextCheck,
  selectNextCheck,
  selectOpenPayments,
  selectOpenPaymentsOfStore,
  selectPaymentByExternalId,
} from '../../src/features/store/orders/queries/open-payments.ts'
import {
  claimRequests,
  nextRequest,
  selectNextRequest,
} from '../../src/features/store/orders/queries/refunds.ts'
import {
  claimLateCallbacks,
  nextLateCallback,
  selectNextLateCallback,
} from '../../src/features/store/payment-providers/test-provider/queries.ts'
import {
  claimCallbacks,
  nextCallback,
  selectNextCallback,
} from '../../src/features/store/payments/queries.ts'
import { bigStore } from './big-store.ts'
import { orderStatements } from './many-orders.ts'
import { maxRowsRead, minutesBefore } from './plans.ts'

const ROWS = 100_000
const DUE = 10
const ROWS_READ_MAX = 400

let app: App
let storeId: number

/** One payment in ten thousand has to be checked, and one callback in ten thousand applied. */
const isRare = `n % ${ROWS / DUE} = 1`

const tradepost = bigStore(async (big) => {
  app = big.app
  storeId = big.storeId
  return [
    ...orderStatements(storeId, ROWS),
    `insert into payment (store_id, order_id, kind, status, amount_cents, currency, provider, external_id,
                          refunded_cents, check_at, created_at)
     select ${storeId}, 'ord_' || substr(md5(n::text), 1, 22), 'test', 'pending', 1, 'EUR', 'test', 'test_' || n, 0,
            case when ${isRare} then now() - interval '1 minute' else now() + interval '1 hour' end, now()
       from generate_series(1, ${ROWS}) n`,
    `insert into payment_callback (store_id, provider, external_id, type, status, names, order_id, received_at, retry_at)
     select ${storeId}, 'test', 'tev_' || n, 'payment.paid', case when ${isRare} then 'received' else 'applied' end,
            '{}', 'ord_' || substr(md5(n::text), 1, 22), ${minutesBefore(`${ROWS} - n`)},
            case when ${isRare} then now() - interval '1 minute' end
       from generate_series(1, ${ROWS}) n`,
    `insert into test_payment (store_id, payment_id, token, status, amount_cents, currency, expires_at, callback_at,
                               callback, created_at)
     select ${storeId}, n, 'token' || n, 'open', 1, 'EUR', now(),
            case when ${isRare} then now() - interval '1 minute' end, case when ${isRare} then '{}' end, now()
       from generate_series(1, ${ROWS}) n`,
    `insert into refund_request (store_id, order_id, payment_id, status, amount_cents, currency, reason, restock,
                                 items, check_at, created_at)
     select p.store_id, p.order_id, p.id, 'pending', 1, 'EUR', 'other', false, '[]',
            case when p.check_at < now() then p.check_at else now() + interval '1 hour' end, now()
       from payment p
      where p.store_id = ${storeId}`,
    'vacuum analyze payment, payment_callback, test_payment, refund_request',
  ]
})

const PAGE = { limit: 25, offset: 0 }
const claim = () => ({ now: new Date().toISOString(), limit: 50 })

test.each<[string, () => Promise<unknown>]>([
  ['the open payments of an order', () => selectOpenPayments(app.db, storeId, orderId(7))],
  [
    'a payment by its id at the provider',
    () =>
      selectPaymentByExternalId(app.db, storeId, {
        provider: 'test',
        external_ids: ['test_7', 'x'],
      }),
  ],
  ['the next check of a store', () => selectNextCheck(app.db, storeId)],
  ['the next callback of a store', () => selectNextCallback(app.db, storeId)],
  ['the next late callback of a store', () => selectNextLateCallback(app.db, storeId)],
  ['the next refund of a store', () => selectNextRequest(app.db, storeId)],
  [
    'a page of open payments',
    () => selectOpenPaymentsOfStore(app.db, storeId, { after: 0, limit: 50 }),
  ],
  ['a page of open disputes', () => selectDisputes(app.db, storeId, PAGE)],
  ['the number of open disputes', () => countDisputes(app.db, storeId, PAGE)],
  ['the counts of the dashboard', () => selectCounts(app.db, [storeId])],
  [
    'the next work of the jobs',
    () =>
      sql`select ${nextCheck} as a, ${nextCallback} as b, ${nextLateCallback} as c, ${nextRequest} as d,
                 ${nextExpiry} as e, ${1}::int as f`.execute(app.db),
  ],
])('%s among 100,000 open payments reads few rows', async (_, read) => {
  const { plans } = await tradepost.explain(read, /^\s*select/)
  expect(plans).toHaveLength(1)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test.each<[string, (storeId?: number) => Promise<readonly unknown[]>]>([
  ['payments to check', (id) => claimChecks(app.db, { ...claim(), ...(id && { storeId: id }) })],
  [
    'callbacks to apply',
    (id) => claimCallbacks(app.db, { ...claim(), ...(id && { storeId: id }) }),
  ],
  ['orders to expire', (id) => selectDueOrders(app.db, { ...claim(), ...(id && { storeId: id }) })],
  [
    'late callbacks to send',
    (id) => claimLateCallbacks(app.db, { ...claim(), ...(id && { storeId: id }) }),
  ],
  ['refunds to ask for', (id) => claimRequests(app.db, { ...claim(), ...(id && { storeId: id }) })],
  [
    'refunds of an order',
    () => claimRequests(app.db, { ...claim(), storeId, orderId: orderId(7) }),
  ],
])('a claim of %s reads only those that are due', async (_, claimDue) => {
  for (const id of [undefined, storeId]) {
    const { plans } = await tradepost.explain(() => claimDue(id), /^\s*(with|\()/)
    expect(plans).toHaveLength(1)
    expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
  }
})

test.each([
  ['', 25],
  ['&provider=test', 25],
  ['&provider=stripe', 0],
  ['&status=applied', 25],
  ['&status=received', DUE],
  ['&status=failed', 0],
  ['&order_id=ORDER', 1],
])('a page of callbacks with%s reads a page', async (filter, count) => {
  const path = `/account/payment-callbacks?limit=25${filter.replace('ORDER', orderId(7))}`
  const { json, plans } = await tradepost.explainList(path)
  expect(json.payment_callbacks).toHaveLength(count)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

const orderId = (n: number): string => orderIds[n] ?? ''
/** The first characters of the MD5 of 1 to 7, as the statements above compute them. */
const orderIds: Record<number, string> = { 7: 'ord_8f14e45fceea167a5a36de' }
