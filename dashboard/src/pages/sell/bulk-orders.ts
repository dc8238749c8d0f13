import { storeRequest } from '../../api/action.ts'
import type { ListedOrder, StoreContext } from '../../api/store.ts'
import { type BulkAction, NothingToDo } from '../../kit/bulk.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { listAnd } from '../../kit/words.ts'
import { bulkOrders } from '../../text/bulk-orders.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

const CANCELLABLE: readonly string[] = ['pending', 'manual_review']

/** The consequence of cancelling: the unpaid amounts, and the units that are released. */
function cancelLead(orders: readonly ListedOrder[]): string {
  const sums = new Map<string, number>()
  let units = 0
  for (const { currency, total_cents, items } of orders) {
    sums.set(currency, (sums.get(currency) ?? 0) + total_cents)
    for (const { quantity } of items) units += quantity
  }
  return fill(bulkOrders.cancelLead, {
    n: formatNumber(orders.length),
    amount: listAnd([...sums].map(([currency, cents]) => formatMoney(cents, currency))),
    units: formatNumber(units),
  })
}

/** Delivers the waiting lines of an order from stock, one after the other. */
async function deliverWaiting({ api }: StoreContext, id: string): Promise<unknown> {
  const { order } = await api.orders.get(id)
  const waiting = order.deliveries.filter(
    ({ status, type }) => (status === 'pending' || status === 'failed') && type !== 'physical',
  )
  if (waiting.length === 0) throw new NothingToDo(bulkOrders.nothingToDeliver)
  for (const { order_item_id } of waiting) await api.orders.deliver(id, { order_item_id })
  return undefined
}

/** The actions on several orders. There is no operation for several, so each order has a request of its own. */
export const ORDER_ACTIONS: readonly BulkAction<ListedOrder>[] = [
  {
    title: bulkOrders.cancel,
    lead: cancelLead,
    isDanger: true,
    fields: [{ name: 'reason', label: common.reason }],
    // Nothing was paid, and the order has not ended.
    appliesTo: ({ status, paid_cents }) => CANCELLABLE.includes(status) && paid_cents === 0,
    request: ({ id }, { reason }) => ({
      ...storeRequest(
        'orders',
        'cancel',
        id,
        reason === undefined ? {} : { reason: String(reason) },
      ),
      otherArea: 'stock',
    }),
  },
  {
    title: bulkOrders.deliver,
    lead: bulkOrders.deliverLead,
    appliesTo: ({ status, hold }) => status === 'paid' && !hold,
    request: ({ id, items }) => ({
      ...storeRequest('orders', 'deliver', id, { order_item_id: items[0]?.id ?? 0 }),
      otherArea: 'stock',
      send: (store) => deliverWaiting(store, id),
    }),
  },
]
