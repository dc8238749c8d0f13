import type { Order, Return } from '../../api/store.ts'
import { fill } from '../../text/catalogue.ts'
import { returns } from '../../text/returns.ts'

/** The maximum number of returns of an order that a page reads. Few orders have as many units. */
export const RETURNS_MAX = 100

/** The product name of an order line. */
export const productNameOf = (order: Order, lineId: number): string =>
  order.items.find((item) => item.id === lineId)?.name ?? fill(returns.line, { id: lineId })

export const unitsOf = ({ items }: Return): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * The amount that was paid for the received units, which is the default of a refund. Shares of a line are
 * rounded down, and the last unit has the remainder.
 */
export function paidForReceived(
  record: Return,
  order: Order,
  endedReturns: readonly Return[],
): number {
  const earlierUnits = (lineId: number) =>
    endedReturns
      .flatMap(({ items }) => items)
      .filter(({ order_item_id }) => order_item_id === lineId)
      .reduce((sum, { received_quantity }) => sum + received_quantity, 0)
  return record.items.reduce((cents, { order_item_id, received_quantity }) => {
    const line = order.items.find(({ id }) => id === order_item_id)
    if (!line) return cents
    const earlier = earlierUnits(order_item_id)
    return cents + priceOf(line, earlier + received_quantity) - priceOf(line, earlier)
  }, 0)
}

const priceOf = ({ quantity, total_cents }: Order['items'][number], units: number): number =>
  Number((BigInt(total_cents) * BigInt(units)) / BigInt(quantity))
