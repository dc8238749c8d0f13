import { found, notFound } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { licenseKeySealContext } from '../../licensing/index.ts'
import { stockKeySealContext } from '../stock/index.ts'
import * as q from './queries/delivery-keys.ts'

/** A page of the keys that a delivery handed over, the oldest of the stock first (decision 145). */
export async function listDeliveryKeys(
  context: StoreContext,
  { id: orderId, delivery_id }: { id: string; delivery_id: number },
  page: Page,
): Promise<{ keys: string[]; pagination: Pagination }> {
  const { db, store } = context
  if (!(await q.orderExists(db, store.id, orderId))) throw notFound('Order')
  const delivery = await q.selectKeyedDelivery(db, store.id, orderId, delivery_id)
  const { id, type, keys_count } = found(delivery, 'Delivery')
  const keys = await openKeys(context, type, await q.selectDeliveryKeys(db, store.id, id, page))
  return { keys, pagination: pagination(page, keys_count) }
}

/**
 * Sealed keys of a delivery as text. Opening thousands at once would delay other calls, so it
 * pauses.
 */
export function openKeys(
  { vault, store }: StoreContext,
  type: string,
  keys: readonly q.SealedKey[],
): Promise<string[]> {
  const placeOf = type === 'license' ? licenseKeySealContext : stockKeySealContext
  return mapInSlices(keys, ({ hmac, sealed }) =>
    vault.open(placeOf(store.id, hmac), sealed).toString(),
  )
}
