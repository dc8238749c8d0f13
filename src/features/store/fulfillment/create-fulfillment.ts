import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  checkNotOnHold,
  type ItemRow,
  lockOrder,
  recordShipment,
  selectItems,
  takeStockForWaitingLines,
  withDueUnits,
} from '../orders/index.ts'
import { selectActiveLocationId } from '../shipping/index.ts'
import { queueShipmentMail } from './notify-customer.ts'
import { checkShippable, type ParcelItem, parcelStatusOf, planParcel } from './parcels.rules.ts'
import * as q from './queries.ts'
import type { Fulfillment, NewFulfillment } from './schema.ts'

/**
 * Creates a parcel of a paid order. Completes the order if all physical units are then shipped and no
 * other delivery is pending.
 */
export function createFulfillment(
  context: StoreContext,
  orderId: string,
  body: NewFulfillment,
): Promise<Fulfillment> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, store.id, orderId), 'Order')
    checkShippable(order.status)
    checkNotOnHold(order)
    const lines = await selectItems(tx, store.id, orderId)
    const items = planParcel(
      lines.map(withDueUnits),
      await q.selectPackedUnits(tx, store.id, orderId),
      body.items,
    )
    const locationId = await selectActiveLocationId(tx, store.id, body.location_id)
    if (body.location_id !== undefined && locationId === undefined) {
      throw unknownId('location_id', body.location_id, 'This store has no active location')
    }
    const events = await takeStockForWaitingLines(tx, context, orderId, packedLines(lines, items))
    const { shipment_status, carrier_code, tracking_number, tracking_url } = body
    const parcel = {
      order_id: orderId,
      status: shipment_status ? parcelStatusOf(shipment_status) : ('shipped' as const),
      shipment_status,
      location_id: locationId ?? null,
      carrier_code: carrier_code ?? order.carrier_code ?? 'custom',
      tracking_number,
      tracking_url,
      now,
    }
    const id = await q.insertFulfillment(tx, store.id, parcel, items)
    await context.emit(tx, [...(await recordShipment(tx, context, order)), ...events])
    const fulfillment = await readFulfillment(tx, context, id)
    if (body.notify_customer) await queueShipmentMail(tx, context, fulfillment)
    return fulfillment
  })
}

/** Returns the order lines that have units in a parcel. */
const packedLines = (lines: readonly ItemRow[], items: readonly ParcelItem[]) =>
  lines.filter((line) => items.some((item) => item.order_item_id === line.id))

/** Returns a fulfillment within a transaction that may have changed it. */
export async function readFulfillment(
  tx: Tx,
  { store }: StoreContext,
  id: number,
): Promise<Fulfillment> {
  return requireRecord(await q.selectFulfillment(tx, store.id, id), 'Fulfillment')
}
