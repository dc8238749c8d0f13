import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import type { ReceivedItem } from './returns.rules.ts'
import type { NewReturn, Return, ReturnQuery, Status } from './schema.ts'

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

export async function selectReturn(
  db: Db,
  storeId: number,
  id: number,
): Promise<Return | undefined> {
  const { rows } = await sql<Return>`
    select ${RETURN} from order_return t where t.store_id = ${storeId} and t.id = ${id}`.execute(db)
  return rows[0]
}

/** A return, locked for a change. Lock its order before. */
export async function lockReturn(tx: Tx, storeId: number, id: number): Promise<Return | undefined> {
  const { rows } = await sql<Return>`
    select ${RETURN}
      from order_return t
     where t.store_id = ${storeId} and t.id = ${id}
       for update of t`.execute(tx)
  return rows[0]
}

/** The order of a return, which never changes. */
export async function selectOrderId(
  db: Db,
  storeId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from order_return where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]?.order_id
}

/** A page of returns, the newest first, and how many match. */
export function selectReturns(
  db: Db,
  storeId: number,
  { status, order_id, email, limit, offset }: ReturnQuery,
) {
  return selectNewest<Return>(db, {
    table: 'order_return',
    columns: RETURN,
    storeId,
    limit,
    offset,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      order_id !== undefined && sql`t.order_id = ${order_id}`,
      email !== undefined && sql`t.customer_email = ${email}`,
    ],
  })
}

/**
 * Units of each line of an order that returns claim: those that are sent back while a return is open, and
 * those that arrived once it was received.
 */
export async function selectClaimed(
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

/** Units of each line of an order that earlier returns have brought back and refunded. */
export async function selectReturnedBefore(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ order_item_id: number; units: number }>`
    select i.order_item_id, sum(i.received_quantity) as units
      from order_return t
      join order_return_item i on i.store_id = t.store_id and i.return_id = t.id
     where t.store_id = ${storeId} and t.order_id = ${orderId} and t.status in ('refunded', 'closed')
     group by i.order_item_id`.execute(tx)
  return new Map(rows.map((row) => [row.order_item_id, row.units]))
}

export interface NewReturnRow {
  order_id: string
  customer_email: string
  tracking_number: string | null
  carrier_code: string | null
  items: NewReturn['items']
  now: string
}

/** Creates a return under the next number of its store. The counter stays locked until the commit. */
export async function insertReturn(tx: Tx, storeId: number, row: NewReturnRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with counter as (
      insert into return_counter as c (store_id, last_number) values (${storeId}, 1)
          on conflict (store_id) do update set last_number = c.last_number + 1
      returning last_number
    ), made as (
      insert into order_return (store_id, number, order_id, customer_email, status, tracking_number,
                                carrier_code, requested_at, created_at, updated_at)
      select ${storeId}, last_number, ${row.order_id}, ${row.customer_email}, 'requested',
             ${row.tracking_number}, ${row.carrier_code}, ${row.now}, ${row.now}, ${row.now}
        from counter
      returning id
    ), items as (
      insert into order_return_item (store_id, return_id, order_item_id, quantity, reason, note)
      select ${storeId}, made.id, i.order_item_id, i.quantity, i.reason, i.note
        from made, jsonb_to_recordset(${JSON.stringify(row.items)})
                     as i(order_item_id bigint, quantity integer, reason text, note text)
    )
    select id from made`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('An insert created no return.')
  return made.id
}

export interface ReturnChange {
  status: Status
  approved_at?: string
  received_at?: string
  closed_at?: string
  rejection_note?: string | null
  tracking_number?: string | null
  carrier_code?: string | null
  refund_id?: number
  refund_amount_cents?: number
}

export async function updateReturn(
  tx: Tx,
  storeId: number,
  id: number,
  { now, approved_at, received_at, closed_at, ...fields }: ReturnChange & { now: string },
): Promise<Return> {
  const changed = tx
    .updateTable('order_return')
    .set((row) => {
      const since = (moment: string) => sql<string>`greatest(${row.ref('requested_at')}, ${moment})`
      return {
        ...fields,
        ...(approved_at && { approved_at: since(approved_at) }),
        ...(received_at && { received_at: since(received_at) }),
        ...(closed_at && { closed_at: since(closed_at) }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returningAll()
  const { rows } = await sql<Return>`with t as (${changed}) select ${RETURN} from t`.execute(tx)
  const [after] = rows
  if (!after) throw new Error(`There is no return ${id} to change.`)
  return after
}

export async function updateItems(
  tx: Tx,
  storeId: number,
  returnId: number,
  items: readonly ReceivedItem[],
): Promise<void> {
  await sql`
    update order_return_item i
       set received_quantity = r.received, damaged_quantity = r.damaged
      from unnest(${items.map((item) => item.order_item_id)}::bigint[],
                  ${items.map((item) => item.received_quantity)}::integer[],
                  ${items.map((item) => item.damaged_quantity)}::integer[])
             as r(order_item_id, received, damaged)
     where i.store_id = ${storeId} and i.return_id = ${returnId}
       and i.order_item_id = r.order_item_id`.execute(tx)
}

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
