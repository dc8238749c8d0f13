import type { Db } from '../../../db/database.ts'
import { openCursorPage } from '../../../kernel/cursor.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { Page } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { signedFileLink } from '../content/index.ts'
import { customerExists } from '../customers/index.ts'
import { stockKeyHash } from '../stock/index.ts'
import type { Delivery } from './delivery-schema.ts'
import { openKeys } from './list-delivery-keys.ts'
import { withLink } from './order-link.ts'
import * as q from './queries/index.ts'
import type { OrderQuery } from './query-schema.ts'
import type { Order, StoredOrder } from './schema.ts'
import { textSealContext } from './sealed.ts'

/** The maximum number of keys that an order shows, for one delivery and in all (decision 145). */
const KEYS_OF_DELIVERY_MAX = 1_000
const KEYS_OF_ORDER_MAX = 10_000

/** Returns an order with its payments, refunds, deliveries and history. */
export const getOrder = (context: StoreContext, id: string): Promise<Order> =>
  readOrder(context, context.db, id)

type ListedRow = Awaited<ReturnType<typeof q.selectOrders>>['orders'][number]

/**
 * Returns a page of orders with their items (decision 29). `search` also finds the orders of a stock
 * key by its complete text.
 */
export async function listOrders(context: StoreContext, query: OrderQuery) {
  const { db, store } = context
  const key_hmac = query.search ? stockKeyHash(context, query.search) : undefined
  const field = query.sort.replace('-', '') as 'created_at' | 'paid_at' | 'total_cents'
  const { cursor, ...filters } = query
  const page = openCursorPage<ListedRow>(query, {
    scope: { list: 'orders', store: store.id },
    sign: (text) => context.vault.hmac('list_cursor', text),
    placeOf: (order) => ({ value: order[field], id: order.id }),
  })
  const found = await q.selectOrders(db, store.id, { ...filters, ...page.read, key_hmac })
  const { rows, pagination: shown } = page.answer(found.orders, found.total)
  return { orders: rows.map((order) => withLink(context, order)), pagination: shown }
}

/** Returns a page of the orders of a customer, the newest first. */
export async function listOrdersOfCustomer(
  context: StoreContext,
  customerId: number,
  page: Pick<OrderQuery, 'limit' | 'offset' | 'cursor' | 'created_from' | 'created_to'>,
) {
  if (!(await customerExists(context.db, context.store.id, customerId))) throw notFound('Customer')
  return listOrders(context, { ...page, customer_id: customerId, sort: '-created_at' })
}

/** Returns an order within a transaction that may have changed it. */
export async function readOrder(context: StoreContext, db: Db, id: string): Promise<StoredOrder> {
  return unsealOrder(
    context,
    db,
    requireRecord(await q.selectOrder(db, context.store.id, id), 'Order'),
  )
}

/**
 * Returns a page of the orders of a customer with their payments, refunds and deliveries, the newest
 * first, and their total.
 */
export async function readOrdersOf(
  context: StoreContext,
  customerId: number,
  page: Page,
): Promise<{ orders: Order[]; total: number }> {
  const { db, store } = context
  const { records, total } = await q.selectOrdersOf(db, store.id, customerId, page)
  const orders: Order[] = []
  for (const order of records) orders.push(await unsealOrder(context, db, order))
  return { orders, total }
}

/** Returns an order with its keys and texts decrypted, and with URLs for its files. */
export async function unsealOrder(
  context: StoreContext,
  db: Db,
  { deliveries, ...order }: q.SealedOrder,
): Promise<StoredOrder> {
  const openDeliveries: Delivery[] = []
  let remainingCount = KEYS_OF_ORDER_MAX
  for (const sealedDelivery of deliveries) {
    const keys = await firstKeys(
      context,
      db,
      sealedDelivery,
      Math.min(remainingCount, KEYS_OF_DELIVERY_MAX),
    )
    remainingCount = Math.max(0, remainingCount - keys.length)
    openDeliveries.push(unsealDelivery(context, sealedDelivery, keys))
  }
  return withLink(context, { ...order, deliveries: openDeliveries })
}

/** Returns the keys of a delivery that its order shows, at most `maxCount` (decision 145). */
async function firstKeys(
  context: StoreContext,
  db: Db,
  { id, type, keys, keys_count }: q.SealedDelivery,
  maxCount: number,
): Promise<string[]> {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const embeddedKeys = keys
    .slice(0, maxCount)
    .map(({ hmac, sealed }) => ({ hmac: bytes(hmac), sealed: bytes(sealed) }))
  const page = { limit: maxCount - embeddedKeys.length, offset: embeddedKeys.length }
  const hasMore = keys_count > embeddedKeys.length && page.limit > 0
  const furtherKeys = hasMore ? await q.selectDeliveryKeys(db, context.store.id, id, page) : []
  return openKeys(context, type, [...embeddedKeys, ...furtherKeys])
}

function unsealDelivery(
  context: StoreContext,
  { files, text_enc, ...delivery }: q.SealedDelivery,
  keys: string[],
): Delivery {
  const { vault, store } = context
  const text =
    text_enc && vault.open(textSealContext(store.id, delivery.id), Buffer.from(text_enc, 'base64'))
  return {
    ...delivery,
    keys,
    files: files.map((file) => ({
      ...file,
      ...signedFileLink(context, { fileId: file.id, orderId: delivery.order_id }),
    })),
    text: text ? text.toString() : null,
  }
}
