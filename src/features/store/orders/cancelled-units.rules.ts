import { invalid } from '../../../kernel/errors.ts'
import { paidForUnits, unitsPaidBy } from '../../../kernel/money.ts'

/** A line of a paid order of which units were refunded, without a return. */
export interface RefundedItem {
  id: number
  variant_id: number
  delivery_type: string
  quantity: number
  total_cents: number
  cancelled: number
  reserved: number
  owed: number
  /** True if stock was taken for the line. */
  served: boolean
  /** The units and the amount that all its refunds gave back. */
  refunded_units: number
  refunded_cents: number
  /** The units that are in no parcel, or whose keys, files or text the buyer has not got. */
  undelivered: number
}

/** The changes of a line by the cancellation of units. */
export interface CancelledUnits {
  id: number
  variant_id: number
  units: number
  /** The part of them that the line reserved, and the part that it waited for. */
  reserved: number
  owed: number
  /** True if they had been taken from stock. */
  served: boolean
  /** The units that are in stock afterwards. They are not returned to stock a second time. */
  restocked: number
}

/**
 * Returns the units of refunded lines that are not delivered any more: those whose whole price went back before they were
 * delivered. A lower amount is a discount, so its units are still delivered (decision 185). `restock` says whether units
 * that were taken from stock come back to it.
 */
export function planCancellation(
  items: readonly RefundedItem[],
  { restock }: { restock: boolean },
): CancelledUnits[] {
  const plan: CancelledUnits[] = []
  for (const item of items) {
    const units = unitsToCancel(item)
    if (units === 0) continue
    const { id, variant_id, served } = item
    const owed = Math.min(units, item.owed)
    const reserved = Math.min(units - owed, item.reserved)
    const restocked = served && !restock ? 0 : units
    plan.push({ id, variant_id, units, reserved, owed, served, restocked })
  }
  return plan
}

function unitsToCancel(item: RefundedItem): number {
  const paidBackUnits = Math.min(item.refunded_units, unitsPaidBy(item, item.refunded_cents))
  return Math.max(0, Math.min(paidBackUnits - item.cancelled, item.undelivered))
}

/** Refuses a refund of lines that shall return units to stock that the buyer has, or that the buyer still gets. */
export function checkRestockable(
  items: readonly RefundedItem[],
  lines: readonly { order_item_id: number; quantity: number; amount_cents: number }[],
): void {
  for (const { order_item_id, quantity, amount_cents } of lines) {
    const item = items.find(({ id }) => id === order_item_id)
    if (!item) continue
    if (quantity > item.undelivered) throw invalid('restock', DELIVERED)
    if (amount_cents < paidForUnits(item, quantity, 0)) throw invalid('restock', STILL_DELIVERED)
  }
}

const DELIVERED =
  'Only units that are not delivered can go back to stock. Create a return for the others, or set restock to false.'
const STILL_DELIVERED =
  'Units whose price is refunded in part are still delivered. Refund their whole price, or set restock to false.'
