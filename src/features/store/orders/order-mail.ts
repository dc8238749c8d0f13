import type { Tx } from '../../../db/database.ts'
import { formatDay, formatMoney } from '../../../kernel/language.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  greetableName,
  type KeyGroup,
  type MailItem,
  type MailValues,
  mailTextsIn,
  type NewMail,
  queueMails,
} from '../../installation/index.ts'
import { selectEmails } from '../customers/index.ts'
import type { Delivery } from './delivery-schema.ts'
import { orderUrl } from './order-link.ts'
import type { Payment, Refund } from './payment-schema.ts'
import type { Order, StoredOrder } from './schema.ts'
import { owedCents } from './status.rules.ts'

/** A mail about an order that goes out by a change of the order. */
interface OrderMail {
  order: StoredOrder
  template: NewMail['template']
  /** The event or record that the mail reports. The order has one mail for it. */
  cause: string
  values?: MailValues
}

/**
 * Returns true if the buyer of an order gets mail about it: it was made on the storefront, in an embedded checkout or by
 * a user of the dashboard, or the store wants mail for orders of its API keys too (decision 106).
 */
export const isMailed = (
  { store }: StoreContext,
  { source, by_user }: Pick<StoredOrder, 'source' | 'by_user'>,
): boolean => source !== 'api' || by_user || store.mail_api_orders

/**
 * Queues mail about orders in the transaction of their change, to the present addresses of their customers. Orders whose
 * buyers get no mail cost no statement.
 */
async function queueOrderMails(
  tx: Tx,
  context: StoreContext,
  allMails: readonly OrderMail[],
): Promise<void> {
  const mails = allMails.filter(({ order }) => isMailed(context, order))
  if (mails.length === 0) return
  const customerIds = mails.map(({ order }) => order.customer.id)
  const emails = await selectEmails(tx, context.store.id, customerIds)
  const newMails = mails.map(({ order, template, cause, values }) => ({
    template,
    cause,
    order_id: order.id,
    language: order.language,
    recipients: emails.get(order.customer.id) ?? [],
    values: { ...orderValues(context, order), ...values },
  }))
  await queueMails(tx, context, newMails)
}

/** Queues the mail about a new order that its buyer pays outside of Tradepost. */
export async function mailReceived(
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
): Promise<void> {
  if (order.payment_method !== 'manual') return
  await queueOrderMails(tx, context, [{ order, template: 'order_received', cause: 'order' }])
}

/**
 * Queues the mail about orders that are paid now. If something was delivered with the payment, its mail is also the
 * receipt, so that a buyer gets one mail and not two (decision 106).
 */
export const mailPaid = (
  tx: Tx,
  context: StoreContext,
  orders: readonly StoredOrder[],
): Promise<void> =>
  queueOrderMails(
    tx,
    context,
    orders.map((order) => deliveryMail(order) ?? { order, template: 'order_paid', cause: 'order' }),
  )

/** Queues the mail about what was delivered by the release of an order. */
export const mailReleased = (tx: Tx, context: StoreContext, order: StoredOrder): Promise<void> =>
  queueOrderMails(
    tx,
    context,
    [deliveryMail(order)].flatMap((mail) => mail ?? []),
  )

/** Returns the mail about the first deliveries of an order; undefined if there are none, or if the order is on hold. */
function deliveryMail(order: StoredOrder): OrderMail | undefined {
  const deliveries = order.deliveries.filter(({ status }) => status === 'delivered')
  if (order.hold !== null || deliveries.length === 0) return undefined
  const keys = keyGroups(order, deliveries)
  return { order, template: 'order_delivery', cause: 'delivery', values: { keys } }
}

/** Queues the mail about one delivery. */
export const mailDelivery = (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  id: number,
): Promise<void> => {
  const deliveries = order.deliveries.filter((delivery) => delivery.id === id)
  const values = { keys: keyGroups(order, deliveries) }
  const cause = `delivery_${id}`
  return queueOrderMails(tx, context, [{ order, template: 'order_delivery', cause, values }])
}

/** Queues the mail about money that went back. The bank of a buyer who disputed a payment has told them. */
export async function mailRefund(
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  { id, amount_cents, reason, source }: Refund,
): Promise<void> {
  if (amount_cents === 0 || source === 'dispute') return
  const values = {
    amount: moneyOf(order, amount_cents),
    reason: mailTextsIn(order.language).refundReasons[reason],
  }
  const cause = `refund_${id}`
  await queueOrderMails(tx, context, [{ order, template: 'order_refunded', cause, values }])
}

/** Queues the mail about a payment of a part of an order. */
export async function mailPartial(
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  { id }: Payment,
): Promise<void> {
  if (order.status !== 'partially_paid') return
  const values = { amount: moneyOf(order, owedCents(order)) }
  const cause = `payment_${id}`
  await queueOrderMails(tx, context, [{ order, template: 'payment_partial', cause, values }])
}

/** Queues the mail about a payment that the seller reviews. */
export const mailReview = (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  { id, amount_cents }: Payment,
): Promise<void> => {
  const values = { amount: moneyOf(order, amount_cents) }
  const cause = `payment_${id}`
  return queueOrderMails(tx, context, [{ order, template: 'payment_review', cause, values }])
}

/** Queues the mail about money of another amount that the seller has not accepted and that went back. */
export const mailReturned = (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  { id, amount_cents }: Payment,
): Promise<void> => {
  const values = {
    amount: moneyOf(order, amount_cents),
    reason: mailTextsIn(order.language).otherAmount,
  }
  const cause = `payment_${id}`
  return queueOrderMails(tx, context, [{ order, template: 'order_refunded', cause, values }])
}

/** Queues the mail about renewals that their customers have to pay, or whose banks ask for them. */
export const mailUnpaidRenewals = (
  tx: Tx,
  context: StoreContext,
  orders: readonly StoredOrder[],
  template: 'renewal_failed' | 'renewal_action' = 'renewal_failed',
): Promise<void> =>
  queueOrderMails(
    tx,
    context,
    orders.map((order) => ({
      order,
      template,
      cause: 'order',
      values: { amount: moneyOf(order, owedCents(order)) },
    })),
  )

interface RenewalToCome {
  id: number
  due_at: string
  order_item_id: number
  amount_cents: number
}

/** Queues the mail about renewals to come, which names the day and the price. `order` is the first order. */
export const mailRenewalNotices = (
  tx: Tx,
  context: StoreContext,
  renewals: readonly { order: StoredOrder; renewal: RenewalToCome }[],
): Promise<void> =>
  queueOrderMails(
    tx,
    context,
    renewals.map(({ order, renewal: { id, due_at, order_item_id, amount_cents } }) => {
      const amount = moneyOf(order, amount_cents)
      const day = formatDay(due_at, context.store.time_zone, order.language)
      const note = mailTextsIn(order.language).renewsOn(day)
      const lines = order.items.filter((item) => item.id === order_item_id)
      const items = lines.map((item) => ({ ...mailItem(item, item.quantity), amount, note }))
      const cause = `renewal_${id}_${due_at}`
      return { order, template: 'renewal_notice', cause, values: { items, amount, total: amount } }
    }),
  )

const moneyOf = ({ currency, language }: Order, cents: number): string =>
  formatMoney(cents, currency, language)

/** Returns the values of the placeholders that every mail about an order has. */
export const orderValues = (context: StoreContext, order: StoredOrder): MailValues => ({
  order_number: String(order.number),
  order_url: orderUrl(context, order),
  customer_name: greetableName(order.customer.name),
  items: order.items.map((item) => ({
    ...mailItem(item, item.quantity),
    amount: moneyOf(order, item.total_cents),
  })),
  total: moneyOf(order, order.total_cents),
})

type NamedItem = Pick<Order['items'][number], 'name' | 'variant_name'>

/** Returns units of a line for a list in a mail. */
export const mailItem = ({ name, variant_name }: NamedItem, quantity: number): MailItem => ({
  label: `${quantity} × ${name}${variant_name === DEFAULT_VARIANT ? '' : ` (${variant_name})`}`,
})

/** The name of the only variant of a product that was created without variants. */
const DEFAULT_VARIANT = 'Default'

/** Returns the keys and texts of deliveries. Files are on the order page, whose link does not age (decision 464). */
export function keyGroups({ items, language }: Order, deliveries: readonly Delivery[]): KeyGroup[] {
  const { fileOnOrderPage, moreKeys } = mailTextsIn(language)
  return deliveries.map(({ order_item_id, keys, keys_count, files, text }) => {
    const item = items.find(({ id }) => id === order_item_id)
    const hiddenKeys = keys_count - keys.length
    return {
      title: item ? mailItem(item, item.quantity - item.cancelled_quantity).label : '',
      keys: [...keys, ...(text === null ? [] : [text])],
      notes: [
        ...(hiddenKeys > 0 ? [moreKeys(hiddenKeys)] : []),
        ...files.map(({ name }) => fileOnOrderPage(name)),
      ],
    }
  })
}
