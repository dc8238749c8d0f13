import { inTransaction, type Tx } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { type LockedOrder, lockOrder } from '../orders/index.ts'
import { readFulfillment } from './create-fulfillment.ts'
import { noteShipped } from './note-shipped.ts'
import { checkCancellable, nextStatus } from './parcels.rules.ts'
import * as q from './queries.ts'
import type { Fulfillment, FulfillmentPatch } from './schema.ts'

/** Changes how a parcel is followed, and where it stands. */
export function updateFulfillment(
  shop: Shop,
  id: number,
  patch: FulfillmentPatch,
): Promise<Fulfillment> {
  return changeParcel(shop, id, ({ status }) => ({
    ...patch,
    status: nextStatus(status, patch.shipment_status),
  }))
}

/** Calls a parcel off: what was in it is left to ship again. */
export function cancelFulfillment(shop: Shop, id: number): Promise<Fulfillment> {
  return changeParcel(shop, id, ({ status }) => {
    checkCancellable(status)
    return { status: 'cancelled' }
  })
}

function changeParcel(
  shop: Shop,
  id: number,
  plan: (parcel: Fulfillment) => q.ParcelChange,
): Promise<Fulfillment> {
  return inTransaction(shop.db, async (tx) => {
    const order = await lockOrderOf(tx, shop, id)
    const before = await readFulfillment(tx, shop, id)
    const change = plan(before)
    shop.audit.changed(before, change)
    await q.updateFulfillment(tx, shop.store.id, id, { ...change, now: shop.now })
    await shop.emit(tx, await noteShipped(tx, shop, order))
    return readFulfillment(tx, shop, id)
  })
}

/** Parcels of an order change one after another. */
async function lockOrderOf(tx: Tx, shop: Shop, id: number): Promise<LockedOrder> {
  const { order_id } = await readFulfillment(tx, shop, id)
  return found(await lockOrder(tx, shop.store.id, order_id), 'Order')
}
