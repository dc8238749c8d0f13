import { counted } from '../../../kernel/counted.ts'
import { invalid, invalidState } from '../../../kernel/errors.ts'
import { never } from '../../../kernel/never.ts'
import { stateText } from '../../../kernel/state-text.ts'
import type { NewFulfillment, ParcelStatus, ShipmentStatus } from './schema.ts'

/** The fields of an order line that a parcel depends on. `quantity` contains no cancelled units. */
interface ShippedLine {
  id: number
  delivery_type: string
  quantity: number
}

export interface ParcelItem {
  order_item_id: number
  quantity: number
}

/**
 * Returns the items of a new parcel: the requested ones, or all physical units that are in no other
 * parcel.
 */
export function planParcel(
  lines: readonly ShippedLine[],
  packedUnits: ReadonlyMap<number, number>,
  requestedItems: NewFulfillment['items'],
): ParcelItem[] {
  const remainingUnits = new Map(
    lines
      .filter((line) => line.delivery_type === 'physical')
      .map((line) => [line.id, line.quantity - (packedUnits.get(line.id) ?? 0)]),
  )
  if (requestedItems) {
    for (const [index, item] of requestedItems.entries())
      checkParcelItem(remainingUnits, item, `items[${index}]`)
    return [...requestedItems]
  }
  const items = [...remainingUnits]
    .map(([order_item_id, quantity]) => ({ order_item_id, quantity }))
    .filter(({ quantity }) => quantity > 0)
  if (items.length === 0)
    throw invalid('items', 'Nothing of this order is left to ship. List its fulfillments.')
  return items
}

/** Checks an item against the remaining units, and removes its line, so that each is named once. */
function checkParcelItem(
  remainingUnits: Map<number, number>,
  { order_item_id, quantity }: ParcelItem,
  field: string,
) {
  const units = remainingUnits.get(order_item_id)
  if (units === undefined) {
    throw invalid(
      `${field}.order_item_id`,
      `This order has no physical line ${order_item_id}, or the line is repeated. Name each line once.`,
    )
  }
  if (units === 0)
    throw invalid(`${field}.quantity`, 'No unit of this line is left to ship. Leave the line out.')
  if (quantity > units)
    throw invalid(
      `${field}.quantity`,
      `Only ${counted(units, 'unit')} of this line can still be shipped. Send ${units} or fewer.`,
      { rule: 'at_most', limit: units },
    )
  remainingUnits.delete(order_item_id)
}

/** Refuses to ship an order that is neither paid nor completed. */
export function checkShippable(orderStatus: string): void {
  if (orderStatus === 'paid' || orderStatus === 'completed') return
  throw invalidState(
    orderStatus,
    `This order ${stateText(orderStatus)}. Only a paid order can be shipped. Record its payment first.`,
  )
}

/** Returns the status of a parcel for a shipment status of the carrier. */
export function parcelStatusOf(shipment: ShipmentStatus): ParcelStatus {
  switch (shipment) {
    case 'label_printed':
      return 'open'
    case 'in_transit':
    case 'out_for_delivery':
    case 'attempted_delivery':
      return 'shipped'
    case 'delivered':
      return 'delivered'
    case 'failure':
      return 'failed'
    default:
      return never(shipment)
  }
}

/**
 * The statuses that may follow each status. A shipped parcel is never open again, and a delivered
 * parcel does not change.
 */
const NEXT_STATUSES: Record<ParcelStatus, readonly ParcelStatus[]> = {
  open: ['open', 'shipped', 'delivered', 'failed'],
  shipped: ['shipped', 'delivered', 'failed'],
  failed: ['failed', 'shipped', 'delivered'],
  delivered: ['delivered'],
  cancelled: [],
}

/** Returns the status of a parcel after a change. Throws INVALID_STATE if the change is not allowed. */
export function nextStatus(
  status: ParcelStatus,
  shipment: ShipmentStatus | null | undefined,
): ParcelStatus {
  const next = shipment ? parcelStatusOf(shipment) : status
  if (NEXT_STATUSES[status].includes(next)) return next
  const reason = next === status ? 'it can no longer change' : `it cannot become ${next}`
  throw invalidState(status, `This fulfillment is ${status}; ${reason}.`)
}

/** Refuses to cancel a parcel that is delivered or cancelled. */
export function checkCancellable(status: ParcelStatus): void {
  if (status !== 'delivered' && status !== 'cancelled') return
  throw invalidState(status, `This fulfillment is ${status} already.`)
}
