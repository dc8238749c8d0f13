// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination, SendResult, WebhookDelivery, WebhookEventType } from './shared.gen.ts'

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
   * Create a webhook endpoint. Only this response contains its secret.
   *
   * A store has at most 20 endpoints.
   *
   * Needs the permission `webhooks:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: WebhookInput, options?: PostOptions): Call<{
    webhook: Webhook
    /** The secret that signs every delivery. Store it, because no other response contains it. */
    secret: string
  }>
  /**
   * Get a webhook endpoint.
   *
   * Needs the permission `webhooks:read`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ webhook: Webhook }>
  /**
   * Change the address or the events of an endpoint, or turn it on or off.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: WebhookPatch, options?: CallOptions): Call<{ webhook: Webhook }>
  /**
   * Delete a webhook endpoint. Its pending deliveries are cancelled.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted endpoint. */
    id: string
  }>
  /**
   * Send a sample event to an endpoint and wait for the response.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  test(id: string, body?: TestInput, options?: PostOptions): Call<{ result: SendResult; delivery: WebhookDelivery }>
  /**
   * Send the events that an endpoint missed while it was off or did not exist.
   *
   * Creates a delivery of each event that the endpoint has none of, oldest first. They are sent in
   * the background, with the id and the time of the event. A call creates at most 1,000 deliveries
   * and looks at some 5,000 events: repeat it with `next_since` until that is null. A repeated call
   * creates no second delivery.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  replay(id: string, body: ReplayInput, options?: PostOptions): Call<{
    /** The number of deliveries that this call created, at most 1,000. */
    queued: number
    /** The `since` of the next call, which continues after these events; null if none remain. */
    next_since: string | null
  }>
  /**
   * Open a listener, which fetches its deliveries instead of getting requests.
   *
   * A listener is what `tradepost webhooks listen` uses. It gets every event that is recorded from
   * now on. It is removed a minute after its last poll, is not in the list of endpoints, and does
   * not count towards their limit. A store has at most 8 listeners.
   *
   * Needs the permission `webhooks:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  openListener(body: ListenerInput, options?: PostOptions): Call<{ listener: Listener }>
  /**
   * Report the results of deliveries to a listener, and fetch its next deliveries.
   *
   * Waits up to `wait_s` seconds for a delivery. A delivery is answered again until its result was
   * reported.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  pollListener(id: string, body?: PollInput, options?: PostOptions): Call<{
    /** Up to 10 deliveries, oldest first. */
    deliveries: PolledDelivery[]
  }>
  /**
   * Close a listener. Its pending deliveries are cancelled.
   *
   * Needs the permission `webhooks:write`.
   * @param id The id of the endpoint.
   * @throws {TradepostError} `NOT_FOUND`
   */
  closeListener(id: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the closed listener. */
    id: string
  }>
}

/** A webhook endpoint with its statistics. */
export interface ListedWebhook extends Webhook { stats: WebhookStats }

/** An endpoint that fetches its deliveries. */
export interface Listener {
  /** The id of the listener. */
  id: string
  /** The secret that signs its deliveries. */
  secret: string
}

export interface ListenerInput {
  /** The URL to which the listener posts. Only the log of deliveries shows it. */
  forward: string
  /** The event types to which the endpoint is subscribed; `["*"]` means all. */
  events: SubscribedEvent[]
}

export interface PollInput {
  /** The results of the deliveries of the previous poll. Default `[]`. */
  relayed?: RelayResult[]
  /** The seconds to wait for a delivery. Default `5`. */
  wait_s?: number
}

/** A delivery as a listener gets it. */
export interface PolledDelivery {
  /** The id of the delivery. */
  delivery_id: number
  /** The id of the event. */
  event_id: string
  /** The event type. */
  type: string
  /** The headers, signed for the listener. */
  headers: Record<string, string>
  /** The signed bytes as text. */
  body: string
}

/** The result of a delivery that a listener relayed. */
export interface RelayResult {
  /** The id of the delivery. */
  delivery_id: number
  /** True if the receiver answered with 2xx in time. */
  ok: boolean
  /** The status code of the receiver; null if it did not respond. */
  status_code: number | null
  /** The error, as `code: sentence`; null on success. */
  error: string | null
  /** The duration in milliseconds. */
  duration_ms: number
  /** The start of the response of the receiver. */
  response_body: string | null
}

export interface ReplayInput {
  /** Events at or after this time are sent. It must be in the past 30 days. */
  since: string
  /**
   * The event types, which the endpoint must be subscribed to. Default: all types of the endpoint.
   */
  types?: WebhookEventType[]
}

/** An event type, or `*` for all types. */
export type SubscribedEvent = WebhookEventType | '*'

export interface TestInput {
  /** The event type. Default: the first type of the endpoint's list. */
  type?: WebhookEventType
}

/** A URL to which events are sent. */
export interface Webhook {
  /** The id of the endpoint. */
  id: string
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint'
  /** The URL that receives events. It must use https and a public address. */
  url: string
  /** A note on the purpose of the endpoint. */
  description: string | null
  /** The event types to which the endpoint is subscribed; `["*"]` means all. */
  events: SubscribedEvent[]
  /** True if events are sent to the endpoint. */
  enabled: boolean
  /** The time when the endpoint was turned off; null if it is on. */
  disabled_at: string | null
  /**
   * The reason why the endpoint is off. `failures`: 40 failures in a row with no success in 3 days.
   */
  disabled_reason: 'manual' | 'failures' | null
  /** The time when the endpoint was created. */
  created_at: string
  /** The time when the endpoint was last changed. */
  updated_at: string
}

export interface WebhookInput {
  /** The URL that receives events. It must use https and a public address. */
  url: string
  /** A note on the purpose of the endpoint. */
  description?: string | null
  /** The event types to which the endpoint is subscribed; `["*"]` means all. */
  events: SubscribedEvent[]
  /** True if events are sent to the endpoint. Default `true`. */
  enabled?: boolean
}

export type WebhookPatch = Partial<Pick<
  Webhook,
  'url' | 'description' | 'events' | 'enabled'
>>

/** Statistics of the deliveries in the past 7 days. */
export interface WebhookStats {
  /** The number of deliveries in the past 7 days. */
  total: number
  /** The number of deliveries that were answered with 2xx. */
  succeeded: number
  /** The number of deliveries that were given up. */
  failed: number
  /** The number of deliveries that are pending. */
  pending: number
  /** The share of ended deliveries that succeeded, 0 to 1; null if none has ended. */
  success_rate: number | null
  /** The average duration of the final attempts in milliseconds; null if no delivery has ended. */
  average_duration_ms: number | null
  /** The time when the last delivery ended. */
  last_delivery_at: string | null
}

export interface WebhooksListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
}
