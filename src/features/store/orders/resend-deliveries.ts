import { inTransaction } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Letter, queueMail } from '../../installation/index.ts'
import type { Delivery } from './delivery-schema.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'

/** Mails the active deliveries of an order to the customer (decision 106). */
export function resendDeliveries(context: StoreContext, id: string): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = await readOrder(context, tx, id)
    const holding = order.deliveries.filter(({ status }) => status === 'delivered')
    if (holding.length === 0) {
      throw invalidState(order.status, 'Nothing was delivered for this order that still holds.')
    }
    if (isErasedEmail(order.customer.email)) {
      const why = 'The customer of this order was erased, so there is no address to write to.'
      throw invalidState(order.status, why)
    }
    await queueMail(tx, context, letterOf(context, order, holding))
    return order
  })
}

function letterOf({ store }: StoreContext, order: Order, deliveries: readonly Delivery[]): Letter {
  return {
    template: 'order_delivery',
    recipients: [order.customer.email],
    subject: `Your order ${order.number}`,
    text: [
      `This is what you bought at ${store.name}:`,
      ...deliveries.map((item) => paragraphOf(order, item)),
    ].join('\n\n'),
  }
}

function paragraphOf(
  { items }: Order,
  { order_item_id, keys, keys_count, files, text }: Delivery,
): string {
  const line = items.find((item) => item.id === order_item_id)
  const more = keys_count - keys.length
  return [
    `${line?.quantity} x ${line?.name} (${line?.variant_name})`,
    ...keys,
    ...(more > 0 ? [`and ${more} more, which the seller has for you`] : []),
    ...(text === null ? [] : [text]),
    ...files.map(({ name, url }) => `${name}, to download within 15 minutes: ${url}`),
  ].join('\n')
}
