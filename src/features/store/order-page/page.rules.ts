import type { Delivery, Order } from '../orders/index.ts'

/** Returns true if the page of an order shows its keys, texts and files (decision 464). */
export const showsGoods = ({ status, hold }: Pick<Order, 'status' | 'hold'>): boolean =>
  (status === 'paid' || status === 'completed') && hold === null

/** Returns the deliveries whose goods the page of an order shows. */
export const shownDeliveries = (
  order: Pick<Order, 'status' | 'hold' | 'deliveries'>,
): readonly Delivery[] =>
  showsGoods(order) ? order.deliveries.filter(({ status }) => status === 'delivered') : []
