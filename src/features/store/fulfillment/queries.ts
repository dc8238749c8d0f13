import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import { firstRow, onlyRow } from '../../../db/rows.ts'
import type { ParcelItem } from './parcels.rules.ts'
import type { Fulfillment, FulfillmentQuery, ParcelStatus } from './schema.ts'

const FULFILLMENT = sql`
  t.id, 'fulfillment' as object, t.order_id, t.status, t.shipment_status,
  (select l.id from location l where l.store_id = t.store_id and l.id = t.location_id) as location_id,
  t.carrier_code, t.tracking_number, t.tracking_url,
  (select coalesce(json_agg(json_build_object(
            'order_item_id', i.order_item_id, 'quantity', i.quantity) order by i.order_item_id), '[]')
     from fulfillment_item i
    where i.store_id = t.store_id and i.fulfillment_id = t.id) as items,
  t.shipped_at, t.delivered_at, t.created_at, t.updated_at`

export const selectFulfillment = (db: Db, storeId: number, id: number) =>
  firstRow<Fulfillment>(db)`
    select ${FULFILLMENT}
      from fulfillment t
     where t.store_id = ${storeId} and t.id = ${id}`

/** Returns a page of fulfillments, the newest first, and the number of matches. */
export const selectFulfillments = (
  db: Db,
  storeId: number,
  { status, order_id, ...page }: FulfillmentQuery,
) =>
  selectNewest<Fulfillment>(db, {
    table: 'fulfillment',
    columns: FULFILLMENT,
    storeId,
    ...page,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      order_id !== undefined && sql`t.order_id = ${order_id}`,
    ],
  })

/** Returns the number of units in parcels by order line. Cancelled parcels do not count. */
export async function selectPackedUnits(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ order_item_id: number; units: number }>`
    select i.order_item_id, sum(i.quantity) as units
      from fulfillment f
      join fulfillment_item i on i.store_id = f.store_id and i.fulfillment_id = f.id
     where f.store_id = ${storeId} and f.order_id = ${orderId} and f.status <> 'cancelled'
     group by i.order_item_id`.execute(tx)
  return new Map(rows.map((row) => [row.order_item_id, row.units]))
}

interface NewParcel {
  order_id: string
  status: ParcelStatus
  shipment_status: string | null
  location_id: number | null
  carrier_code: string
  tracking_number: string | null
  tracking_url: string | null
  now: string
}

/** Inserts a parcel with its contents, in one statement. */
export async function insertFulfillment(
  tx: Tx,
  storeId: number,
  parcel: NewParcel,
  items: readonly ParcelItem[],
): Promise<number> {
  const { now } = parcel
  const { id } = await onlyRow<{ id: number }>(tx)`
    with inserted as (
      insert into fulfillment
             (store_id, order_id, status, shipment_status, location_id, carrier_code,
              tracking_number, tracking_url, shipped_at, delivered_at, created_at, updated_at)
      values (${storeId}, ${parcel.order_id}, ${parcel.status}, ${parcel.shipment_status},
              ${parcel.location_id}, ${parcel.carrier_code}, ${parcel.tracking_number},
              ${parcel.tracking_url}, ${parcel.status === 'open' ? null : now},
              ${parcel.status === 'delivered' ? now : null}, ${now}, ${now})
      returning id
    ), items as (
      insert into fulfillment_item (store_id, fulfillment_id, order_item_id, quantity)
      select ${storeId}, inserted.id, i.order_item_id, i.quantity
        from inserted, unnest(${items.map((item) => item.order_item_id)}::bigint[],
                          ${items.map((item) => item.quantity)}::integer[])
                     as i(order_item_id, quantity)
    )
    select id from inserted`
  return id
}

export interface ParcelChange {
  status: ParcelStatus
  shipment_status?: string | null | undefined
  carrier_code?: string | undefined
  tracking_number?: string | null | undefined
  tracking_url?: string | null | undefined
}

/** Changes a parcel. `shipped_at` and `delivered_at` keep their first values. */
export async function updateFulfillment(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...change }: ParcelChange & { now: string },
): Promise<void> {
  const { status } = change
  const isShipped = status === 'shipped' || status === 'delivered' || status === 'failed'
  await tx
    .updateTable('fulfillment')
    .set((row) => {
      const firstOrNow = (column: 'shipped_at' | 'delivered_at') =>
        sql<string>`coalesce(${row.ref(column)}, greatest(${row.ref('created_at')}, ${now}))`
      return {
        ...change,
        ...(isShipped && { shipped_at: firstOrNow('shipped_at') }),
        ...(status === 'delivered' && { delivered_at: firstOrNow('delivered_at') }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}
