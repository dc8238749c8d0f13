import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { ParcelItem } from './parcels.rules.ts'
import type { Fulfillment, FulfillmentQuery, Status } from './schema.ts'

const FULFILLMENT = sql`
  f.id, 'fulfillment' as object, f.order_id, f.status, f.shipment_status,
  (select l.id from location l where l.store_id = f.store_id and l.id = f.location_id) as location_id,
  f.carrier_code, f.tracking_number, f.tracking_url,
  (select coalesce(json_agg(json_build_object(
            'order_item_id', i.order_item_id, 'quantity', i.quantity) order by i.order_item_id), '[]')
     from fulfillment_item i
    where i.store_id = f.store_id and i.fulfillment_id = f.id) as items,
  f.shipped_at, f.delivered_at, f.created_at, f.updated_at`

export async function selectFulfillment(
  db: Db,
  storeId: number,
  id: number,
): Promise<Fulfillment | undefined> {
  const { rows } = await sql<Fulfillment>`
    select ${FULFILLMENT}
      from fulfillment f
     where f.store_id = ${storeId} and f.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of them, the newest first, and how many match. */
export async function selectFulfillments(
  db: Db,
  storeId: number,
  { status, order_id, limit, offset }: FulfillmentQuery,
): Promise<{ fulfillments: Fulfillment[]; total: number }> {
  const where = sql.join(
    [
      sql`f.store_id = ${storeId}`,
      ...(status ? [sql`f.status = any(${status}::text[])`] : []),
      ...(order_id === undefined ? [] : [sql`f.order_id = ${order_id}`]),
    ],
    sql` and `,
  )
  const page = await sql<Fulfillment>`-- planned anew
    select ${FULFILLMENT}
      from (select f.*
              from fulfillment f
             where ${where}
             order by f.created_at desc, f.id desc
             limit ${limit} offset ${offset}) f
     order by f.created_at desc, f.id desc`.execute(db)
  const count = await sql<{ total: number }>`-- planned anew
    select count(*) as total
      from (select from fulfillment f where ${where} limit ${countedTo({ limit, offset })}) f`.execute(
    db,
  )
  return { fulfillments: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Units of each line of an order that are in a parcel which was not cancelled. */
export async function selectPacked(
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

export interface NewParcel {
  order_id: string
  status: Status
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
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into fulfillment
             (store_id, order_id, status, shipment_status, location_id, carrier_code,
              tracking_number, tracking_url, shipped_at, delivered_at, created_at, updated_at)
      values (${storeId}, ${parcel.order_id}, ${parcel.status}, ${parcel.shipment_status},
              ${parcel.location_id}, ${parcel.carrier_code}, ${parcel.tracking_number},
              ${parcel.tracking_url}, ${parcel.status === 'open' ? null : now},
              ${parcel.status === 'delivered' ? now : null}, ${now}, ${now})
      returning id
    ), packed as (
      insert into fulfillment_item (store_id, fulfillment_id, order_item_id, quantity)
      select ${storeId}, made.id, i.order_item_id, i.quantity
        from made, unnest(${items.map((item) => item.order_item_id)}::bigint[],
                          ${items.map((item) => item.quantity)}::integer[])
                     as i(order_item_id, quantity)
    )
    select id from made`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('An insert made no fulfillment.')
  return made.id
}

export interface ParcelChange {
  status: Status
  shipment_status?: string | null | undefined
  carrier_code?: string | undefined
  tracking_number?: string | null | undefined
  tracking_url?: string | null | undefined
}

/** Changes a parcel. The times of its departure and arrival are recorded once. */
export async function updateFulfillment(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...change }: ParcelChange & { now: string },
): Promise<void> {
  const { status } = change
  const left = status === 'shipped' || status === 'delivered' || status === 'failed'
  await tx
    .updateTable('fulfillment')
    .set((row) => {
      const first = (column: 'shipped_at' | 'delivered_at') =>
        sql<string>`coalesce(${row.ref(column)}, greatest(${row.ref('created_at')}, ${now}))`
      return {
        ...change,
        ...(left && { shipped_at: first('shipped_at') }),
        ...(status === 'delivered' && { delivered_at: first('delivered_at') }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Physical units of an order, and how many of them have left in a parcel that still counts. */
export async function selectShipped(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<{ bought: number; shipped: number }> {
  const { rows } = await sql<{ bought: number; shipped: number }>`
    select (select coalesce(sum(quantity), 0)
              from order_item
             where store_id = ${storeId} and order_id = ${orderId}
               and delivery_type = 'physical') as bought,
           (select coalesce(sum(i.quantity), 0)
              from fulfillment f
              join fulfillment_item i on i.store_id = f.store_id and i.fulfillment_id = f.id
             where f.store_id = ${storeId} and f.order_id = ${orderId}
               and f.status in ('shipped', 'delivered')) as shipped`.execute(tx)
  return rows[0] ?? { bought: 0, shipped: 0 }
}
