import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { hasEmail } from '../../../db/has-email.ts'
import { selectNewest } from '../../../db/newest.ts'
import { allRows, execute, firstRow, firstValue, onlyRow } from '../../../db/rows.ts'
import { countedRefunds } from '../orders/index.ts'
import type { EarlierUnits } from './refunded-lines.rules.ts'
import type { ReceivedItem } from './returns.rules.ts'
import type { NewReturn, Return, ReturnQuery, ReturnStatus } from './schema.ts'

const RETURN = sql`
  t.id, 'return' as object,
  'RMA-' || lpad(t.number::text, greatest(6, length(t.number::text)), '0') as rma,
  t.order_id, t.customer_email, t.status,
  (select coalesce(json_agg(json_build_object(
            'order_item_id', i.order_item_id, 'quantity', i.quantity,
            'received_quantity', i.received_quantity, 'damaged_quantity', i.damaged_quantity,
            'reason', i.reason, 'note', i.note) order by i.order_item_id), '[]')
     from order_return_item i
    where i.store_id = t.store_id and i.return_id = t.id) as items,
  t.refund_amount_cents, t.refund_id, t.tracking_number, t.carrier_code, t.rejection_note,
  t.requested_at, t.approved_at, t.received_at, t.closed_at, t.created_at, t.updated_at`

export const selectReturn = (db: Db, storeId: number, id: number) =>
  firstRow<Return>(db)`
    select ${RETURN} from order_return t where t.store_id = ${storeId} and t.id = ${id}`

/** Locks a return. A caller that also changes its order must lock the order first. */
export const lockReturn = (tx: Tx, storeId: number, id: number) =>
  firstRow<Return>(tx)`
    select ${RETURN}
      from order_return t
     where t.store_id = ${storeId} and t.id = ${id}
       for update of t`

/** Returns the order id of a return, which never changes. */
export const selectOrderId = (db: Db, storeId: number, id: number) =>
  firstValue<string>(db)`
    select order_id from order_return where store_id = ${storeId} and id = ${id}`

/** The expressions of an index, which must be repeated literally so that PostgreSQL uses it. */
const PENDING_FIRST = sql`
  case t.status when 'requested' then 0 when 'received' then 1 when 'approved' then 2 else 3 end,
  case when t.status in ('requested', 'received', 'approved') then t.created_at end,
  t.created_at desc, t.id desc`

/** Returns a page of returns and the number of matches. */
export function selectReturns(
  db: Db,
  storeId: number,
  { status, order_id, email, rma, sort, ...page }: ReturnQuery,
) {
  return selectNewest<Return>(db, {
    table: 'order_return',
    columns: RETURN,
    storeId,
    ...page,
    sortedBy: sort === 'waiting' ? PENDING_FIRST : undefined,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      order_id !== undefined && sql`t.order_id = ${order_id}`,
      email !== undefined && hasEmail('t.customer_email', email),
      rma !== undefined && sql`t.number = ${rma}`,
    ],
  })
}

/** A line of an order whose units may come back. */
export interface ReturnableLine {
  id: number
  delivery_type: string
  quantity: number
  total_cents: number
  /** The units that were refunded and never sent, so they cannot come back. */
  unsent: number
}

/**
 * Returns the lines of an order. If none of its parcels is recorded, units that were refunded before they were delivered
 * (decision 185) may have been sent anyway.
 */
export const selectReturnableLines = (tx: Tx, storeId: number, orderId: string) =>
  allRows<ReturnableLine>(tx)`
    select i.id, i.delivery_type, i.quantity, i.total_cents,
           case when exists (select from fulfillment f
                               join fulfillment_item p on p.store_id = f.store_id and p.fulfillment_id = f.id
                              where f.store_id = i.store_id and f.order_id = i.order_id
                                and p.order_item_id = i.id and f.status <> 'cancelled')
                then i.cancelled else 0 end as unsent
      from order_item i
     where i.store_id = ${storeId} and i.order_id = ${orderId}
     order by i.id`

/**
 * Returns the units in returns by order item: the requested units until a return is received, and then the
 * received units.
 */
export async function selectReturnUnits(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ order_item_id: number; units: number }>`
    select i.order_item_id,
           sum(case when t.received_at is null then i.quantity else i.received_quantity end) as units
      from order_return t
      join order_return_item i on i.store_id = t.store_id and i.return_id = t.id
     where t.store_id = ${storeId} and t.order_id = ${orderId}
       and t.status not in ('rejected', 'cancelled')
     group by i.order_item_id`.execute(tx)
  return new Map(rows.map((row) => [row.order_item_id, row.units]))
}

/**
 * Returns the units that were received in refunded or closed returns, and the units of refunds that were not for a
 * return, by order item.
 */
export async function selectEarlierUnits(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Map<number, EarlierUnits>> {
  const { rows } = await sql<EarlierUnits & { order_item_id: number }>`
    select order_item_id, sum(returned)::bigint as returned, sum(refunded)::bigint as refunded
      from (select i.order_item_id, i.received_quantity as returned, 0 as refunded
              from order_return t
              join order_return_item i on i.store_id = t.store_id and i.return_id = t.id
             where t.store_id = ${storeId} and t.order_id = ${orderId}
               and t.status in ('refunded', 'closed')
             union all
            select (item ->> 'order_item_id')::bigint, 0, (item ->> 'quantity')::bigint
              from ${countedRefunds(storeId, orderId)} r
             cross join jsonb_array_elements(r.items) item
             where r.return_id is null) u
     group by order_item_id`.execute(tx)
  return new Map(rows.map(({ order_item_id, ...units }) => [order_item_id, units]))
}

interface NewReturnRow {
  order_id: string
  customer_email: string
  tracking_number: string | null
  carrier_code: string | null
  items: NewReturn['items']
  now: string
}

/** Creates a return with the next number of its store. The counter is locked until the commit. */
export async function insertReturn(tx: Tx, storeId: number, row: NewReturnRow): Promise<number> {
  const { id } = await onlyRow<{ id: number }>(tx)`
    with counter as (
      insert into return_counter as c (store_id, last_number) values (${storeId}, 1)
          on conflict (store_id) do update set last_number = c.last_number + 1
      returning last_number
    ), created as (
      insert into order_return (store_id, number, order_id, customer_email, status, tracking_number,
                                carrier_code, requested_at, created_at, updated_at)
      select ${storeId}, last_number, ${row.order_id}, ${row.customer_email}, 'requested',
             ${row.tracking_number}, ${row.carrier_code}, ${row.now}, ${row.now}, ${row.now}
        from counter
      returning id
    ), items as (
      insert into order_return_item (store_id, return_id, order_item_id, quantity, reason, note)
      select ${storeId}, created.id, i.order_item_id, i.quantity, i.reason, i.note
        from created, jsonb_to_recordset(${JSON.stringify(row.items)})
                     as i(order_item_id bigint, quantity integer, reason text, note text)
    )
    select id from created`
  return id
}

export interface ReturnChange {
  status: ReturnStatus
  approved_at?: string
  received_at?: string
  closed_at?: string
  rejection_note?: string | null
  tracking_number?: string | null
  carrier_code?: string | null
  refund_id?: number | null
  refund_amount_cents?: number
}

export async function updateReturn(
  tx: Tx,
  storeId: number,
  id: number,
  { now, approved_at, received_at, closed_at, ...fields }: ReturnChange & { now: string },
): Promise<Return> {
  const update = tx
    .updateTable('order_return')
    .set((row) => {
      const notBeforeRequest = (moment: string) =>
        sql<string>`greatest(${row.ref('requested_at')}, ${moment})`
      return {
        ...fields,
        ...(approved_at && { approved_at: notBeforeRequest(approved_at) }),
        ...(received_at && { received_at: notBeforeRequest(received_at) }),
        ...(closed_at && { closed_at: notBeforeRequest(closed_at) }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returningAll()
  return onlyRow<Return>(tx)`with t as (${update}) select ${RETURN} from t`
}

/**
 * Takes a refund that a provider has refused away from its return. If nothing of the return is refunded then, it is
 * `received` again, so that it can be refunded in another way.
 */
export const takeRefundAway = (tx: Tx, storeId: number, id: number, now: string) =>
  execute(tx)`
    update order_return t
       set refund_id = f.id, refund_amount_cents = f.cents,
           status = case when f.id is null then 'received' else t.status end,
           closed_at = case when f.id is null then null else t.closed_at end,
           updated_at = greatest(t.updated_at, ${now})
      from (select min(r.id) as id, sum(r.amount_cents)::bigint as cents
              from (select id, amount_cents from refund where store_id = ${storeId} and return_id = ${id}
                     union all
                    select id, amount_cents from refund_request
                     where store_id = ${storeId} and return_id = ${id} and status = 'pending') r) f
     where t.store_id = ${storeId} and t.id = ${id} and t.status = 'refunded'`

export const updateItems = (
  tx: Tx,
  storeId: number,
  returnId: number,
  items: readonly ReceivedItem[],
) =>
  execute(tx)`
    update order_return_item i
       set received_quantity = receipt.received, damaged_quantity = receipt.damaged
      from unnest(${items.map((item) => item.order_item_id)}::bigint[],
                  ${items.map((item) => item.received_quantity)}::integer[],
                  ${items.map((item) => item.damaged_quantity)}::integer[])
             as receipt(order_item_id, received, damaged)
     where i.store_id = ${storeId} and i.return_id = ${returnId}
       and i.order_item_id = receipt.order_item_id`

/** Removes personal data from the returns of these orders, and returns their ids. */
export async function clearReturns(
  tx: Tx,
  storeId: number,
  { orderIds, replacement }: { orderIds: readonly string[]; replacement: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update order_return
       set customer_email = ${replacement}, tracking_number = null, rejection_note = null
     where store_id = ${storeId} and order_id = any(${orderIds}::text[])
    returning id`.execute(tx)
  const ids = rows.map((row) => row.id)
  await sql`
    update order_return_item set note = null
     where store_id = ${storeId} and return_id = any(${ids}::bigint[])`.execute(tx)
  return ids
}
