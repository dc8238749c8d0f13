import { type Expression, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { countedTo, type Page } from '../../../../kernel/page.ts'
import { ordersChanged, ordersCreated } from '../../analytics/index.ts'
import { recordMoney } from '../../wallet/index.ts'
import type { Line, Totals } from '../lines.rules.ts'
import type { FulfillmentStatus, Order, Status, StoredOrder } from '../schema.ts'
import { countOfKeys, KEYS_AT_ONCE, keysOf } from './delivery-keys.ts'

/** The columns of an order, with its items from the table of that name. */
const orderWith = (items: string) => sql`
  o.id, 'order' as object, o.number, o.status, o.refund_status, o.fulfillment_status, o.source,
  o.currency, o.subtotal_cents, o.discount_cents, o.shipping_cents, o.total_cents, o.paid_cents,
  o.refunded_cents, o.payment_method,
  json_build_object('id', o.customer_id, 'email', o.customer_email, 'name', o.customer_name,
                    'country', o.customer_country) as customer,
  (select coalesce(json_agg(json_build_object(
            'id', i.id, 'product_id', i.product_hash, 'variant_id', i.variant_id, 'name', i.name,
            'variant_name', i.variant_name, 'sku', i.sku, 'delivery_type', i.delivery_type,
            'quantity', i.quantity, 'unit_price_cents', i.unit_price_cents,
            'discount_cents', i.discount_cents, 'total_cents', i.total_cents) order by i.id), '[]')
     from ${sql.table(items)} i
    where i.store_id = o.store_id and i.order_id = o.id) as items,
  o.coupon, o.affiliate, o.shipping_address, o.shipping, o.custom_fields, o.metadata, o.note, o.ip,
  o.user_agent, o.expires_at, o.paid_at, o.completed_at, o.cancelled_at, o.created_at, o.updated_at,
  o.recurring`
export const ORDER = orderWith('order_item')

/**
 * The payments, refunds and deliveries of an order, and its status history. The first keys of a
 * delivery are sealed, each next to the hash that it is sealed under. A delivery's files are the
 * current files of its variant, while the delivery is active (decision 104).
 */
const STORY = sql`
  (select coalesce(json_agg(json_build_object(
            'id', y.id, 'object', 'payment', 'order_id', y.order_id, 'kind', y.kind,
            'status', y.status, 'amount_cents', y.amount_cents, 'currency', y.currency,
            'reference', y.reference, 'proof_text', y.proof_text, 'proof_url', y.proof_url,
            'note', y.note, 'reviewed_at', iso(y.reviewed_at), 'actor', y.actor,
            'reviewed_by', y.reviewed_by, 'created_at', iso(y.created_at))
          order by y.id), '[]')
     from payment y
    where y.store_id = o.store_id and y.order_id = o.id) as payments,
  (select coalesce(json_agg(json_build_object(
            'id', r.id, 'object', 'refund', 'order_id', r.order_id, 'amount_cents', r.amount_cents,
            'currency', r.currency, 'reason', r.reason, 'note', r.note, 'restock', r.restock,
            'actor', r.actor, 'created_at', iso(r.created_at)) order by r.id), '[]')
     from refund r
    where r.store_id = o.store_id and r.order_id = o.id) as refunds,
  (select coalesce(json_agg(json_build_object(
            'id', d.id, 'object', 'delivery', 'order_id', d.order_id,
            'order_item_id', d.order_item_id, 'product_id', d.product_hash, 'variant_id', d.variant_id,
            'type', d.type, 'status', d.status, 'error', d.error, 'attempts', d.attempts,
            'text_enc', encode(d.text_enc, 'base64'), 'delivered_at', iso(d.delivered_at),
            'created_at', iso(d.created_at),
            'keys_count', ${countOfKeys('d')},
            'keys', (select coalesce(json_agg(json_build_object(
                              'hmac', encode(k.hmac, 'base64'), 'sealed', encode(k.sealed, 'base64'))
                            order by k.id), '[]')
                       from (${keysOf('d', { limit: KEYS_AT_ONCE, offset: 0 })}) k),
            'files', (select coalesce(json_agg(json_build_object(
                              'id', f.id, 'name', f.name, 'size_bytes', f.size_bytes)
                            order by f.id), '[]')
                        from product_file f
                       where f.store_id = d.store_id and f.product_id = d.product_id
                         and (f.variant_id is null or f.variant_id = d.variant_id)
                         and d.status = 'delivered')) order by d.id), '[]')
     from delivery d
    where d.store_id = o.store_id and d.order_id = o.id) as deliveries,
  o.status_history`

/** A delivery as the database stores it: its keys and its text are sealed. */
export type SealedDelivery = Omit<Order['deliveries'][number], 'keys' | 'files' | 'text'> & {
  /** The first keys, in base64. */
  keys: { hmac: string; sealed: string }[]
  files: Pick<Order['deliveries'][number]['files'][number], 'id' | 'name' | 'size_bytes'>[]
  text_enc: string | null
}
export type SealedOrder = Omit<StoredOrder, 'deliveries'> & { deliveries: SealedDelivery[] }

/** Returns an order with its payments, refunds and deliveries, in one round trip. */
export async function selectOrder(
  db: Db,
  storeId: number,
  id: string,
): Promise<SealedOrder | undefined> {
  const { rows } = await sql<SealedOrder>`
    select ${ORDER}, ${STORY}
      from "order" o
     where o.store_id = ${storeId} and o.id = ${id}`.execute(db)
  return rows[0]
}

/** The fields of a locked order that changes of it need. */
export interface LockedOrder {
  id: string
  status: Status
  currency: string
  total_cents: number
  paid_cents: number
  refunded_cents: number
  customer_id: number
  customer_email: string
  payment_method: string | null
  expires_at: string | null
  /** Null until the order was paid in full. */
  paid_at: string | null
  completed_at: string | null
  fulfillment_status: FulfillmentStatus
  has_coupon: boolean
  /** The shipping zone of its address. */
  zone_id: number | null
  carrier_code: string | null
  recurring: StoredOrder['recurring']
}

/** Locks an order, so that its changes are serialized. */
export async function lockOrder(
  tx: Tx,
  storeId: number,
  id: string,
): Promise<LockedOrder | undefined> {
  const { rows } = await sql<LockedOrder>`
    select id, status, currency, total_cents, paid_cents, refunded_cents, customer_id, customer_email,
           payment_method, expires_at, paid_at, completed_at, fulfillment_status,
           coupon is not null as has_coupon,
           (shipping ->> 'zone_id')::bigint as zone_id, shipping ->> 'carrier_code' as carrier_code,
           recurring
      from "order"
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** The search index entry of an order, over all fields that `search` covers. */
const RUNS = sql`runs(o.store_id, o.id || chr(10) || o.number || chr(10) || o.customer_email)`

export interface NewOrderRow extends Totals {
  id: string
  fulfillment_status: string
  source: string
  currency: string
  payment_method: string | null
  customer_id: number
  customer_email: string
  customer_name: string | null
  customer_country: string | null
  shipping_address: unknown
  coupon: Order['coupon']
  affiliate: Order['affiliate']
  shipping: Order['shipping']
  custom_fields: Record<string, string>
  metadata: Record<string, string>
  ip: string | null
  user_agent: string | null
  return_url: string | null
  expires_at: string | null
  recurring: StoredOrder['recurring']
  created_at: string
}

/** A line of a new order, with the units of stock that it reserves. */
export type HoldingLine = Line & { reserved: number }

/** Writes a new order, and returns it. */
export async function insertOrder(
  tx: Tx,
  storeId: number,
  row: NewOrderRow,
  lines: readonly HoldingLine[],
): Promise<StoredOrder> {
  const [order] = await insertOrders(tx, storeId, [{ row, lines }])
  if (!order) throw new Error('The store has no counter of orders.')
  return order
}

export interface NewOrderWithLines {
  row: NewOrderRow
  lines: readonly HoldingLine[]
}

/**
 * Writes new orders with their lines, under the next numbers of their store, and returns them in this
 * sequence. The counter's row is locked from here to the commit, so this runs as late as possible, and
 * in one statement (decision 36).
 */
export async function insertOrders(
  tx: Tx,
  storeId: number,
  orders: readonly NewOrderWithLines[],
): Promise<StoredOrder[]> {
  const parents = orders.map(({ row }, at) => ({
    ...row,
    place: at + 1,
    status_history: [{ status: 'pending', at: row.created_at, reason: null }],
  }))
  const lines = orders.flatMap((order) =>
    order.lines.map((line) => ({ ...line, order_id: order.row.id })),
  )
  const { rows } = await sql<Omit<StoredOrder, 'payments' | 'refunds' | 'deliveries'>>`
    with counter as (
      update order_counter set last_number = last_number + ${orders.length}
       where store_id = ${storeId}
      returning last_number - ${orders.length} as last_number
    ), made as (
      insert into "order"
             (store_id, id, number, status, fulfillment_status, source, currency, subtotal_cents,
              discount_cents, shipping_cents, total_cents, payment_method, customer_id,
              customer_email, customer_name, customer_country, coupon, affiliate,
              shipping_address, shipping, custom_fields, metadata, ip, user_agent, return_url, status_history, expires_at, recurring,
              created_at, updated_at)
      select ${storeId}, r.id, c.last_number + r.place, 'pending', r.fulfillment_status, r.source,
             r.currency, r.subtotal_cents, r.discount_cents, r.shipping_cents, r.total_cents,
             r.payment_method, r.customer_id, r.customer_email, r.customer_name, r.customer_country,
             r.coupon, r.affiliate, r.shipping_address, r.shipping, r.custom_fields, r.metadata, r.ip,
             r.user_agent, r.return_url, r.status_history, r.expires_at, r.recurring, r.created_at,
             r.created_at
        from counter c
       cross join jsonb_to_recordset(${JSON.stringify(parents)})
          as r(place integer, id text, fulfillment_status text, source text, currency text,
               subtotal_cents bigint, discount_cents bigint, shipping_cents bigint, total_cents bigint,
               payment_method text, customer_id bigint, customer_email text, customer_name text,
               customer_country text, coupon jsonb, affiliate jsonb, shipping_address jsonb,
               shipping jsonb, custom_fields jsonb, metadata jsonb, ip text, user_agent text,
               return_url text, status_history jsonb, expires_at timestamptz, recurring text,
               created_at timestamptz)
       order by r.place
      returning *
    ), sought as (
      insert into order_search (store_id, order_id, runs)
      select store_id, id, ${RUNS} from made o
    ), sale as (
      ${ordersCreated('made')}
    ), line as (
      insert into order_item
             (store_id, order_id, product_id, product_hash, variant_id, name, variant_name, sku,
              delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents)
      select ${storeId}, l.order_id, l.product_id, l.product_hash, l.variant_id, l.name,
             l.variant_name, l.sku, l.delivery_type, l.quantity, l.reserved, l.unit_price_cents,
             l.discount_cents, l.total_cents
        from jsonb_to_recordset(${JSON.stringify(lines)})
          as l(order_id text, product_id bigint, product_hash text, variant_id bigint, name text, variant_name text,
               sku text, delivery_type text, quantity integer, reserved integer,
               unit_price_cents bigint, discount_cents bigint, total_cents bigint)
      returning *
    )
    select ${orderWith('line')}, o.status_history
      from made o
     order by o.number`.execute(tx)
  return rows.map((order) => ({ ...order, payments: [], refunds: [], deliveries: [] }))
}

/** The changed fields of an order. Fields left out keep their value. */
export interface OrderChange {
  status: Status
  /** The statuses that the order passes through, the last one included. */
  steps: { status: Status; reason: string | null }[]
  refund_status?: 'partial' | 'full'
  fulfillment_status?: FulfillmentStatus
  paid_cents?: number
  refunded_cents?: number
  payment_method?: string
  note?: string | null
  /** As JSON. */
  metadata?: string
  /** As JSON. */
  shipping_address?: string | null
  customer_id?: number
  customer_email?: string
  expires_at?: string | null
  paid_at?: string
  completed_at?: string
  cancelled_at?: string
}

/** Changes an order, and returns it with its payments, refunds and deliveries. */
export async function updateOrder(
  tx: Tx,
  storeId: number,
  id: string,
  change: OrderChange & { now: string },
): Promise<SealedOrder> {
  const [order] = await updateOrders(tx, storeId, [id], change)
  if (!order) throw new Error(`There is no order ${id} to change.`)
  return order
}

/**
 * Makes the same change to orders, and returns them with their payments, refunds and deliveries.
 * Timestamps are never earlier than their creation, even if the machine's clock jumped back.
 */
export async function updateOrders(
  tx: Tx,
  storeId: number,
  ids: readonly string[],
  { now, steps, paid_at, completed_at, cancelled_at, ...fields }: OrderChange & { now: string },
): Promise<SealedOrder[]> {
  const change = tx
    .updateTable('order')
    .set((row) => {
      const since = (moment: string) => sql<string>`greatest(${row.ref('created_at')}, ${moment})`
      return {
        ...fields,
        ...(paid_at && { paid_at: since(paid_at) }),
        ...(completed_at && { completed_at: since(completed_at) }),
        ...(cancelled_at && { cancelled_at: since(cancelled_at) }),
        ...(steps.length > 0 && {
          status_history: extended(row.ref('status_history'), steps, now),
        }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .returningAll()
  const { paid_cents, refunded_cents } = fields
  const paid = paid_at !== undefined
  const completed = completed_at !== undefined
  const hasMoney = paid_cents !== undefined || refunded_cents !== undefined
  const sale =
    paid || completed ? sql`, sale as (${ordersChanged('o', { paid, completed })})` : sql``
  const money = hasMoney ? sql`, money as (${recordMoney(sql`o`)})` : sql``
  const { rows } = await sql<SealedOrder>`
    with o as (${change})${sale}${money} select ${ORDER}, ${STORY} from o`.execute(tx)
  return rows
}

/** Returns the history with these steps added. A step is never dated before the previous one. */
function extended(history: Expression<unknown>, steps: OrderChange['steps'], now: string) {
  const stepsJson = JSON.stringify(steps.map(({ status, reason }) => ({ status, reason })))
  return sql<string>`
    ${history} || (
      select jsonb_agg(s.step || jsonb_build_object(
               'at', iso(greatest((${history} -> -1 ->> 'at')::timestamptz, ${now}))) order by s.place)
        from jsonb_array_elements(${stepsJson}::jsonb) with ordinality as s(step, place))`
}

/**
 * Returns a page of the complete orders of a customer, the newest first, and how many there are.
 */
export async function selectOrdersOf(
  db: Db,
  storeId: number,
  customerId: number,
  page: Page,
): Promise<{ orders: SealedOrder[]; total: number }> {
  const { rows } = await sql<SealedOrder>`
    select ${ORDER}, ${STORY}
      from (select * from "order"
             where store_id = ${storeId} and customer_id = ${customerId}
             order by created_at desc, id desc
             limit ${page.limit} offset ${page.offset}) o
     order by o.created_at desc, o.id desc`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total
      from (select from "order"
             where store_id = ${storeId} and customer_id = ${customerId}
             limit ${countedTo(page)}) o`.execute(db)
  return { orders: rows, total: counted.rows[0]?.total ?? 0 }
}

/** Moves the orders of one customer to another. They keep the email that they were placed with. */
export async function moveOrders(
  tx: Tx,
  storeId: number,
  { from, into, now }: { from: number; into: number; now: string },
): Promise<void> {
  await sql`
    update "order" set customer_id = ${into}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and customer_id = ${from}`.execute(tx)
}

/** Updates the search index of orders whose email changed. */
export async function indexAnew(tx: Tx, storeId: number, ids: readonly string[]): Promise<void> {
  await sql`
    update order_search s set runs = ${RUNS}
      from "order" o
     where s.store_id = ${storeId} and s.order_id = any(${ids}::text[])
       and o.store_id = s.store_id and o.id = s.order_id`.execute(tx)
}
