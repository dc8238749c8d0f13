import { inTransaction, type Tx } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, lockOrder, recordShipment } from '../orders/index.ts'
import { readFulfillment } from './create-fulfillment.ts'
import { checkCancellable, nextStatus } from './parcels.rules.ts'
import * as q from './queries.ts'
import type { Fulfillment, FulfillmentPatch } from './schema.ts'

/** Changes the tracking or the status of a parcel. */
export function updateFulfillment(
  context: StoreContext,
  id: number,
  patch: FulfillmentPatch,
): Promise<Fulfillment> {
  return changeParcel(context, id, ({ status }) =>
    isEmptyChange(patch)
      ? undefined
      : { ...patch, status: nextStatus(status, patch.shipment_status) },
  )
}

/** Cancels a parcel. Its contents can then be shipped again. */
export function cancelFulfillment(context: StoreContext, id: number): Promise<Fulfillment> {
  return changeParcel(context, id, ({ status }) => {
    checkCancellable(status)
    return { status: 'cancelled' }
  })
}

function changeParcel(
  context: StoreContext,
  id: number,
  planChange: (parcel: Fulfillment) => q.ParcelChange | undefined,
): Promise<Fulfillment> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrderOfParcel(tx, context, id)
    const before = await readFulfillment(tx, context, id)
    const change = planChange(before)
    if (!change) return before
    context.audit.reportChange(before, change)
    await q.updateFulfillment(tx, context.store.id, id, { ...change, now: context.now })
    await context.emit(tx, await recordShipment(tx, context, order))
    return readFulfillment(tx, context, id)
  })
}

/** Locks the order of a parcel, which serializes all changes of its parcels. */
async function lockOrderOfParcel(tx: Tx, context: StoreContext, id: number): Promise<LockedOrder> {
  const { order_id } = await readFulfillment(tx, context, id)
  return requireRecord(await lockOrder(tx, context.store.id, order_id), 'Order')
}
