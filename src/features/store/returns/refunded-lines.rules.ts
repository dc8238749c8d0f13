import { paidForUnits } from '../../../kernel/money.ts'
import type { ReceivedItem } from './returns.rules.ts'

interface PricedLine {
  id: number
  quantity: number
  total_cents: number
  /** The units that were refunded and never sent, so they cannot come back. */
  unsent: number
}

interface RefundedLine {
  order_item_id: number
  quantity: number
  amount_cents: number
}

/** The units of an order line that were returned or refunded before. */
export interface EarlierUnits {
  /** The units that were received in earlier returns. */
  returned: number
  /** The units of refunds that were not for a return, with those that were never sent. */
  refunded: number
}

interface EarlierMoney {
  /** By order line. */
  earlierUnits: ReadonlyMap<number, EarlierUnits>
  /** The paid amount of the order that is not refunded yet. */
  refundable_cents: number
  /** The amount that the seller entered. */
  amount_cents?: number | undefined
}

/**
 * Returns the amount of the refund of a return, and its lines, whose amounts add up to it. Without an amount of the
 * seller, it is what was paid for the received units, less what was refunded before the return (decision 185). Any
 * other amount is divided among the lines by what was paid for them.
 */
export function planReturnRefund(
  lines: readonly PricedLine[],
  items: readonly ReceivedItem[],
  { earlierUnits, refundable_cents, amount_cents }: EarlierMoney,
): { cents: number; lines: RefundedLine[] } {
  const received = items.filter(({ received_quantity }) => received_quantity > 0)
  const owedLines = received.flatMap(({ order_item_id, received_quantity }) => {
    const line = lines.find(({ id }) => id === order_item_id)
    const earlier = earlierUnits.get(order_item_id) ?? { returned: 0, refunded: 0 }
    return line ? owedLine(line, earlier, received_quantity) : []
  })
  const owed_cents = owedLines.reduce((sum, line) => sum + line.amount_cents, 0)
  const cents = amount_cents ?? Math.min(owed_cents, refundable_cents)
  if (cents === owed_cents) return { cents, lines: owedLines }
  const unpricedLines = received.map(({ order_item_id, received_quantity }) => ({
    order_item_id,
    quantity: received_quantity,
    amount_cents: 0,
  }))
  return { cents, lines: divideAmong(owedLines.length > 0 ? owedLines : unpricedLines, cents) }
}

/** Returns the received units that were not refunded before, with what was paid for them. */
function owedLine(line: PricedLine, earlierUnits: EarlierUnits, received: number): RefundedLine[] {
  const { returned } = earlierUnits
  const refunded = earlierUnits.refunded - line.unsent
  // Units that were refunded without a return are the first ones to come back.
  const quantity = received - Math.min(received, Math.max(0, refunded - returned))
  if (quantity === 0) return []
  const earlier = line.unsent + Math.max(returned, refunded)
  const amount_cents = paidForUnits(line, quantity, earlier)
  return [{ order_item_id: line.id, quantity, amount_cents }]
}

/** Divides an amount among lines by their amounts, or by their units if nothing was paid for them. */
function divideAmong(lines: readonly RefundedLine[], cents: number): RefundedLine[] {
  const isFree = lines.every(({ amount_cents }) => amount_cents === 0)
  const weights = lines.map((line) => BigInt(isFree ? line.quantity : line.amount_cents))
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  let weightSoFar = 0n
  let centsSoFar = 0
  return lines.map((line, index) => {
    weightSoFar += weights[index] ?? 0n
    const amount_cents = Number((BigInt(cents) * weightSoFar) / whole) - centsSoFar
    centsSoFar += amount_cents
    return { ...line, amount_cents }
  })
}
