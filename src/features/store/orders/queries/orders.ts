import { type Expression, sql } from 'kysely'
import { anyOf } from '../../../../db/arrays.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { selectNewest } from '../../../../db/newest.ts'
import { allRows, execute, firstRow, firstValue } from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'
import { mailProblemOf } from '../../../installation/index.ts'
import { ORDER_LIFE } from '../../order-life.ts'
import type { FulfillmentStatus, Order, OrderStatus, StoredOrder } from '../schema.ts'
import { EMBEDDED_KEYS_MAX, keyCountSql, keysSql } from './delivery-keys.ts'
import { PAYMENT_AS_JSON } from './payments.ts'
import { REFUNDS_OF_ORDER } from './refunds.ts'

/** Returns the SQL for the columns of an order. `items` is the table or CTE of its items. */
export const orderColumns = (items: string) => sql`
  o.id, 'order' as object, o.number, o.status, o.refund_status, o.fulfillment_status, o.source,
  o.currency, o.subtotal_cents, o.discount_cents, o.shipping_cents, o.total_cents, o.paid_cents,
  o.refunded_cents, o.payment_method,
  json_build_object('id', o.customer_id, 'email', o.customer_email, 'name', o.customer_name,
                    'country', o.customer_country) as customer,
  (select coalesce(json_agg(json_build_object(
            'id', i.id, 'product_id', i.product_hash, 'variant_id', i.variant_id, 'name', i.name,
            'variant_name', i.variant_name, 'sku', i.sku, 'delivery_type', i.delivery_type,
            'quantity', i.quantity, 'cancelled_quantity', i.cancelled, 'unit_price_cents', i.unit_price_cents,
            'discount_cents', i.discount_cents, 'total_cents', i.total_cents,
            'bundle', case when i.bundle_hash is not null
                           then json_build_object('product_id', i.bundle_hash, 'name', i.bundle_name) end) order by i.id), '[]')
     from ${sql.table(items)} i
    where i.store_id = o.store_id and i.order_id = o.id) as items,
  o.coupon, o.affiliate, o.shipping_address, o.shipping, o.custom_fields, o.metadata, o.note, o.ip,
  o.user_agent, o.expires_at, o.paid_at, o.completed_at, o.cancelled_at, o.created_at, o.updated_at,
  o.recurring, o.hold, o.link_version, o.language, o.by_user`
export const ORDER_COLUMNS = orderColumns('order_item')

/** The address to which mail about an order goes. That of the order is the one of its purchase. */
const CURRENT_EMAIL = sql`
  (select c.email from customer c where c.store_id = o.store_id and c.id = o.customer_id)`

/**
 * The columns for the payments, refunds, deliveries and status history of an order. Each delivery
 * has its first keys, sealed, with the hashes that they are sealed under. Its files are the current
 * files of its variant, and only while the delivery is active.
 */
const DETAIL_COLUMNS = sql`
  (select coalesce(json_agg(${PAYMENT_AS_JSON} order by p.id), '[]')
     from payment p
    where p.store_id = o.store_id and p.order_id = o.id) as payments,
  ${REFUNDS_OF_ORDER} as refunds,
  (select coalesce(json_agg(json_build_object(
            'id', d.id, 'object', 'delivery', 'order_id', d.order_id,
            'order_item_id', d.order_item_id, 'product_id', d.product_hash, 'variant_id', d.variant_id,
            'type', d.type, 'status', d.status, 'error', d.error, 'attempts', d.attempts,
            'text_enc', encode(d.text_enc, 'base64'), 'delivered_at', iso(d.delivered_at),
            'created_at', iso(d.created_at),
            'keys_count', ${keyCountSql('d')},
            'keys', (select coalesce(json_agg(json_build_object(
                              'hmac', encode(k.hmac, 'base64'), 'sealed', encode(k.sealed, 'base64'))
                            order by k.id), '[]')
                       from (${keysSql('d', { limit: EMBEDDED_KEYS_MAX, offset: 0 })}) k),
            'files', (select coalesce(json_agg(json_build_object(
                              'id', f.id, 'name', f.name, 'size_bytes', f.size_bytes)
                            order by f.id), '[]')
                        from product_file f
                       where f.store_id = d.store_id and f.product_id = d.product_id
                         and (f.variant_id is null or f.variant_id = d.variant_id)
                         and d.status = 'delivered')) order by d.id), '[]')
     from delivery d
    where d.store_id = o.store_id and d.order_id = o.id) as deliveries,
  o.status_history, ${mailProblemOf('o', CURRENT_EMAIL)} as mail_problem`

/** A delivery whose keys and text are still sealed. */
export type SealedDelivery = Omit<Order['deliveries'][number], 'keys' | 'files' | 'text'> & {
  /** The first keys, in base64. */
  keys: { hmac: string; sealed: string }[]
  files: Pick<Order['deliveries'][number]['files'][number], 'id' | 'name' | 'size_bytes'>[]
  text_enc: string | null
}
export type SealedOrder = Omit<StoredOrder, 'deliveries' | 'order_url'> & {
  deliveries: SealedDelivery[]
}

/** Returns an order with its payments, refunds and deliveries. */
export const selectOrder = (db: Db, storeId: number, id: string) =>
  firstRow<SealedOrder>(db)`
    select ${ORDER_COLUMNS}, ${DETAIL_COLUMNS}
      from "order" o
     where o.store_id = ${storeId} and o.id = ${id}`

/** Returns how often the link to the page of an order was replaced; undefined if there is no such order. */
export const selectLinkVersion = (db: Db, storeId: number, id: string) =>
  firstValue<number>(db)`
    select link_version from "order" where store_id = ${storeId} and id = ${id}`

/** The fields of a locked order that its changes depend on. */
export interface LockedOrder {
  id: string
  number: number
  status: OrderStatus
  currency: string
  total_cents: number
  paid_cents: number
  refunded_cents: number
  customer_id: number
  customer_email: string
  payment_method: string | null
  expires_at: string | null
  /** Null until the order is paid in full. */
  paid_at: string | null
  completed_at: string | null
  fulfillment_status: FulfillmentStatus
  has_coupon: boolean
  /** The shipping zone of the order's rate. */
  zone_id: number | null
  carrier_code: string | null
  recurring: StoredOrder['recurring']
  return_url: string | null
  hold: Order['hold']
  link_version: number
}

/**
 * Locks an order and returns it. The subscriptions that it pays are locked with it: renewals lock a
 * subscription before its customer, so every change of a recurring order must do the same. The lock
 * is `no key`, because a renewal that has locked the subscription checks a foreign key on its first
 * order.
 */
export async function lockOrder(
  tx: Tx,
  storeId: number,
  id: string,
): Promise<LockedOrder | undefined> {
  const { rows } = await sql<LockedOrder>`
    select id, number, status, currency, total_cents, paid_cents, refunded_cents, customer_id, customer_email,
           payment_method, expires_at, paid_at, completed_at, fulfillment_status,
           coupon is not null as has_coupon,
           (shipping ->> 'zone_id')::bigint as zone_id, shipping ->> 'carrier_code' as carrier_code,
           recurring, return_url, hold, link_version
      from "order"
     where store_id = ${storeId} and id = ${id}
       for no key update`.execute(tx)
  const [order] = rows
  if (order?.recurring) await ORDER_LIFE.locked.subscriptions.lock(tx, storeId, [id])
  return order
}

/**
 * The search index of an order: all short runs of characters in the fields that `search` covers.
 */
/** The email in which an order is searched (decision 182). */
const ORDER_EMAIL = sql`coalesce(o.folded_email, o.customer_email)`
export const SEARCH_INDEX = sql`runs(o.store_id, o.id || chr(10) || o.number || chr(10) || ${ORDER_EMAIL})`

/** The changed fields of an order. Absent fields keep their values. */
export interface OrderChange {
  status?: OrderStatus
  /** The statuses to add to the history, including the new status. */
  historyEntries?: { status: OrderStatus; reason: string | null }[]
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
  /** As JSON. */
  hold?: string | null
  link_version?: number
  customer_id?: number
  customer_email?: string
  expires_at?: string | null
  paid_at?: string
  completed_at?: string
  cancelled_at?: string
}

/** Changes an order, and returns it with its payments, refunds and deliveries. */
export async function updateOrderRow(
  tx: Tx,
  storeId: number,
  id: string,
  change: OrderChange & { now: string },
): Promise<SealedOrder> {
  const [order] = await updateOrderRows(tx, storeId, [id], change)
  if (!order) throw new Error(`There is no order ${id} to change.`)
  return order
}

/**
 * Makes the same change to orders, and returns them with their payments, refunds and deliveries. No
 * timestamp is earlier than the creation of its order, even if the machine's clock was set back.
 */
export function updateOrderRows(
  tx: Tx,
  storeId: number,
  ids: readonly string[],
  {
    now,
    historyEntries = [],
    paid_at,
    completed_at,
    cancelled_at,
    ...fields
  }: OrderChange & { now: string },
) {
  const change = tx
    .updateTable('order')
    .set((row) => {
      const notBeforeCreation = (moment: string) =>
        sql<string>`greatest(${row.ref('created_at')}, ${moment})`
      return {
        ...fields,
        ...(paid_at && { paid_at: notBeforeCreation(paid_at) }),
        ...(completed_at && { completed_at: notBeforeCreation(completed_at) }),
        ...(cancelled_at && { cancelled_at: notBeforeCreation(cancelled_at) }),
        ...(historyEntries.length > 0 && {
          status_history: appendEntries(row.ref('status_history'), historyEntries, now),
        }),
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
      }
    })
    .where('store_id', '=', storeId)
    .where(sql<boolean>`id = ${anyOf(ids, 'text')}`)
    .returningAll()
  const effects = [...salesEffects(paid_at, completed_at), ...walletEffects(fields)]
  return allRows<SealedOrder>(tx)`
    with o as (${change})${sql.join(effects, sql``)}
    select ${ORDER_COLUMNS}, ${DETAIL_COLUMNS} from o`
}

/** Returns the CTE that adds orders `o` to the figures of sales when they are paid or completed. */
function salesEffects(paidAt: string | undefined, completedAt: string | undefined) {
  const isPaid = paidAt !== undefined
  const isCompleted = completedAt !== undefined
  if (isPaid)
    return [sql`, sale as (${ORDER_LIFE.paid.analytics.deltas('o', { isPaid, isCompleted })})`]
  if (!isCompleted) return []
  return [sql`, sale as (${ORDER_LIFE.completed.analytics.deltas('o', { isPaid, isCompleted })})`]
}

/** Returns the CTE that adds changed amounts of orders `o` to the wallet. */
function walletEffects({ paid_cents, refunded_cents }: Partial<OrderChange>) {
  if (refunded_cents !== undefined)
    return [sql`, wallet as (${ORDER_LIFE.moneyReturned.wallet.deltas(sql`o`)})`]
  if (paid_cents === undefined) return []
  return [sql`, wallet as (${ORDER_LIFE.moneyAdded.wallet.deltas(sql`o`)})`]
}

/** Returns the SQL for the history with these entries added. No entry is dated before the previous one. */
function appendEntries(
  history: Expression<unknown>,
  entries: NonNullable<OrderChange['historyEntries']>,
  now: string,
) {
  const entriesJson = JSON.stringify(entries.map(({ status, reason }) => ({ status, reason })))
  return sql<string>`
    ${history} || (
      select jsonb_agg(e.entry || jsonb_build_object(
               'at', iso(greatest((${history} -> -1 ->> 'at')::timestamptz, ${now}))) order by e.position)
        from jsonb_array_elements(${entriesJson}::jsonb) with ordinality as e(entry, position))`
}

/**
 * Returns a page of the orders of a customer with their payments, refunds and deliveries, the newest
 * first, and their total.
 */
export const selectOrdersOf = (db: Db, storeId: number, customerId: number, page: Page) =>
  selectNewest<SealedOrder>(db, {
    table: 'order',
    alias: 'o',
    columns: sql`${ORDER_COLUMNS}, ${DETAIL_COLUMNS}`,
    storeId,
    ...page,
    filters: [sql`o.customer_id = ${customerId}`],
  })

/** Moves the orders of a customer to another customer. They keep the email of their creation. */
export const moveOrders = (
  tx: Tx,
  storeId: number,
  { from, into, now }: { from: number; into: number; now: string },
) =>
  execute(tx)`
    update "order" set customer_id = ${into}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and customer_id = ${from}`

/** Updates the search index of orders whose email has changed. */
export const reindexOrders = (tx: Tx, storeId: number, ids: readonly string[]) =>
  execute(tx)`
    update order_search s set runs = ${SEARCH_INDEX}
      from "order" o
     where s.store_id = ${storeId} and s.order_id = any(${ids}::text[])
       and o.store_id = s.store_id and o.id = s.order_id`
