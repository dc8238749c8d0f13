import { invalid, invalidState } from '../../../kernel/errors.ts'
import { never } from '../../../kernel/never.ts'
import type { NewFulfillment, ShipmentStatus, Status } from './schema.ts'

/** A line of an order, as parcels are made of it. */
export interface ShippedLine {
  id: number
  delivery_type: string
  quantity: number
}

export interface ParcelItem {
  order_item_id: number
  quantity: number
}

/** What goes into a parcel: what was sent, or all physical units that are in no other. */
export function planParcel(
  lines: readonly ShippedLine[],
  packed: ReadonlyMap<number, number>,
  sent: NewFulfillment['items'],
): ParcelItem[] {
  const left = new Map(
    lines
      .filter((line) => line.delivery_type === 'physical')
      .map((line) => [line.id, line.quantity - (packed.get(line.id) ?? 0)]),
  )
  if (sent) {
    for (const [at, item] of sent.entries()) takeItem(left, item, `items[${at}]`)
    return [...sent]
  }
  const all = [...left].map(([order_item_id, quantity]) => ({ order_item_id, quantity }))
  const some = all.filter(({ quantity }) => quantity > 0)
  if (some.length === 0) throw invalid('items', 'Nothing of this order is left to ship.')
  return some
}

/** Each line is named once, so that a parcel is what it says. */
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

/** Parcels are sent for what was paid. */
export function checkShippable(order: string): void {
  if (order === 'paid' || order === 'completed') return
  throw invalidState(order, `This order is ${order}; only one that is paid is shipped.`)
}

/** Where a parcel stands that the carrier says this of. */
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

/** What a parcel may still become: it does not come back to the shelf, and has arrived only once. */
const NEXT: Record<Status, readonly Status[]> = {
  open: ['open', 'shipped', 'delivered', 'failed'],
  shipped: ['shipped', 'delivered', 'failed'],
  failed: ['failed', 'shipped', 'delivered'],
  delivered: ['delivered'],
  cancelled: [],
}

/** Where a parcel stands after a change of it, or INVALID_STATE. */
export function nextStatus(status: Status, shipment: ShipmentStatus | null | undefined): Status {
  const next = shipment ? statusOf(shipment) : status
  if (NEXT[status].includes(next)) return next
  const why = next === status ? 'it does not change any more' : `it cannot become ${next}`
  throw invalidState(status, `This fulfillment is ${status}; ${why}.`)
}

/** What arrived cannot be called off. */
export function checkCancellable(status: Status): void {
  if (status !== 'delivered' && status !== 'cancelled') return
  throw invalidState(status, `This fulfillment is ${status} already.`)
}

/** How much of an order was shipped. */
export function shippedSoFar(bought: number, shipped: number) {
  if (shipped === 0) return 'unfulfilled'
  return shipped < bought ? 'partial' : 'fulfilled'
}
