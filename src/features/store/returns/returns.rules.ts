import { counted } from '../../../kernel/counted.ts'
import { invalid, invalidState, unknownId } from '../../../kernel/errors.ts'
import { stateText } from '../../../kernel/state-text.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import type { NewReturn, Receipt, Return, ReturnStatus } from './schema.ts'

/** The possible next statuses of each status. */
const NEXT_STATUSES: Record<ReturnStatus, readonly ReturnStatus[]> = {
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['received', 'cancelled'],
  rejected: [],
  cancelled: [],
  received: ['refunded', 'closed'],
  refunded: [],
  closed: [],
}

export function checkNextStatus(status: ReturnStatus, next: ReturnStatus): void {
  if (NEXT_STATUSES[status].includes(next)) return
  const previousStatuses = (Object.keys(NEXT_STATUSES) as ReturnStatus[]).filter((item) =>
    NEXT_STATUSES[item].includes(next),
  )
  throw invalidState(
    status,
    `This return is ${status}; only a return that is ${previousStatuses.join(' or ')} can become ${next}.`,
  )
}

interface ReturnableOrder {
  status: string
  completed_at: string | null
}

/**
 * The statuses of orders whose goods may come back. The money of a refunded order went back before (decision 185).
 */
const RETURNABLE_STATUSES: readonly string[] = ['paid', 'completed', 'refunded']

/** Throws INVALID_STATE if the order was never paid, or if its return window after the completion is over. */
export function checkReturnable(
  { status, completed_at }: ReturnableOrder,
  { now, window_days }: { now: string; window_days: number },
): void {
  if (!RETURNABLE_STATUSES.includes(status)) {
    throw invalidState(
      status,
      `This order ${stateText(status)}; only a paid, completed or refunded order can be returned.`,
    )
  }
  if (completed_at === null) return
  if (Date.parse(now) < Date.parse(completed_at) + window_days * DAY_MS) return
  throw invalidState(
    status,
    `The ${counted(window_days, 'day')} for returns of this order ${window_days === 1 ? 'is' : 'are'} over. Raise return_window_days in the settings of the account, or refund the order.`,
  )
}

interface BoughtItem {
  id: number
  delivery_type: string
  quantity: number
  /** The units that were never sent, so they cannot come back. */
  unsent: number
}

const ITEM_ADVICE = 'Send the id of one of its items.'

/**
 * Refuses units that were not bought, or that are in another return. `unitsInReturns` has the units of other returns,
 * by order item.
 */
export function checkItems(
  orderItems: readonly BoughtItem[],
  unitsInReturns: ReadonlyMap<number, number>,
  items: NewReturn['items'],
): void {
  const listedIds = new Set<number>()
  for (const [index, { order_item_id, quantity }] of items.entries()) {
    const orderItem = orderItems.find((item) => item.id === order_item_id)
    const field = `items[${index}].order_item_id`
    if (!orderItem) throw unknownId(field, order_item_id, 'The order has no item', ITEM_ADVICE)
    if (orderItem.delivery_type !== 'physical') {
      throw invalid(
        field,
        `The delivery type of this item is ${orderItem.delivery_type}, and only physical items can be returned. Refund the item instead.`,
      )
    }
    if (listedIds.has(order_item_id))
      throw invalid(field, 'This item is listed twice. List each item once.', { rule: 'unique' })
    listedIds.add(order_item_id)
    const returnableUnits =
      orderItem.quantity - orderItem.unsent - (unitsInReturns.get(order_item_id) ?? 0)
    if (returnableUnits === 0) {
      throw invalid(
        `items[${index}].quantity`,
        'All units of this item are in a return already. Leave the item out.',
      )
    }
    if (quantity > returnableUnits) {
      throw invalid(
        `items[${index}].quantity`,
        `Only ${counted(returnableUnits, 'unit')} of this item can be returned. Send ${returnableUnits} or fewer.`,
        { rule: 'at_most', limit: returnableUnits },
      )
    }
  }
}

type ReturnItem = Return['items'][number]
export type ReceivedItem = Pick<
  ReturnItem,
  'order_item_id' | 'received_quantity' | 'damaged_quantity'
>

/** Returns the received units of each item of a return. Without `receivedQuantities`, all units were received undamaged. */
export function planReceipt(
  items: readonly ReturnItem[],
  receivedQuantities: Receipt['items'],
): ReceivedItem[] {
  if (!receivedQuantities) {
    return items.map(({ order_item_id, quantity }) => ({
      order_item_id,
      received_quantity: quantity,
      damaged_quantity: 0,
    }))
  }
  const listedIds = new Set<number>()
  for (const [index, item] of receivedQuantities.entries()) {
    checkReceived(items, item, `items[${index}]`)
    if (listedIds.has(item.order_item_id)) {
      throw invalid(
        `items[${index}].order_item_id`,
        'This item is listed twice. List each item once.',
        { rule: 'unique' },
      )
    }
    listedIds.add(item.order_item_id)
  }
  return items.map(
    ({ order_item_id }) =>
      receivedQuantities.find((item) => item.order_item_id === order_item_id) ?? {
        order_item_id,
        received_quantity: 0,
        damaged_quantity: 0,
      },
  )
}

function checkReceived(
  items: readonly ReturnItem[],
  { order_item_id, received_quantity, damaged_quantity }: ReceivedItem,
  path: string,
): void {
  const returnedItem = items.find((item) => item.order_item_id === order_item_id)
  if (!returnedItem)
    throw unknownId(`${path}.order_item_id`, order_item_id, 'The return has no item', ITEM_ADVICE)
  if (received_quantity > returnedItem.quantity) {
    throw invalid(
      `${path}.received_quantity`,
      `The return has only ${counted(returnedItem.quantity, 'unit')} of this item. Send ${returnedItem.quantity} or fewer.`,
      { rule: 'at_most', limit: returnedItem.quantity },
    )
  }
  if (damaged_quantity > received_quantity) {
    throw invalid(
      `${path}.damaged_quantity`,
      `This return received only ${counted(received_quantity, 'unit')} of this item. Send ${received_quantity} or fewer.`,
      { rule: 'at_most', limit: received_quantity },
    )
  }
}
