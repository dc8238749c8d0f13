import { counted } from '../../../kernel/counted.ts'
import { invalid, unknownId } from '../../../kernel/errors.ts'
import { paidForUnits } from '../../../kernel/money.ts'
import type { NewRefund, Refund } from './payment-schema.ts'

interface BoughtLine {
  id: number
  quantity: number
  total_cents: number
}

type RequestedLine = NonNullable<NewRefund['items']>[number]

/** The part of a line that earlier refunds gave back. */
export interface RefundedLine {
  units: number
  cents: number
}

const LINE_ADVICE = 'Send the id of one of its items.'

/**
 * Returns the lines of a refund with their amounts. Without an amount, the price paid for the units is refunded: the
 * unit price less the share of the discount, but not more than is left of the line, because a provider may have refused
 * the part of an earlier refund that had the units. `refundedLines` is by order line (decision 185).
 */
export function planRefundedLines(
  boughtLines: readonly BoughtLine[],
  refundedLines: ReadonlyMap<number, RefundedLine>,
  requestedLines: readonly RequestedLine[],
): Refund['items'] {
  const listedIds = new Set<number>()
  return requestedLines.map(({ order_item_id, quantity, amount_cents }, index) => {
    const line = boughtLines.find(({ id }) => id === order_item_id)
    if (!line)
      throw unknownId(
        `items[${index}].order_item_id`,
        order_item_id,
        'The order has no line',
        LINE_ADVICE,
      )
    if (listedIds.has(order_item_id)) {
      const message = 'This line is listed twice. List each line once.'
      throw invalid(`items[${index}].order_item_id`, message)
    }
    listedIds.add(order_item_id)
    const { units: earlierUnits, cents } = refundedLines.get(order_item_id) ?? {
      units: 0,
      cents: 0,
    }
    // A seller may refund another amount for a return, also of units that were refunded before.
    const remainingUnits = Math.max(0, line.quantity - earlierUnits)
    if (quantity > remainingUnits)
      throw invalid(`items[${index}].quantity`, tooManyUnits(remainingUnits))
    const restCents = Math.max(0, line.total_cents - cents)
    const paidCents = Math.min(paidForUnits(line, quantity, earlierUnits), restCents)
    return { order_item_id, quantity, amount_cents: amount_cents ?? paidCents }
  })
}

const tooManyUnits = (remainingUnits: number): string =>
  remainingUnits === 0
    ? 'All units of this line were refunded already. Leave the line out, or send an amount without items.'
    : `Only ${counted(remainingUnits, 'unit')} of this line can still be refunded. Send ${remainingUnits} or fewer.`

/** Returns the amount of a refund of lines, which must be the requested amount if there is one. */
export function amountOfLines(lines: Refund['items'], requestedCents: number | undefined): number {
  const sum = lines.reduce((total, { amount_cents }) => total + amount_cents, 0)
  if (requestedCents !== undefined && requestedCents !== sum) {
    throw invalid(
      'amount_cents',
      `The items add up to ${sum}, not ${requestedCents}. Send ${sum}, or leave amount_cents out.`,
    )
  }
  return sum
}
