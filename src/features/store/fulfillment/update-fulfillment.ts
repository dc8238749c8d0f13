import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, lockOrder } from '../orders/index.ts'
import { readFulfillment } from './create-fulfillment.ts'
import { checkCancellable, nextStatus } from './parcels.rules.ts'
import * as q from './queries.ts'
import { recordShipment } from './record-shipment.ts'
import type { Fulfillment, FulfillmentPatch } from './schema.ts'

/** Changes the tracking or the status of a parcel. */
export function updateFulfillment(
  context: StoreContext,
  id: number,
  patch: FulfillmentPatch,
): Promise<Fulfillment> {
  return changeParcel(context, id, ({ status }) => ({
    ...patch,
    status: nextStatus(status, patch.shipment_status),
  }))
}

/** Cancels a parcel: its contents can be shipped again. */
export function cancelFulfillment(context: StoreContext, id: number): Promise<Fulfillment> {
  return changeParcel(context, id, ({ status }) => {
    checkCancellable(status)
    return { status: 'cancelled' }
  })
}

function changeParcel(
  context: StoreContext,
  id: number,
  plan: (parcel: Fulfillment) => q.ParcelChange,
): Promise<Fulfillment> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrderOf(tx, context, id)
    const before = await readFulfillment(tx, context, id)
    const change = plan(before)
    context.audit.changed(before, change)
    await q.updateFulfillment(tx, context.store.id, id, { ...change, now: context.now })
    await context.emit(tx, await recordShipment(tx, context, order))
    return readFulfillment(tx, context, id)
  })
}

/** Parcels of an order change one after another. */
async function lockOrderOf(tx: Tx, context: StoreContext, id: number): Promise<LockedOrder> {
  const { order_id } = await readFulfillment(tx, context, id)
  return found(await lockOrder(tx, context.store.id, order_id), 'Order')
}
