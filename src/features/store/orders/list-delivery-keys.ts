import { notFound, requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { licenseKeySealContext } from '../../licensing/index.ts'
import { stockKeySealContext } from '../stock/index.ts'
import * as q from './queries/index.ts'

/** Returns a page of the keys of a delivery, the oldest first (decision 145). */
export async function listDeliveryKeys(
  context: StoreContext,
  { id: orderId, delivery_id }: { id: string; delivery_id: number },
  page: Page,
) {
  const { db, store } = context
  if (!(await q.orderExists(db, store.id, orderId))) throw notFound('Order')
  const delivery = await q.selectKeyedDelivery(db, store.id, orderId, delivery_id)
  const { id, type, keys_count } = requireRecord(delivery, 'Delivery')
  const keys = await openKeys(context, type, await q.selectDeliveryKeys(db, store.id, id, page))
  return { keys, pagination: pagination(page, keys_count) }
}

/**
 * Decrypts keys of a delivery, in slices: opening thousands of keys at once would delay other calls.
 */
export function openKeys(
  { vault, store }: StoreContext,
  type: string,
  keys: readonly q.SealedDeliveryKey[],
): Promise<string[]> {
  const sealContext = type === 'license' ? licenseKeySealContext : stockKeySealContext
  return mapInSlices(keys, ({ hmac, sealed }) =>
    vault.open(sealContext(store.id, hmac), sealed).toString(),
  )
}
