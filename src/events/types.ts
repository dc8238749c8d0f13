/** Events a seller may subscribe a webhook to, in the order of the specification ("Event types"). */
export const PUBLIC_EVENTS = {
  'order.created': 'An order is created (storefront, API or embed).',
  'order.completed': 'An order is paid and delivered; includes the deliveries.',
  'order.partially_paid': 'Part of a crypto payment arrived.',
  'order.manual_review': 'A manual payment waits for review.',
  'order.expired': 'An order was not paid in time.',
  'order.cancelled': 'An unpaid order was cancelled.',
  'order.refunded': 'A refund was recorded; sent once per refunded amount.',
  'product.out_of_stock': 'A product ran out of stock.',
  'product.restocked': 'Stock was added to a product.',
  'product.deleted': 'A product was deleted.',
  'review.created': 'A customer left a review.',
  'question.created': 'A customer asked a question on a product page.',
  'question.answered':
    'The team answered a product question (dashboard or API); `answer.first` is `true` for the first answer.',
  'customer.created': 'A new customer was added.',
  'withdrawal.completed': 'A wallet withdrawal was sent.',
  'affiliate.partner_applied': 'Someone applied to the affiliate programme.',
  'affiliate.conversion': 'An attributed order completed and the commission was recorded.',
  'affiliate.payout_requested': 'A partner requested a payout.',
  'affiliate.payout_sent': 'A payout was marked as sent.',
} as const

export type EventType = keyof typeof PUBLIC_EVENTS

export const EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as EventType[]
