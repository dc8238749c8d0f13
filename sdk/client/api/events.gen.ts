// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ListedWebhookDelivery, PageQuery, Pagination, SendResult, WebhookDelivery } from './shared.gen.ts'

/** Webhook endpoints and their deliveries. */
export interface EventsApi {
  /**
   * List the event types.
   *
   * Needs the permission `webhooks:read`.
   */
  types(options?: CallOptions): Call<{
    /** All event types. */
    types: EventDescription[]
  }>
  /**
   * List webhook deliveries, newest first.
   *
   * Needs the permission `webhooks:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  deliveries(query?: EventsDeliveriesQuery, options?: CallOptions): List<{
    deliveries: ListedWebhookDelivery[]
    pagination: Pagination
  }, ListedWebhookDelivery>
  /**
   * Get a webhook delivery with its payload and all its attempts.
   *
   * Needs the permission `webhooks:read`.
   * @param id The delivery.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDelivery(id: number, options?: CallOptions): Call<{ delivery: WebhookDelivery }>
  /**
   * Send a delivery again, now, and wait for the answer.
   *
   * Success ends its schedule; failure leaves the schedule as it was.
   *
   * Needs the permission `webhooks:write`.
   * @param id The delivery.
   * @throws {TradepostError} `NOT_FOUND`, `ENDPOINT_DELETED`, `DELIVERY_IN_PROGRESS`
   */
  resend(id: number, options?: PostOptions): Call<{ result: SendResult; delivery: WebhookDelivery }>
}

/** A type of event. */
export interface EventDescription {
  /** The event type. */
  type:
    | 'order.created'
    | 'order.completed'
    | 'order.partially_paid'
    | 'order.manual_review'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.refunded'
    | 'product.out_of_stock'
    | 'product.restocked'
    | 'product.deleted'
    | 'review.created'
    | 'question.created'
    | 'question.answered'
    | 'customer.created'
    | 'withdrawal.completed'
    | 'affiliate.partner_applied'
    | 'affiliate.conversion'
    | 'affiliate.payout_requested'
    | 'affiliate.payout_sent'
  /** When it is sent. */
  description: string
}

export interface EventsDeliveriesQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled')[]
  /** One or several event types. */
  event_type?: (
    | 'order.created'
    | 'order.completed'
    | 'order.partially_paid'
    | 'order.manual_review'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.refunded'
    | 'product.out_of_stock'
    | 'product.restocked'
    | 'product.deleted'
    | 'review.created'
    | 'question.created'
    | 'question.answered'
    | 'customer.created'
    | 'withdrawal.completed'
    | 'affiliate.partner_applied'
    | 'affiliate.conversion'
    | 'affiliate.payout_requested'
    | 'affiliate.payout_sent'
  )[]
  /** The endpoint. */
  webhook_id?: string
  /** The event. */
  event_id?: string
  /** `true` for samples only, `false` without them. */
  test?: boolean
  /** Happened at this moment or later. */
  created_from?: string
  /** Happened before this moment. */
  created_to?: string
}
