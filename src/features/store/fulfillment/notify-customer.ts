import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { mailTextsIn, queueMail } from '../../installation/index.ts'
import { selectEmail } from '../customers/index.ts'
import { mailItem, orderValues, readOrder } from '../orders/index.ts'
import type { Fulfillment } from './schema.ts'

/** Queues a mail to the customer with the contents and the tracking of a parcel. */
export async function queueShipmentMail(
  tx: Tx,
  context: StoreContext,
  parcel: Fulfillment,
): Promise<void> {
  const order = await readOrder(context, tx, parcel.order_id)
  const items = parcel.items.flatMap(({ order_item_id, quantity }) => {
    const item = order.items.find(({ id }) => id === order_item_id)
    return item ? mailItem(item, quantity) : []
  })
  const { tracking_number, tracking_url } = parcel
  const { trackingNumber } = mailTextsIn(order.language)
  const note = tracking_number ? [{ label: trackingNumber(tracking_number) }] : []
  await queueMail(tx, context, {
    template: 'order_shipped',
    language: order.language,
    order_id: order.id,
    cause: `fulfillment_${parcel.id}`,
    recipients: [await selectEmail(tx, context.store.id, order.customer.id)],
    values: { ...orderValues(context, order), items: [...items, ...note], tracking_url },
  })
}
