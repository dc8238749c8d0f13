import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, type TimedRows } from '../../../../db/due.ts'
import { allRows, execute, firstRow, firstValue, onlyRow, onlyValue } from '../../../../db/rows.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { ProviderDispute, ProviderRefund } from '../provider.ts'
import type { TestStatus } from './play.rules.ts'

/** A payment in the records of the provider `test`. */
export interface TestPayment {
  store_id: number
  payment_id: number
  token: string
  status: TestStatus
  amount_cents: number
  received_cents: number
  currency: string
  return_url: string | null
  expires_at: string
  dispute: ProviderDispute | null
}

const COLUMNS = sql`
  store_id, payment_id, token, status, amount_cents, received_cents, currency, return_url, expires_at, dispute`

/** The columns at a time of the store's clock. A payment that nobody paid in time has the status `expired`. */
const columnsAt = (now: string) => sql`
  store_id, payment_id, token, amount_cents, received_cents, currency, return_url, expires_at, dispute,
  case when status = 'open' and expires_at <= ${now} then 'expired' else status end as status`

/** Inserts a payment, or returns the one that exists. */
export const insertTestPayment = (
  db: Db,
  row: Omit<TestPayment, 'status' | 'received_cents' | 'dispute'> & { now: string },
) =>
  onlyRow<TestPayment>(db)`
    insert into test_payment
           (store_id, payment_id, token, status, amount_cents, currency, return_url, expires_at, created_at)
    values (${row.store_id}, ${row.payment_id}, ${row.token}, 'open', ${row.amount_cents}, ${row.currency},
            ${row.return_url}, ${row.expires_at}, ${row.now})
        on conflict (store_id, payment_id) do update set token = test_payment.token
    returning ${COLUMNS}`

export const selectTestPayment = (db: Db, storeId: number, paymentId: number, now: string) =>
  firstRow<TestPayment>(db)`
    select ${columnsAt(now)} from test_payment
     where store_id = ${storeId} and payment_id = ${paymentId}`

export const selectTestPaymentByToken = (db: Db, storeId: number, token: string) =>
  firstRow<TestPayment>(db)`
    select ${COLUMNS} from test_payment where store_id = ${storeId} and token = ${token}`

export const lockTestPayment = (tx: Tx, storeId: number, paymentId: number, now: string) =>
  firstRow<TestPayment>(tx)`
    select ${columnsAt(now)} from test_payment
     where store_id = ${storeId} and payment_id = ${paymentId}
       for update`

export const updateTestPayment = (
  db: Db,
  { store_id, payment_id }: Pick<TestPayment, 'store_id' | 'payment_id'>,
  { status, received_cents }: Pick<TestPayment, 'status' | 'received_cents'>,
) =>
  onlyRow<TestPayment>(db)`
    update test_payment set status = ${status}, received_cents = ${received_cents}
     where store_id = ${store_id} and payment_id = ${payment_id}
    returning ${COLUMNS}`

/**
 * Ends a payment that nobody has paid. One whose page is not opened yet is inserted as ended, so that the page never
 * opens.
 */
export const endTestPayment = (
  db: Db,
  row: Pick<TestPayment, 'store_id' | 'payment_id' | 'token' | 'amount_cents' | 'currency'> & {
    now: string
  },
) =>
  execute(db)`
    insert into test_payment as t
           (store_id, payment_id, token, status, amount_cents, currency, expires_at, created_at)
    values (${row.store_id}, ${row.payment_id}, ${row.token}, 'ended', ${row.amount_cents}, ${row.currency},
            ${row.now}, ${row.now})
        on conflict (store_id, payment_id) do update
       set status = case when t.expires_at <= ${row.now} then 'expired' else 'ended' end
     where t.status = 'open'`

/** Inserts a refund, or returns the id of the one that was made for the same refund of ours. */
export const insertTestRefund = (
  tx: Tx,
  storeId: number,
  row: { payment_id: number; refund_id: number | null; amount_cents: number; now: string },
) =>
  onlyValue<string>(tx)`
    insert into test_refund (store_id, id, payment_id, refund_id, amount_cents, created_at)
    values (${storeId}, ${newId('tre_')}, ${row.payment_id}, ${row.refund_id}, ${row.amount_cents}, ${row.now})
        on conflict (store_id, refund_id) do update set amount_cents = test_refund.amount_cents
    returning id`

export const selectTestRefund = (tx: Tx, storeId: number, refundId: number) =>
  firstValue<string>(tx)`
    select id from test_refund where store_id = ${storeId} and refund_id = ${refundId}`

/** Returns the refunds of a payment, the oldest first. */
export const selectTestRefunds = (db: Db, storeId: number, paymentId: number) =>
  allRows<ProviderRefund>(db)`
    select id as external_id, amount_cents, refund_id from test_refund
     where store_id = ${storeId} and payment_id = ${paymentId}
     order by created_at, id`

/** Returns the amount of a payment that has left the provider, by refunds and by a lost dispute. */
export const selectRefundedCents = (tx: Tx, storeId: number, paymentId: number) =>
  onlyValue<number>(tx)`
    select (coalesce(sum(r.amount_cents), 0)
            + max(case when p.dispute ->> 'status' = 'lost' then (p.dispute ->> 'amount_cents')::bigint else 0 end))::bigint
             as cents
      from test_payment p
      left join test_refund r on r.store_id = p.store_id and r.payment_id = p.payment_id
     where p.store_id = ${storeId} and p.payment_id = ${paymentId}`

export const updateDispute = (
  tx: Tx,
  { store_id, payment_id }: Pick<TestPayment, 'store_id' | 'payment_id'>,
  dispute: ProviderDispute,
) =>
  execute(tx)`
    update test_payment set dispute = ${JSON.stringify(dispute)}
     where store_id = ${store_id} and payment_id = ${payment_id}`

/** Has a callback sent later, by the clock of the store. */
export const setLateCallback = (
  db: Db,
  { store_id, payment_id }: Pick<TestPayment, 'store_id' | 'payment_id'>,
  { callback_at, callback }: { callback_at: string; callback: string },
) =>
  execute(db)`
    update test_payment set callback_at = ${callback_at}, callback = ${callback}
     where store_id = ${store_id} and payment_id = ${payment_id}`

const LATE: TimedRows = {
  from: sql`test_payment t`,
  store_id: sql`t.store_id`,
  due_at: sql`t.callback_at`,
}

/** Returns late callbacks that are due by the clocks of their stores, and forgets them. */
export const claimLateCallbacks = (db: Db, page: DuePage) =>
  allRows<{ store_id: number; callback: string }>(db)`
    with due as materialized (
      ${dueRows(LATE, sql`t.store_id, t.payment_id, t.callback`, page)}
    )
    update test_payment t set callback_at = null, callback = null
      from due
     where t.store_id = due.store_id and t.payment_id = due.payment_id and t.callback = due.callback
    returning t.store_id, due.callback`

/** The time of the next late callback, by the machine's clock. */
export const nextLateCallback = nextDue(LATE)

/** Returns the time of the next late callback of a store, by its clock. */
export const selectNextLateCallback = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select callback_at from test_payment
     where store_id = ${storeId} and callback_at is not null
     order by callback_at
     limit 1`
