import { inTransaction } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type MailContent, queueMail } from '../../installation/index.ts'
import { selectEmail } from '../customers/index.ts'
import type { Delivery, DeliveryResend } from './delivery-schema.ts'
import { lockOrder } from './queries/orders.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'
import { checkNotOnHold } from './status.rules.ts'

/**
 * Mails the active deliveries of an order to the customer's present address, or once to another one (decisions 106 and
 * 183).
 */
export function resendDeliveries(
  context: StoreContext,
  id: string,
  { to }: DeliveryResend,
): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    // The lock waits for an erasure or a refund that runs now, so the order is read after it.
    checkNotOnHold(requireRecord(await lockOrder(tx, context.store.id, id), 'Order'))
    const order = await readOrder(context, tx, id)
    const activeDeliveries = order.deliveries.filter(({ status }) => status === 'delivered')
    if (activeDeliveries.length === 0) {
      throw invalidState(
        order.status,
        'This order has no active deliveries to resend. Deliver it first.',
      )
    }
    const recipient = to ?? (await selectEmail(tx, context.store.id, order.customer.id))
    if (isErasedEmail(recipient)) {
      const message =
        'The customer of this order was erased and has no address. Deliver the items another way.'
      throw invalidState(order.status, message)
    }
    await queueMail(
      tx,
      context,
      deliveryMail(context, order, { recipient, deliveries: activeDeliveries }),
    )
    return order
  })
}

function deliveryMail(
  { store }: StoreContext,
  order: Order,
  { recipient, deliveries }: { recipient: string; deliveries: readonly Delivery[] },
): MailContent {
  return {
    template: 'order_delivery',
    recipients: [recipient],
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
  const hiddenKeys = keys_count - keys.length
  return [
    `${line?.quantity} x ${line?.name} (${line?.variant_name})`,
    ...keys,
    ...(hiddenKeys > 0 ? [`and ${hiddenKeys} more, which the seller has for you`] : []),
    ...(text === null ? [] : [text]),
    ...files.map(({ name, url }) => `${name}, to download within 15 minutes: ${url}`),
  ].join('\n')
}
