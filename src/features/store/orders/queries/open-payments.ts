import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, storeTime, type TimedRows } from '../../../../db/due.ts'
import {
  allRows,
  execute,
  firstRow,
  firstValue,
  hasRows,
  onlyRow,
  send,
} from '../../../../db/rows.ts'
import type { Payment } from '../payment-schema.ts'
import { insertPaymentsSql, type NewPaymentRow } from './payments.ts'

/** A payment through a provider. */
export interface ProviderPayment {
  store_id: number
  id: number
  order_id: string
  kind: Payment['kind']
  status: Payment['status']
  provider: string
  external_id: string | null
  checkout_url: string | null
  return_url: string | null
  amount_cents: number
  currency: string
  expires_at: string | null
  /** The time since which its provider is processing it. */
  processing_since: string | null
  /** The time since which the job that asks providers has this payment ended. */
  ending_since: string | null
  /** The time since which the provider has not answered that it is ended. */
  end_failed_at: string | null
  saves_method: boolean
  /** The id at the provider of the saved method that is charged without its buyer. */
  saved_method: string | null
  refunded_cents: number
  provider_customer: string | null
  created_at: string
}

const COLUMNS = sql`
  p.store_id, p.id, p.order_id, p.kind, p.status, p.provider, p.external_id, p.checkout_url, p.return_url,
  p.amount_cents, p.currency, p.expires_at, p.processing_since, p.ending_since, p.end_failed_at, p.saves_method,
  p.saved_method, coalesce(p.refunded_cents, 0) as refunded_cents, p.provider_customer, p.created_at`

/** The index of open payments has this condition. */
const IS_OPEN = sql`p.status in ('pending', 'processing')`

/** Returns the payments of an order that its buyer can still pay, or that their provider is processing. */
export const selectOpenPayments = (db: Db, storeId: number, orderId: string) =>
  allRows<ProviderPayment>(db)`
    select ${COLUMNS} from payment p
     where p.store_id = ${storeId} and p.order_id = ${orderId} and ${IS_OPEN}
     order by p.id`

/** Returns all payments of an order that were started at a provider. */
export const selectStartedPayments = (db: Db, storeId: number, orderId: string) =>
  allRows<ProviderPayment>(db)`
    select ${COLUMNS} from payment p
     where p.store_id = ${storeId} and p.order_id = ${orderId} and p.provider is not null
     order by p.id`

/** Inserts a payment that its buyer is going to pay, and returns it. */
export const insertOpenPayment = (tx: Tx, storeId: number, row: NewPaymentRow) =>
  onlyRow<ProviderPayment>(tx)`
    with p as (${insertPaymentsSql(tx, storeId, [row]).returningAll()}) select ${COLUMNS} from p`

/** Returns a page of the open payments of a store, in the order of their ids. */
export const selectOpenPaymentsOfStore = (
  db: Db,
  storeId: number,
  { after, limit }: { after: number; limit: number },
) =>
  allRows<ProviderPayment>(db)`
    select ${COLUMNS} from payment p
     where p.store_id = ${storeId} and p.id > ${after} and ${IS_OPEN}
     order by p.id
     limit ${limit}`

export const hasOpenPayments = (db: Db, storeId: number, provider: string) =>
  hasRows(db)`
    select from payment p
     where p.store_id = ${storeId} and ${IS_OPEN} and p.provider = ${provider}
     limit 1`

/** Returns true if a saved method was charged for an order at this time or later. */
export const hasChargeSince = (db: Db, storeId: number, orderId: string, since: string) =>
  hasRows(db)`
    select from payment p
     where p.store_id = ${storeId} and p.order_id = ${orderId} and p.saved_method is not null and p.created_at >= ${since}
     limit 1`

/** Returns a payment through a provider, open or not. */
export const selectProviderPayment = (db: Db, storeId: number, id: number) =>
  firstRow<ProviderPayment>(db)`
    select ${COLUMNS} from payment p
     where p.store_id = ${storeId} and p.id = ${id} and p.provider is not null`

/** Returns the number of the order of a payment. */
export const selectNumberOfPayment = (db: Db, storeId: number, id: number) =>
  firstValue<number>(db)`
    select o.number
      from payment p
      join "order" o on o.store_id = p.store_id and o.id = p.order_id
     where p.store_id = ${storeId} and p.id = ${id}`

/** Returns the payment with one of these ids at its provider, its own or that of its transaction. */
export const selectPaymentByExternalId = (
  db: Db,
  storeId: number,
  { provider, external_ids }: { provider: string; external_ids: readonly string[] },
) =>
  firstRow<ProviderPayment>(db)`
    select ${COLUMNS} from payment p
     where p.store_id = ${storeId} and p.provider = ${provider}
       and (p.external_id = any(${external_ids}::text[]) or p.transaction_id = any(${external_ids}::text[]))
     order by p.id
     limit 1`

/** Has the provider end the open payments of an order, at once by the job that asks providers. */
export const requestEnd = (tx: Tx, storeId: number, orderId: string, now: string) =>
  send(tx)`
    update payment p set ending_since = coalesce(p.ending_since, ${now}), check_at = ${now}
     where p.store_id = ${storeId} and p.order_id = ${orderId} and ${IS_OPEN}`

/** Records the first time at which the provider did not answer that a payment is ended. */
export const markEndFailed = (db: Db, storeId: number, id: number, now: string) =>
  execute(db)`
    update payment p set end_failed_at = coalesce(p.end_failed_at, ${now})
     where p.store_id = ${storeId} and p.id = ${id} and ${IS_OPEN}`

/** The wait of a new payment before its provider is asked for the first time. */
export const FIRST_CHECK_S = 60
/** The wait after a question: a provider is asked 1, 2, 5, 15 and 30 minutes after the start, then hourly (decision 453). */
const WAIT = sql`(coalesce((array[1, 3, 10, 15])[p.checks + 1], 60) * interval '1 minute')`
/** The questions before the hourly ones. */
const FREQUENT_CHECKS = 5
/** A provider that has not ended a payment, or not told its fee, for so long is not asked any more. */
const GIVE_UP = sql`interval '7 days'`

const CHECKED: TimedRows = {
  from: sql`payment p`,
  store_id: sql`p.store_id`,
  due_at: sql`p.check_at`,
}

/**
 * Returns payments about which their providers have to be asked now, by the clocks of their stores: open ones, and those
 * whose fee is not known. Sets the time of the next question, so that no other process asks. A process that is killed
 * before the answer only delays it.
 */
export const claimChecks = (db: Db, page: DuePage) =>
  allRows<ProviderPayment>(db)`
    with due as materialized (
      ${dueRows(CHECKED, sql`p.store_id, p.id, p.check_at`, page)}
    )
    update payment p
       set checks = p.checks + 1,
           check_at = case when coalesce(p.reviewed_at, p.ending_since) + ${GIVE_UP} <= n.store_now then null
                           else n.store_now + ${WAIT} end
      from due, store
     cross join lateral (select ${storeTime(page.now)} as store_now) n
     where p.store_id = due.store_id and p.id = due.id and p.check_at = due.check_at and store.id = p.store_id
    returning ${COLUMNS}`

/** The time of the next question to a provider, by the machine's clock. */
export const nextCheck = nextDue(CHECKED)

/**
 * Returns the time of the next question about a payment of a store, by its clock. The hourly ones are left out: an advance
 * of days would stop at each of them.
 */
export const selectNextCheck = (db: Db, storeId: number) =>
  firstRow<{ check_at: string }>(db)`
    select p.check_at from payment p
     where p.store_id = ${storeId} and p.check_at is not null and p.checks < ${sql.lit(FREQUENT_CHECKS)}
     order by p.check_at
     limit 1`
