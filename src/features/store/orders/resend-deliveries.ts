import { inTransaction } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { queueMail } from '../../installation/index.ts'
import { selectEmail } from '../customers/index.ts'
import type { DeliveryResend } from './delivery-schema.ts'
import { keyGroups, orderValues } from './order-mail.ts'
import * as q from './queries/index.ts'
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
    checkNotOnHold(requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order'))
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
    await queueMail(tx, context, {
      template: 'order_delivery',
      language: order.language,
      order_id: order.id,
      recipients: [recipient],
      values: { ...orderValues(context, order), keys: keyGroups(order, activeDeliveries) },
    })
    return order
  })
}
