import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { queueMail } from '../../installation/index.ts'
import { selectEmail } from '../customers/index.ts'
import { readOrder } from '../orders/index.ts'
import type { Fulfillment } from './schema.ts'

/** Queues a mail to the customer with the contents and the tracking of a parcel. */
export async function queueShipmentMail(
  tx: Tx,
  context: StoreContext,
  parcel: Fulfillment,
): Promise<void> {
  const order = await readOrder(context, tx, parcel.order_id)
  const items = parcel.items.map(({ order_item_id, quantity }) => {
    const line = order.items.find((item) => item.id === order_item_id)
    return `${quantity} x ${line?.name} (${line?.variant_name})`
  })
  const { tracking_number, tracking_url } = parcel
  await queueMail(tx, context, {
    template: 'order_shipped',
    recipients: [await selectEmail(tx, context.store.id, order.customer.id)],
    subject: `Order ${order.number} is on its way`,
    text: [
      `This is on its way to you from ${context.store.name}:`,
      items.join('\n'),
      ...(tracking_number ? [`Tracking number: ${tracking_number}`] : []),
      ...(tracking_url ? [`Follow it at ${tracking_url}`] : []),
    ].join('\n\n'),
  })
}
