import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { licenseKeyPlace } from '../../licensing/index.ts'
import { linkTo } from '../content/index.ts'
import { keyPlace } from '../stock/index.ts'
import { selectOrders } from './queries/list.ts'
import { type SealedDelivery, type SealedOrder, selectOrder } from './queries/orders.ts'
import type { ListedOrder, Order, OrderQuery } from './schema.ts'

/** One order with its payments, refunds, deliveries and history. */
export const getOrder = (context: StoreContext, id: string): Promise<Order> =>
  readOrder(context, context.db, id)

/** A page of orders with their items (decision 29). */
export async function listOrders(
  { db, store }: StoreContext,
  query: OrderQuery,
): Promise<{ orders: ListedOrder[]; pagination: Pagination }> {
  const { orders, total } = await selectOrders(db, store.id, query)
  return { orders, pagination: pagination(query, total) }
}

/** An order as it is now, in this transaction. */
export async function readOrder(context: StoreContext, db: Db, id: string): Promise<Order> {
  return unseal(context, found(await selectOrder(db, context.store.id, id), 'Order'))
}

/** The order with its keys and texts readable, and its files with addresses. */
export const unseal = (context: StoreContext, { deliveries, ...order }: SealedOrder): Order => ({
  ...order,
  deliveries: deliveries.map((item) => unsealDelivery(context, item)),
})

function unsealDelivery(
  context: StoreContext,
  { keys, files, text_enc, ...delivery }: SealedDelivery,
) {
  const { vault, store } = context
  const text =
    text_enc && vault.open(textPlace(store.id, delivery.id), Buffer.from(text_enc, 'base64'))
  return {
    ...delivery,
    keys: keys.map(({ hmac, sealed }) => {
      const placeOf = delivery.type === 'license' ? licenseKeyPlace : keyPlace
      const place = placeOf(store.id, Buffer.from(hmac, 'base64'))
      return vault.open(place, Buffer.from(sealed, 'base64')).toString()
    }),
    files: files.map((file) => ({ ...file, ...linkTo(context, file.id) })),
    text: text ? text.toString() : null,
  }
}

/** Where the text of a delivery is sealed. */
export const textPlace = (storeId: number, deliveryId: number) => ({
  column: 'delivery.text',
  storeId,
  row: String(deliveryId),
})
