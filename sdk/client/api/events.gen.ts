// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ListedWebhookDelivery, PageQuery, Pagination, SendResult, WebhookDelivery, WebhookEventType } from './shared.gen.ts'

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
   * @param id The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDelivery(id: number, options?: CallOptions): Call<{ delivery: WebhookDelivery }>
  /**
   * Resend a delivery now and wait for the response.
   *
   * A success ends the schedule of the delivery. A failure does not change the schedule.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`, `ENDPOINT_DELETED`, `DELIVERY_IN_PROGRESS`
   */
  resend(id: number, options?: PostOptions): Call<{ result: SendResult; delivery: WebhookDelivery }>
  /**
   * Send a sample event to every endpoint that is subscribed to its type.
   *
   * Needs the permission `webhooks:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  trigger(body: TriggerInput, options?: PostOptions): Call<{
    /** The id of the event. */
    event: string
    /** The number of endpoints to which the event is sent. */
    deliveries: number
  }>
  /**
   * Explain the signature of a delivery, and why the data of a receiver does not match it.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  explainDelivery(id: number, body?: EventsExplainDeliveryBody, options?: PostOptions): Call<{
    /** The computation of the header, line by line. */
    steps: string[]
    /** The problems of the received values. */
    findings: string[]
  }>
}

/** An event type. */
export interface EventDescription {
  /** The event type. */
  type: WebhookEventType
  /** The change that the event reports. */
  description: string
}

export interface EventsDeliveriesQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only deliveries with one of these statuses. */
  status?: ('pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled')[]
  /** Only deliveries of these event types. */
  event_type?: WebhookEventType[]
  /** Only deliveries of this endpoint. */
  webhook_id?: string
  /** Only deliveries of this event. */
  event_id?: string
  /** `true` for only samples, `false` for no samples. */
  test?: boolean
}

export interface EventsExplainDeliveryBody {
  /**
   * The header `Service-Signature` that arrived, or that the receiver computed. Default: none; it
   * is then not compared.
   */
  header?: string
  /** The secret with which the receiver verifies. Default: none; it is then not compared. */
  secret?: string
  /** The body that the receiver verified. Default: none; it is then not compared. */
  body?: string
  /**
   * The current time of the receiver's clock, in Unix seconds. Default: none; it is then not
   * compared.
   */
  clock?: number
}

export interface TriggerInput {
  /** The event type. */
  type: WebhookEventType
}
