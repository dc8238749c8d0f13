import type { z } from 'zod'
import * as shapes from './shapes.ts'

interface EventSpec {
  /** The change that the event reports. */
  description: string
  /** The shape of `data.object`. */
  shape: z.ZodObject
}

/** The event types of webhooks, in the order of the specification ("Event types"). */
export const PUBLIC_EVENTS = {
  'order.created': {
    description: 'An order is created (storefront, API or embed).',
    shape: shapes.OrderObject,
  },
  'order.completed': {
    description: 'An order is paid and delivered; includes the deliveries.',
    shape: shapes.CompletedOrderObject,
  },
  'order.partially_paid': {
    description: 'Part of a crypto payment arrived.',
    shape: shapes.PartiallyPaidOrderObject,
  },
  'order.manual_review': {
    description: 'A manual payment waits for review.',
    shape: shapes.ReviewedOrderObject,
  },
  'order.expired': {
    description: 'An order was not paid in time.',
    shape: shapes.OrderObject,
  },
  'order.cancelled': {
    description: 'An unpaid order was cancelled.',
    shape: shapes.CancelledOrderObject,
  },
  'order.refunded': {
    description: 'A refund was recorded; sent once per refunded amount.',
    shape: shapes.RefundedOrderObject,
  },
  'product.out_of_stock': {
    description: 'A product ran out of stock.',
    shape: shapes.ProductObject,
  },
  'product.restocked': {
    description: 'Stock was added to a product.',
    shape: shapes.RestockedProductObject,
  },
  'product.deleted': {
    description: 'A product was deleted.',
    shape: shapes.ProductObject,
  },
  'review.created': {
    description: 'A customer left a review.',
    shape: shapes.ReviewObject,
  },
  'question.created': {
    description: 'A customer asked a question on a product page.',
    shape: shapes.QuestionObject,
  },
  'question.answered': {
    description:
      'The team answered a product question (dashboard or API); `answer.first` is `true` for the first answer.',
    shape: shapes.AnsweredQuestionObject,
  },
  'customer.created': {
    description: 'A new customer was added.',
    shape: shapes.CustomerObject,
  },
  'withdrawal.completed': {
    description: 'A wallet withdrawal was sent.',
    shape: shapes.WithdrawalObject,
  },
  'affiliate.partner_applied': {
    description: 'Someone applied to the affiliate programme.',
    shape: shapes.PartnerObject,
  },
  'affiliate.conversion': {
    description: 'An attributed order completed and the commission was recorded.',
    shape: shapes.ConversionObject,
  },
  'affiliate.payout_requested': {
    description: 'A partner requested a payout.',
    shape: shapes.PayoutObject,
  },
  'affiliate.payout_sent': {
    description: 'A payout was marked as sent.',
    shape: shapes.PayoutObject,
  },
} as const satisfies Record<string, EventSpec>

export type EventType = keyof typeof PUBLIC_EVENTS

/** `data.object` of a type. */
export type EventObject<T extends EventType = EventType> = z.input<
  (typeof PUBLIC_EVENTS)[T]['shape']
>

export const EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as [EventType, ...EventType[]]
