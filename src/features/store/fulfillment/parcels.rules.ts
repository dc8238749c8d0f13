import { invalid, invalidState } from '../../../kernel/errors.ts'
import { never } from '../../../kernel/never.ts'
import type { NewFulfillment, ShipmentStatus, Status } from './schema.ts'

/** The fields of an order line that parcels are made from. */
export interface ShippedLine {
  id: number
  delivery_type: string
  quantity: number
}

export interface ParcelItem {
  order_item_id: number
  quantity: number
}

/**
 * Returns the items of a new parcel: those sent, or all physical units that are in no other parcel.
 */
export function planParcel(
  lines: readonly ShippedLine[],
  packed: ReadonlyMap<number, number>,
  requested: NewFulfillment['items'],
): ParcelItem[] {
  const left = new Map(
    lines
      .filter((line) => line.delivery_type === 'physical')
      .map((line) => [line.id, line.quantity - (packed.get(line.id) ?? 0)]),
  )
  if (requested) {
    for (const [at, item] of requested.entries()) takeItem(left, item, `items[${at}]`)
    return [...requested]
  }
  const all = [...left].map(([order_item_id, quantity]) => ({ order_item_id, quantity }))
  const some = all.filter(({ quantity }) => quantity > 0)
  if (some.length === 0) throw invalid('items', 'Nothing of this order is left to ship.')
  return some
}

/** Checks an item against the units that are left. A line may be named only once. */
function takeItem(left: Map<number, number>, { order_item_id, quantity }: ParcelItem, at: string) {
  const units = left.get(order_item_id)
  if (units === undefined) {
    throw invalid(
      `${at}.order_item_id`,
      'This order has no physical line with this id, or it was named before.',
    )
  }
  if (quantity > units) throw invalid(`${at}.quantity`, `Only ${units} of this line are left.`)
  left.delete(order_item_id)
}

/** Refuses to ship an order that is neither paid nor completed. */
export function checkShippable(order: string): void {
  if (order === 'paid' || order === 'completed') return
  throw invalidState(order, `This order is ${order}; only one that is paid is shipped.`)
}

/** Returns the status of a parcel for a shipment status of the carrier. */
export function statusOf(shipment: ShipmentStatus): Status {
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
 * one stays delivered.
 */
const NEXT: Record<Status, readonly Status[]> = {
  open: ['open', 'shipped', 'delivered', 'failed'],
  shipped: ['shipped', 'delivered', 'failed'],
  failed: ['failed', 'shipped', 'delivered'],
  delivered: ['delivered'],
  cancelled: [],
}

/** Returns the status of a parcel after a change, or throws INVALID_STATE. */
export function nextStatus(status: Status, shipment: ShipmentStatus | null | undefined): Status {
  const next = shipment ? statusOf(shipment) : status
  if (NEXT[status].includes(next)) return next
  const why = next === status ? 'it does not change any more' : `it cannot become ${next}`
  throw invalidState(status, `This fulfillment is ${status}; ${why}.`)
}

/** Refuses to cancel a parcel that is delivered or cancelled already. */
export function checkCancellable(status: Status): void {
  if (status !== 'delivered' && status !== 'cancelled') return
  throw invalidState(status, `This fulfillment is ${status} already.`)
}

/** Returns the fulfillment status of an order by the number of its shipped units. */
export function shippedSoFar(bought: number, shipped: number) {
  if (shipped === 0) return 'unfulfilled'
  return shipped < bought ? 'partial' : 'fulfilled'
}
