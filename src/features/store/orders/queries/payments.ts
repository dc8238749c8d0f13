import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { onlyValue, send } from '../../../../db/rows.ts'
import { OPEN_STATUSES, type Payment } from '../payment-schema.ts'

/** The fields of a new payment. Those that are absent are null. */
export type NewPaymentRow = Pick<
  Payment,
  'order_id' | 'kind' | 'status' | 'amount_cents' | 'currency' | 'actor' | 'created_at'
> &
  Partial<Omit<Payment, 'id' | 'object'>> & {
    return_url?: string | null
    saves_method?: boolean
    saved_method?: string | null
    provider_customer?: string | null
    /** The time of the store's clock at which the provider is asked about an open payment. */
    check_at?: string
  }

/** The columns of a payment. A new column that callers see is named here and in the shape. */
const COLUMNS = [
  'id',
  'order_id',
  'kind',
  'status',
  'amount_cents',
  'currency',
  'reference',
  'proof_text',
  'proof_url',
  'note',
  'provider',
  'external_id',
  'checkout_url',
  'expires_at',
  'failure',
  'refunded_cents',
  'dispute',
  'review_reason',
  'fee_cents',
  'fee_currency',
  'reviewed_at',
  'actor',
  'reviewed_by',
  'created_at',
] as const
const TIMES: ReadonlySet<string> = new Set(['expires_at', 'reviewed_at', 'created_at'])

/** The SQL for a payment `p` as JSON. */
export const PAYMENT_AS_JSON = sql`json_build_object('object', 'payment', ${sql.join(
  COLUMNS.map((name) => {
    const column = sql.ref(`p.${name}`)
    return sql`${sql.lit(name)}, ${TIMES.has(name) ? sql`iso(${column})` : column}`
  }),
)})`

const asColumns = ({ actor, reviewed_by, failure, dispute, ...row }: NewPaymentRow) => ({
  ...row,
  ...(row.provider && { refunded_cents: 0 }),
  actor: actor && JSON.stringify(actor),
  ...(reviewed_by && { reviewed_by: JSON.stringify(reviewed_by) }),
  ...(failure && { failure: JSON.stringify(failure) }),
  ...(dispute && { dispute: JSON.stringify(dispute) }),
})

const withObject = (row: Omit<Payment, 'object'>): Payment => ({ ...row, object: 'payment' })

export async function insertPayment(tx: Tx, storeId: number, row: NewPaymentRow): Promise<Payment> {
  const inserted = await tx
    .insertInto('payment')
    .values({ ...asColumns(row), store_id: storeId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return withObject(inserted as Omit<Payment, 'object'>)
}

export async function insertPayments(
  tx: Tx,
  storeId: number,
  rows: readonly NewPaymentRow[],
): Promise<void> {
  if (rows.length > 0) await send(tx)`${insertPaymentsSql(tx, storeId, rows)}`
}

/** Returns the statement that inserts payments. */
export const insertPaymentsSql = (tx: Tx, storeId: number, rows: readonly NewPaymentRow[]) =>
  tx.insertInto('payment').values(rows.map((row) => ({ ...asColumns(row), store_id: storeId })))

export async function selectPayment(
  db: Db,
  storeId: number,
  orderId: string,
  id: number,
): Promise<Payment | undefined> {
  const row = await db
    .selectFrom('payment')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && withObject(row as Omit<Payment, 'object'>)
}

/** A review is never dated before its payment, even if the clock was set back. */
const notBeforeCreation = (now: string) => sql<string>`greatest(created_at, ${now})`

interface ReviewRow {
  status: 'approved' | 'succeeded' | 'rejected'
  reviewed_at: string
  reviewed_by: Payment['actor']
  note?: string | null
}

export async function reviewPayment(
  tx: Tx,
  storeId: number,
  id: number,
  { reviewed_by, ...review }: ReviewRow,
): Promise<Payment> {
  const row = await tx
    .updateTable('payment')
    .set({
      ...review,
      reviewed_by: JSON.stringify(reviewed_by),
      reviewed_at: notBeforeCreation(review.reviewed_at),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return withObject(row as Omit<Payment, 'object'>)
}

/** The fields of a payment through a provider that change. */
interface PaymentChange {
  status?: Payment['status']
  amount_cents?: number
  external_id?: string
  checkout_url?: string
  expires_at?: string
  failure?: Payment['failure']
  dispute?: Payment['dispute']
  review_reason?: Payment['review_reason']
  /** The time at which the money arrived. */
  succeeded_at?: string
  processing_since?: string
  transaction_id?: string
  fee_cents?: number
  fee_currency?: string
  /** The time of the next question to the provider about a payment that has succeeded. */
  check_at?: string
}

/** Changes a payment through a provider. One that is no longer open is not checked any more. */
export async function updatePayment(
  tx: Tx,
  storeId: number,
  id: number,
  { failure, dispute, succeeded_at, ...change }: PaymentChange,
): Promise<Payment> {
  const endsChecks = change.status !== undefined && !OPEN_STATUSES.some((s) => s === change.status)
  const row = await tx
    .updateTable('payment')
    .set({
      ...(endsChecks && { check_at: null, checks: 0 }),
      ...change,
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(dispute && { dispute: JSON.stringify(dispute) }),
      ...(succeeded_at && { reviewed_at: notBeforeCreation(succeeded_at) }),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return withObject(row as Omit<Payment, 'object'>)
}

/**
 * Records the id of a payment's transaction at its provider. It is also the id of a payment that charges a saved method, of
 * which the first answer may have been lost.
 */
export const updateTransactionId = (tx: Tx, storeId: number, id: number, transactionId: string) =>
  send(tx)`
    update payment
       set transaction_id = ${transactionId},
           external_id = case when saved_method is null then external_id else ${transactionId} end
     where store_id = ${storeId} and id = ${id} and transaction_id is distinct from ${transactionId}`

/** Changes a payment if it is still open. Returns false if it is not. */
export async function updateOpenPayment(
  db: Db,
  storeId: number,
  id: number,
  change: Pick<PaymentChange, 'external_id' | 'checkout_url' | 'expires_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set(change)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .where('status', 'in', [...OPEN_STATUSES])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the fee of a payment, and ends the questions about it. */
export const updateFee = (
  tx: Tx,
  storeId: number,
  id: number,
  { amount_cents, currency }: { amount_cents: number; currency: string },
) =>
  send(tx)`
    update payment set fee_cents = ${amount_cents}, fee_currency = ${currency}, check_at = null
     where store_id = ${storeId} and id = ${id}`

/** Has the provider asked again about a payment that has succeeded, for its fee and its refunds. */
export const requestCheck = (tx: Tx, storeId: number, id: number, checkAt: string) =>
  send(tx)`
    update payment set check_at = ${checkAt}, checks = 0 where store_id = ${storeId} and id = ${id}`

/**
 * Rejects the payments of an order that wait for a review. Those through a provider stay, because their money has to go
 * back.
 */
export async function rejectPendingReviews(
  tx: Tx,
  storeId: number,
  orderId: string,
  { now, actor }: { now: string; actor: Payment['actor'] },
): Promise<void> {
  await tx
    .updateTable('payment')
    .set({
      status: 'rejected',
      reviewed_at: notBeforeCreation(now),
      reviewed_by: actor && JSON.stringify(actor),
    })
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId)
    .where('status', '=', 'pending_review')
    .where('provider', 'is', null)
    .execute()
}

/** Returns the number of payments of an order that wait for a review. */
export const countPendingReviews = (tx: Tx, storeId: number, orderId: string) =>
  onlyValue<number>(tx)`
    select count(*) as count
      from payment
     where store_id = ${storeId} and order_id = ${orderId} and status = 'pending_review'`
