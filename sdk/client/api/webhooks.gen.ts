// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination, SendResult, WebhookDelivery } from './shared.gen.ts'

/** Webhook endpoints and their deliveries. */
export interface WebhooksApi {
  /**
   * List webhook endpoints with their statistics of the past 7 days.
   *
   * Needs the permission `webhooks:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: WebhooksListQuery, options?: CallOptions): List<{ webhooks: ListedWebhook[]; pagination: Pagination }, ListedWebhook>
  /**
   * Create a webhook endpoint. Its secret is shown once.
   *
   * A store has at most 20 endpoints.
   *
   * Needs the permission `webhooks:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewWebhook, options?: PostOptions): Call<{
    webhook: Webhook
    /** Signs every delivery; keep it, it is not shown again. */
    secret: string
  }>
  /**
   * Get a webhook endpoint.
   *
   * Needs the permission `webhooks:read`.
   * @param id The endpoint.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ webhook: Webhook }>
  /**
   * Change the address or the events of an endpoint, or turn it on or off.
   *
   * Needs the permission `webhooks:write`.
   * @param id The endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: WebhookPatch, options?: CallOptions): Call<{ webhook: Webhook }>
  /**
   * Delete a webhook endpoint; what waits for it is cancelled.
   *
   * Needs the permission `webhooks:write`.
   * @param id The endpoint.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The endpoint that is gone. */
    id: string
  }>
  /**
   * Send a sample event to an endpoint and wait for its answer.
   *
   * Needs the permission `webhooks:write`.
   * @param id The endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  test(id: string, body?: NewTest, options?: PostOptions): Call<{ result: SendResult; delivery: WebhookDelivery }>
}

/** A webhook endpoint with its statistics. */
export interface ListedWebhook extends Webhook {
  /** Its deliveries of the past 7 days. */
  stats: WebhookStats
}

export interface NewTest {
  /** Absent: the first type of the endpoint's own list. */
  type?:
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
}

export interface NewWebhook {
  /** The URL that receives events: https, at a public address. */
  url: string
  /** A note on its purpose. */
  description?: string | null
  /** Event types that it is subscribed to; `["*"]` means all. */
  events: SubscribedEvent[]
  /** True if events are sent to it. Default `true`. */
  enabled?: boolean
}

/** An event type, or `*` for all of them. */
export type SubscribedEvent = 'order.created' | 'order.completed' | 'order.partially_paid' | 'order.manual_review' | 'order.expired' | 'order.cancelled' | 'order.refunded' | 'product.out_of_stock' | 'product.restocked' | 'product.deleted' | 'review.created' | 'question.created' | 'question.answered' | 'customer.created' | 'withdrawal.completed' | 'affiliate.partner_applied' | 'affiliate.conversion' | 'affiliate.payout_requested' | 'affiliate.payout_sent' | '*'

/** The webhook endpoint. */
export interface Webhook {
  /** The id of the endpoint. */
  id: string
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint'
  /** The URL that receives events: https, at a public address. */
  url: string
  /** A note on its purpose. */
  description: string | null
  /** Event types that it is subscribed to; `["*"]` means all. */
  events: SubscribedEvent[]
  /** True if events are sent to it. */
  enabled: boolean
  /** When it was turned off. */
  disabled_at: string | null
  /** `failures`: 40 in a row with no success in 3 days. */
  disabled_reason: 'manual' | 'failures' | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type WebhookPatch = Partial<Pick<
  Webhook,
  'url' | 'description' | 'events' | 'enabled'
>>

/** Deliveries of the past 7 days. */
export interface WebhookStats {
  /** Deliveries of the past 7 days. */
  total: number
  /** The deliveries of these that were answered with 2xx. */
  succeeded: number
  /** The deliveries of these that were given up. */
  failed: number
  /** Deliveries that still wait. */
  pending: number
  /** Succeeded of those that ended, 0 to 1. */
  success_rate: number | null
  /** How long the deciding attempts took. */
  average_duration_ms: number | null
  /** When the last one ended. */
  last_delivery_at: string | null
}

export type WebhooksListQuery = PageQuery
