import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type ItemRow, lockOrder, selectItems, takeWaiting } from '../orders/index.ts'
import { locationFor } from '../shipping/index.ts'
import { mailCustomer } from './notify-customer.ts'
import { checkShippable, type ParcelItem, planParcel, statusOf } from './parcels.rules.ts'
import * as q from './queries.ts'
import { recordShipment } from './record-shipment.ts'
import type { Fulfillment, NewFulfillment } from './schema.ts'

/**
 * Sends a parcel of a paid order. When every physical unit is on its way, and nothing else is waited
 * for, the order is completed (decision 105).
 */
export function createFulfillment(
  context: StoreContext,
  orderId: string,
  body: NewFulfillment,
): Promise<Fulfillment> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, store.id, orderId), 'Order')
    checkShippable(order.status)
    const lines = await selectItems(tx, store.id, orderId)
    const items = planParcel(lines, await q.selectPacked(tx, store.id, orderId), body.items)
    const location = await locationFor(tx, store.id, body.location_id)
    if (body.location_id !== undefined && location === undefined) {
      throw invalid('location_id', 'There is no active location with this id.')
    }
    const events = await takeWaiting(tx, context, orderId, packedLines(lines, items))
    const { shipment_status, carrier_code, tracking_number, tracking_url } = body
    const parcel = {
      order_id: orderId,
      status: shipment_status ? statusOf(shipment_status) : ('shipped' as const),
      shipment_status,
      location_id: location ?? null,
      carrier_code: carrier_code ?? order.carrier_code ?? 'custom',
      tracking_number,
      tracking_url,
      now,
    }
    const id = await q.insertFulfillment(tx, store.id, parcel, items)
    await context.emit(tx, [...(await recordShipment(tx, context, order)), ...events])
    const made = await readFulfillment(tx, context, id)
    if (body.notify_customer) await mailCustomer(tx, context, made)
    return made
  })
}

const packedLines = (lines: readonly ItemRow[], items: readonly ParcelItem[]) =>
  lines.filter((line) => items.some((item) => item.order_item_id === line.id))

/** A fulfillment as it is in this transaction. */
export async function readFulfillment(
  tx: Tx,
  { store }: StoreContext,
  id: number,
): Promise<Fulfillment> {
  return found(await q.selectFulfillment(tx, store.id, id), 'Fulfillment')
}
