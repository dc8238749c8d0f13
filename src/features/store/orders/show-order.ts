import type { Db } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { linkTo } from '../content/index.ts'
import { customerExists } from '../customers/index.ts'
import { stockKeyHash } from '../stock/index.ts'
import type { Delivery } from './delivery-schema.ts'
import { openKeys } from './list-delivery-keys.ts'
import { selectDeliveryKeys } from './queries/delivery-keys.ts'
import { selectOrders } from './queries/list.ts'
import {
  type SealedDelivery,
  type SealedOrder,
  selectOrder,
  selectOrdersOf,
} from './queries/orders.ts'
import type { ListedOrder, Order, OrderQuery, StoredOrder } from './schema.ts'
import { textSealContext } from './sealed.ts'

/** Keys that a delivery shows with its order, and all deliveries of an order together (decision 145). */
const KEYS_MAX = 1_000
const KEYS_OF_ORDER_MAX = 10_000

/** One order with its payments, refunds, deliveries and history. */
export const getOrder = (context: StoreContext, id: string): Promise<Order> =>
  readOrder(context, context.db, id)

/** A page of orders with their items (decision 29). A search also finds a whole stock key (decision 328). */
export async function listOrders(
  context: StoreContext,
  query: OrderQuery,
): Promise<{ orders: ListedOrder[]; pagination: Pagination }> {
  const { db, store } = context
  const key_hmac = query.search ? stockKeyHash(context, query.search) : undefined
  const { orders, total } = await selectOrders(db, store.id, { ...query, key_hmac })
  return { orders, pagination: pagination(query, total) }
}

/** A page of the orders of a customer, the newest first. */
export async function listOrdersOfCustomer(
  context: StoreContext,
  customerId: number,
  page: Page,
): Promise<{ orders: ListedOrder[]; pagination: Pagination }> {
  if (!(await customerExists(context.db, context.store.id, customerId))) throw notFound('Customer')
  return listOrders(context, { ...page, customer_id: customerId, sort: '-created_at' })
}

/** An order as it is now, in this transaction. */
export async function readOrder(context: StoreContext, db: Db, id: string): Promise<StoredOrder> {
  return unseal(context, db, found(await selectOrder(db, context.store.id, id), 'Order'))
}

/** A page of the whole orders of a customer, the newest first, and how many there are. */
export async function readOrdersOf(
  context: StoreContext,
  customerId: number,
  page: Page,
): Promise<{ orders: Order[]; total: number }> {
  const { db, store } = context
  const { orders: sealed, total } = await selectOrdersOf(db, store.id, customerId, page)
  const orders: Order[] = []
  for (const order of sealed) orders.push(await unseal(context, db, order))
  return { orders, total }
}

/** The order with its keys and texts readable, and its files with addresses. */
export async function unseal(
  context: StoreContext,
  db: Db,
  { deliveries, ...order }: SealedOrder,
): Promise<StoredOrder> {
  const shown: Delivery[] = []
  let left = KEYS_OF_ORDER_MAX
  for (const sealed of deliveries) {
    const keys = await firstKeys(context, db, sealed, Math.min(left, KEYS_MAX))
    left = Math.max(0, left - keys.length)
    shown.push(unsealDelivery(context, sealed, keys))
  }
  return { ...order, deliveries: shown }
}

/** The keys of a delivery that are shown with its order (decision 145). */
async function firstKeys(
  context: StoreContext,
  db: Db,
  { id, type, keys, keys_count }: SealedDelivery,
  most: number,
): Promise<string[]> {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const first = keys
    .slice(0, most)
    .map(({ hmac, sealed }) => ({ hmac: bytes(hmac), sealed: bytes(sealed) }))
  const page = { limit: most - first.length, offset: first.length }
  const more = keys_count > first.length && page.limit > 0
  const rest = more ? await selectDeliveryKeys(db, context.store.id, id, page) : []
  return openKeys(context, type, [...first, ...rest])
}

function unsealDelivery(
  context: StoreContext,
  { files, text_enc, ...delivery }: SealedDelivery,
  keys: string[],
): Delivery {
  const { vault, store } = context
  const text =
    text_enc && vault.open(textSealContext(store.id, delivery.id), Buffer.from(text_enc, 'base64'))
  return {
    ...delivery,
    keys,
    files: files.map((file) => ({ ...file, ...linkTo(context, file.id) })),
    text: text ? text.toString() : null,
  }
}
