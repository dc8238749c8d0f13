import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { refunded } from '../../analytics/index.ts'
import type { Payment, Refund } from '../payment-schema.ts'

export type NewPaymentRow = Omit<Payment, 'id' | 'object'>

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
  'reviewed_at',
  'actor',
  'reviewed_by',
  'created_at',
] as const

/** Actors are stored as JSON. */
const actorsOf = ({ actor, reviewed_by }: Pick<Payment, 'actor' | 'reviewed_by'>) => ({
  actor: actor && JSON.stringify(actor),
  reviewed_by: reviewed_by && JSON.stringify(reviewed_by),
})

const tagged = (row: Omit<Payment, 'object'>): Payment => ({ ...row, object: 'payment' })

export async function insertPayment(tx: Tx, storeId: number, row: NewPaymentRow): Promise<Payment> {
  const made = await tx
    .insertInto('payment')
    .values({ ...row, ...actorsOf(row), store_id: storeId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return tagged(made as Omit<Payment, 'object'>)
}

export async function insertPayments(
  tx: Tx,
  storeId: number,
  rows: readonly NewPaymentRow[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => ({ ...row, ...actorsOf(row), store_id: storeId }))
  await tx.insertInto('payment').values(values).execute()
}

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
  return row && tagged(row as Omit<Payment, 'object'>)
}

/** The clock may have been put back since. */
const sinceMade = (now: string) => sql<string>`greatest(created_at, ${now})`

export interface ReviewRow {
  status: 'approved' | 'rejected'
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
      reviewed_at: sinceMade(review.reviewed_at),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return tagged(row as Omit<Payment, 'object'>)
}

/** Rejects the payments under review of an order that accepts no money any more. */
export async function rejectWaiting(
  tx: Tx,
  storeId: number,
  orderId: string,
  { now, actor }: { now: string; actor: Payment['actor'] },
): Promise<void> {
  await tx
    .updateTable('payment')
    .set({
      status: 'rejected',
      reviewed_at: sinceMade(now),
      reviewed_by: actor && JSON.stringify(actor),
    })
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId)
    .where('status', '=', 'pending_review')
    .execute()
}

/** Payments of an order that wait for review. */
export async function countReviews(tx: Tx, storeId: number, orderId: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting
      from payment
     where store_id = ${storeId} and order_id = ${orderId} and status = 'pending_review'`.execute(
    tx,
  )
  return rows[0]?.waiting ?? 0
}

export type NewRefundRow = Omit<Refund, 'id' | 'object'> & {
  /** False if the order was never paid in full. */
  of_sale: boolean
}

export async function insertRefund(
  tx: Tx,
  storeId: number,
  { of_sale, ...row }: NewRefundRow,
): Promise<Refund> {
  const insert = tx
    .insertInto('refund')
    .values({ ...row, of_sale, actor: row.actor && JSON.stringify(row.actor), store_id: storeId })
    .returningAll()
  const { rows } = await sql<{ id: number }>`
    with made as (${insert}), sale as (${refunded('made')}) select id from made`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('An insert returned no refund.')
  return { ...row, id: made.id, object: 'refund' }
}
