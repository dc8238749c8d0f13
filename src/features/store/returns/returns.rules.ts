import { invalid, invalidState } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import type { NewReturn, Receipt, Return, Status } from './schema.ts'

/** The next statuses of each status. */
const NEXT: Record<Status, readonly Status[]> = {
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['received', 'cancelled'],
  rejected: [],
  cancelled: [],
  received: ['refunded', 'closed'],
  refunded: [],
  closed: [],
}

const names = (statuses: readonly Status[]) => statuses.join(' or ')

export function checkStep(status: Status, next: Status): void {
  if (NEXT[status].includes(next)) return
  const from = (Object.keys(NEXT) as Status[]).filter((item) => NEXT[item].includes(next))
  throw invalidState(
    status,
    `This return is ${status}; only one that is ${names(from)} can become ${next}.`,
  )
}

export interface ReturnableOrder {
  status: string
  completed_at: string | null
}

/** Returns are requested for paid units, until the window after the completion is over. */
export function checkReturnable(
  { status, completed_at }: ReturnableOrder,
  { now, window_days }: { now: string; window_days: number },
): void {
  if (status !== 'paid' && status !== 'completed') {
    throw invalidState(
      status,
      `This order is ${status}; only a paid or completed order can be returned.`,
    )
  }
  if (completed_at === null) return
  if (Date.parse(now) < Date.parse(completed_at) + window_days * DAY_MS) return
  throw invalidState(
    status,
    `The ${window_days} days for returning this order are over. Raise return_window_days in the settings of the account, or refund the order.`,
  )
}

export interface BoughtLine {
  id: number
  delivery_type: string
  quantity: number
}

/** Refuses units that were not bought, or that another return has claimed. */
export function checkItems(
  lines: readonly BoughtLine[],
  claimed: ReadonlyMap<number, number>,
  items: NewReturn['items'],
): void {
  const seen = new Set<number>()
  for (const [at, { order_item_id, quantity }] of items.entries()) {
    const line = lines.find((item) => item.id === order_item_id)
    const field = `items[${at}].order_item_id`
    if (!line) throw invalid(field, 'The order has no line with this id.')
    if (line.delivery_type !== 'physical') {
      throw invalid(field, `This line is ${line.delivery_type}; refund it instead of returning it.`)
    }
    if (seen.has(order_item_id)) throw invalid(field, 'Name each line once.')
    seen.add(order_item_id)
    const left = line.quantity - (claimed.get(order_item_id) ?? 0)
    if (quantity > left) {
      throw invalid(`items[${at}].quantity`, `Only ${left} of this line can still be returned.`)
    }
  }
}

type Item = Return['items'][number]
export type ReceivedItem = Pick<Item, 'order_item_id' | 'received_quantity' | 'damaged_quantity'>

/** Units that arrived for each line of a return. */
export function planReceipt(items: readonly Item[], received: Receipt['items']): ReceivedItem[] {
  if (!received) {
    return items.map(({ order_item_id, quantity }) => ({
      order_item_id,
      received_quantity: quantity,
      damaged_quantity: 0,
    }))
  }
  const seen = new Set<number>()
  for (const [at, item] of received.entries()) {
    checkReceived(items, item, `items[${at}]`)
    if (seen.has(item.order_item_id)) {
      throw invalid(`items[${at}].order_item_id`, 'Name each line once.')
    }
    seen.add(item.order_item_id)
  }
  return items.map(
    ({ order_item_id }) =>
      received.find((item) => item.order_item_id === order_item_id) ?? {
        order_item_id,
        received_quantity: 0,
        damaged_quantity: 0,
      },
  )
}

function checkReceived(
  items: readonly Item[],
  { order_item_id, received_quantity, damaged_quantity }: ReceivedItem,
  at: string,
): void {
  const own = items.find((item) => item.order_item_id === order_item_id)
  if (!own) throw invalid(`${at}.order_item_id`, 'The return has no line with this id.')
  if (received_quantity > own.quantity) {
    throw invalid(`${at}.received_quantity`, `Only ${own.quantity} of this line are in the return.`)
  }
  if (damaged_quantity > received_quantity) {
    throw invalid(
      `${at}.damaged_quantity`,
      `Only ${received_quantity} of this line arrived; no more can be damaged.`,
    )
  }
}

export interface PricedLine {
  id: number
  quantity: number
  total_cents: number
}

/**
 * Returns the amount that was paid for the units that arrived. Shares of a line that does not divide evenly
 * are rounded down, and the last unit takes the rest, so all units together give the total of the line.
 * `earlier` holds the units of other returns that arrived before.
 */
export function amountOf(
  lines: readonly PricedLine[],
  items: readonly ReceivedItem[],
  earlier: ReadonlyMap<number, number>,
): number {
  let cents = 0
  for (const { order_item_id, received_quantity } of items) {
    const line = lines.find((item) => item.id === order_item_id)
    if (!line) continue
    const before = earlier.get(order_item_id) ?? 0
    cents += share(line, before + received_quantity) - share(line, before)
  }
  return cents
}

const share = ({ quantity, total_cents }: PricedLine, units: number): number =>
  Number((BigInt(total_cents) * BigInt(units)) / BigInt(quantity))
