import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, storeTime, type TimedRows } from '../../../../db/due.ts'
import {
  allRows,
  allValues,
  execute,
  firstRow,
  firstValue,
  hasRows,
  onlyRow,
  onlyValue,
  send,
} from '../../../../db/rows.ts'
import { ORDER_LIFE } from '../../order-life.ts'
import type { Refund } from '../payment-schema.ts'
import type { RefundedLine } from '../refund-lines.rules.ts'
import type { Payable } from '../refund-parts.rules.ts'

/** The fields of a new refund. Those that are absent are null, and `items` is then empty. */
export type NewRefundRow = Omit<
  Refund,
  'id' | 'object' | 'items' | 'status' | 'payment_id' | 'external_id' | 'failure'
> &
  Partial<Pick<Refund, 'items' | 'payment_id' | 'external_id'>> & {
    /** The id of the request that the provider has confirmed. */
    id?: number
    return_id?: number | null
    /** True if the order was paid in full before. Only such refunds reduce the figures of sales. */
    of_sale: boolean
  }

/** Inserts a refund: money that went back. */
export async function insertRefund(
  tx: Tx,
  storeId: number,
  {
    of_sale,
    return_id = null,
    items = [],
    payment_id = null,
    external_id = null,
    ...row
  }: NewRefundRow,
): Promise<Refund> {
  const insert = tx
    .insertInto('refund')
    .values({
      ...row,
      payment_id,
      external_id,
      return_id,
      of_sale,
      items: JSON.stringify(items),
      actor: row.actor && JSON.stringify(row.actor),
      store_id: storeId,
    })
    .returningAll()
  const { id } = await onlyRow<{ id: number }>(tx)`
    with inserted as (${insert}), sales_summary as (${ORDER_LIFE.moneyReturned.analytics.deltas('inserted')}) select id from inserted`
  return {
    ...row,
    id,
    object: 'refund',
    items,
    payment_id,
    external_id,
    status: 'succeeded',
    failure: null,
  }
}

/** Adds to the amount of a payment that went back through its provider. */
export const addRefunded = (tx: Tx, storeId: number, paymentId: number, cents: number) =>
  send(tx)`
    update payment set refunded_cents = refunded_cents + ${cents}
     where store_id = ${storeId} and id = ${paymentId} and provider is not null`

interface RefundColumns {
  status: RawBuilder<unknown>
  failure: RawBuilder<unknown>
  source: RawBuilder<unknown>
}

/** The SQL for a row `r` of a table of refunds as JSON. */
const asJson = ({ status, failure, source }: RefundColumns) => sql`
  json_build_object(
    'id', r.id, 'object', 'refund', 'order_id', r.order_id, 'amount_cents', r.amount_cents,
    'currency', r.currency, 'status', ${status}, 'reason', r.reason, 'note', r.note, 'restock', r.restock,
    'items', r.items, 'source', ${source}, 'payment_id', r.payment_id, 'external_id', r.external_id,
    'failure', ${failure}, 'actor', r.actor, 'created_at', iso(r.created_at)) as json`

const REFUND_AS_JSON = asJson({
  status: sql`'succeeded'`,
  failure: sql`r.failure`,
  source: sql`r.source`,
})
const REQUEST_AS_JSON = asJson({
  status: sql`r.status`,
  failure: sql`r.failure`,
  source: sql`'seller'`,
})

/** The SQL for the refunds of an order `o` as JSON, with those that are asked of a provider. */
export const REFUNDS_OF_ORDER = sql`
  (select coalesce(json_agg(r.json order by r.id), '[]')
     from (select r.id, ${REFUND_AS_JSON} from refund r
            where r.store_id = o.store_id and r.order_id = o.id
            union all
           select r.id, ${REQUEST_AS_JSON} from refund_request r
            where r.store_id = o.store_id and r.order_id = o.id) r)`

/** The SQL for the lines of the refunds of an order that count, or will count when their provider confirms them. */
export const countedRefunds = (storeId: number, orderId: string) => sql`
  (select return_id, items from refund where store_id = ${storeId} and order_id = ${orderId}
    union all
   select return_id, items from refund_request
    where store_id = ${storeId} and order_id = ${orderId} and status = 'pending')`

/** Returns what was refunded of each line of an order. */
export async function selectRefundedLines(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Map<number, RefundedLine>> {
  const rows = await allRows<RefundedLine & { order_item_id: number }>(tx)`
    select (item ->> 'order_item_id')::bigint as order_item_id,
           sum((item ->> 'quantity')::bigint)::bigint as units,
           sum((item ->> 'amount_cents')::bigint)::bigint as cents
      from ${countedRefunds(storeId, orderId)} r
     cross join jsonb_array_elements(r.items) item
     group by 1`
  return new Map(rows.map(({ order_item_id, ...line }) => [order_item_id, line]))
}

/** The money of an order that can go back. */
export interface RefundSources {
  payments: Payable[]
  /** The amount of refunds that no provider was asked for. */
  recorded_cents: number
}

export const selectRefundSources = (tx: Tx, storeId: number, orderId: string) =>
  onlyRow<RefundSources>(tx)`
    select coalesce(json_agg(json_build_object(
             'id', p.id, 'kind', p.kind, 'provider', p.provider, 'amount_cents', p.amount_cents,
             'refunded_cents', coalesce(p.refunded_cents, 0),
             'pending_cents', (select coalesce(sum(r.amount_cents), 0) from refund_request r
                                where r.store_id = p.store_id and r.order_id = p.order_id
                                  and r.payment_id = p.id and r.status = 'pending'))), '[]') as payments,
           (select coalesce(sum(r.amount_cents), 0)::bigint from refund r
             where r.store_id = ${storeId} and r.order_id = ${orderId} and r.payment_id is null) as recorded_cents
      from payment p
     where p.store_id = ${storeId} and p.order_id = ${orderId} and p.status in ('approved', 'succeeded', 'disputed')`

/** Returns the amount of refunds of an order that their providers have not confirmed. */
export const selectPendingCents = (tx: Tx, storeId: number, orderId: string) =>
  onlyValue<number>(tx)`
    select coalesce(sum(amount_cents), 0)::bigint as cents
      from refund_request
     where store_id = ${storeId} and order_id = ${orderId} and status = 'pending'`

/** A refund that a provider is asked for. Its id becomes that of the refund. */
type NewRequestRow = Pick<
  Refund,
  'order_id' | 'amount_cents' | 'currency' | 'reason' | 'note' | 'restock' | 'items' | 'actor'
> & { payment_id: number; return_id: number | null; created_at: string }

/** Inserts the request of a refund, which is due at once. */
export async function insertRequest(tx: Tx, storeId: number, row: NewRequestRow): Promise<Refund> {
  const { id } = await tx
    .insertInto('refund_request')
    .values({
      ...row,
      store_id: storeId,
      status: 'pending',
      items: JSON.stringify(row.items),
      actor: row.actor && JSON.stringify(row.actor),
      check_at: row.created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { return_id: _, ...fields } = row
  return {
    ...fields,
    id,
    object: 'refund',
    status: 'pending',
    source: 'seller',
    external_id: null,
    failure: null,
  }
}

/** Has the refunds of an order that are not confirmed add the items to stock, if they end the order. */
export const restockWithLast = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    update refund_request set restock = true
     where store_id = ${storeId} and order_id = ${orderId} and status = 'pending'`

/**
 * Gives a recorded refund of a payment the id of the same refund at the provider, which the seller has made there while
 * it was not connected. Returns false if there is none of this amount.
 */
export const adoptRefund = (
  tx: Tx,
  storeId: number,
  row: { order_id: string; payment_id: number; amount_cents: number; external_id: string },
) =>
  hasRows(tx)`
    update refund set external_id = ${row.external_id}
     where store_id = ${storeId}
       and id = (select id from refund
                  where store_id = ${storeId} and order_id = ${row.order_id} and payment_id = ${row.payment_id}
                    and amount_cents = ${row.amount_cents} and external_id is null
                  order by id
                  limit 1)
    returning id`

/** A request of a refund with the payment that it is for. */
export interface RefundRequest {
  store_id: number
  id: number
  order_id: string
  payment_id: number
  amount_cents: number
  currency: string
  external_id: string | null
  provider: string
  payment_external_id: string | null
  payment_cents: number
  payment_refunded_cents: number
}

/** The wait before a provider is asked again: a minute, and twice as long after each further question, up to a day. */
const WAIT = sql`least(interval '1 minute' * 2 ^ least(r.checks, 11), interval '1 day')`

const ASKED: TimedRows = {
  from: sql`refund_request r`,
  store_id: sql`r.store_id`,
  due_at: sql`r.check_at`,
}

/**
 * Returns requests about which their providers have to be asked now, by the clocks of their stores, and sets the time of
 * the next question, so that no other process asks.
 */
export const claimRequests = (db: Db, { orderId, ...page }: DuePage & { orderId?: string }) =>
  allRows<RefundRequest>(db)`
    with due as materialized (
      ${dueRows(
        orderId === undefined ? ASKED : { ...ASKED, where: sql`r.order_id = ${orderId}` },
        sql`r.store_id, r.id, r.check_at`,
        page,
      )}
    )
    update refund_request r
       set checks = r.checks + 1, check_at = ${storeTime(page.now)} + ${WAIT}
      from due, store, payment p
     where r.store_id = due.store_id and r.id = due.id and r.check_at = due.check_at
       and store.id = r.store_id and p.store_id = r.store_id and p.id = r.payment_id
    returning r.store_id, r.id, r.order_id, r.payment_id, r.amount_cents, r.currency, r.external_id,
              p.provider, p.external_id as payment_external_id, p.amount_cents as payment_cents,
              coalesce(p.refunded_cents, 0) as payment_refunded_cents`

/** The time of the next question about a refund, by the machine's clock. */
export const nextRequest: Expression = nextDue(ASKED)

/** Returns the time of the next question about a refund of a store, by its clock. */
export const selectNextRequest = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select check_at from refund_request
     where store_id = ${storeId} and check_at is not null
     order by check_at
     limit 1`

/** Deletes a request that its provider has confirmed, and returns it; undefined if it was not pending. */
export const deleteRequest = (tx: Tx, storeId: number, id: number) =>
  firstRow<NewRequestRow & { id: number }>(tx)`
    delete from refund_request
     where store_id = ${storeId} and id = ${id} and status = 'pending'
    returning id, order_id, payment_id, amount_cents, currency, reason, note, restock, items, return_id, actor,
              created_at`

/**
 * Records the answer of the provider about a request that is not confirmed. Returns the return that it was for; undefined
 * if the request was not pending.
 */
export const updateRequest = (
  tx: Tx,
  storeId: number,
  id: number,
  { external_id, failure }: Pick<Refund, 'external_id' | 'failure'>,
) =>
  firstRow<{ return_id: number | null }>(tx)`
    with former as (
      select id, return_id from refund_request where store_id = ${storeId} and id = ${id} and status = 'pending'
    )
    update refund_request r
       set external_id = coalesce(${external_id}, r.external_id),
           return_id = case when ${failure !== null} then null else r.return_id end,
           status = case when ${failure !== null} then 'failed' else r.status end,
           failure = ${failure && JSON.stringify(failure)}::jsonb,
           check_at = case when ${failure !== null} then null else r.check_at end
      from former
     where r.store_id = ${storeId} and r.id = former.id
    returning former.return_id`

interface SentBackRefund {
  external_id: string
  failure: NonNullable<Refund['failure']>
}

/** Records that the bank of the buyer has sent the money of refunds back. They still count: the seller owes the money. */
export const markSentBack = (
  tx: Tx,
  storeId: number,
  { payment_id, failed }: { payment_id: number; failed: readonly SentBackRefund[] },
) =>
  execute(tx)`
    update refund r set failure = f.failure
      from jsonb_to_recordset(${JSON.stringify(failed)}::jsonb) as f(external_id text, failure jsonb)
     where r.store_id = ${storeId} and r.payment_id = ${payment_id} and r.external_id = f.external_id
       and r.failure is null`

/** Returns the ids at the provider of the refunds of a payment. */
export const selectExternalRefunds = (
  tx: Tx,
  storeId: number,
  { id, order_id }: { id: number; order_id: string },
) =>
  allValues<string>(tx)`
    select external_id from refund
     where store_id = ${storeId} and order_id = ${order_id} and payment_id = ${id} and external_id is not null`
