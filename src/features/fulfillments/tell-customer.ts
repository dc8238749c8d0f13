import type { Tx } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import { queueMail } from '../mail/index.ts'
import { readOrder } from '../orders/index.ts'
import type { Fulfillment } from './schema.ts'

/** Writes to the customer what is in a parcel and how to follow it. */
export async function tellCustomer(tx: Tx, shop: Shop, parcel: Fulfillment): Promise<void> {
  const order = await readOrder(shop, tx, parcel.order_id)
  const items = parcel.items.map(({ order_item_id, quantity }) => {
    const line = order.items.find((one) => one.id === order_item_id)
    return `${quantity} x ${line?.name} (${line?.variant_name})`
  })
  const { tracking_number, tracking_url } = parcel
  await queueMail(tx, shop, {
    recipients: [order.customer.email],
    subject: `Order ${order.number} is on its way`,
    text: [
      `This is on its way to you from ${shop.store.name}:`,
      items.join('\n'),
      ...(tracking_number ? [`Tracking number: ${tracking_number}`] : []),
      ...(tracking_url ? [`Follow it at ${tracking_url}`] : []),
    ].join('\n\n'),
  })
}
