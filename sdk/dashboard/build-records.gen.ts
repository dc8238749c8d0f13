// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.

export type { ListedWebhookDelivery } from '../client/api/shared.gen.ts'
export type { Pagination } from '../client-security/management/api/shared.gen.ts'
export type { SendResult } from '../client/api/shared.gen.ts'
export type { Webhook } from '../client/api/webhooks.gen.ts'

/** A call with its bodies. */
export type ApiCallInFull = {
  /** The `x-request-id` of the answer. */
  request_id: string
  /** The time of the answer, by the machine's clock. */
  created_at: string
  /** `security` is the Client Security API. */
  api: 'store' | 'security'
  /** The HTTP method. */
  method: string
  /** The path and the query. Secrets are masked. */
  path: string
  /** The operation, such as `orders.create`; null for an unknown path. */
  operation: string | null
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal, such as `NOT_FOUND`. */
  error_code: string | null
  /** The duration of the call in milliseconds. */
  duration_ms: number
  /** The API key of the call. */
  api_key: {
    /** The id of the key. */
    id: number
    /** The name of the key. */
    name: string
    /** The last four characters of the key. */
    last4: string
  }
  /** The IP address of the caller. */
  address: string
  /** The `User-Agent` header of the call. */
  user_agent: string
  /** True if the call had an Idempotency-Key. */
  idempotency_key: boolean
  request_body: LoggedBody
  response_body: LoggedBody
  /** True if `POST …/replay` can repeat the call. */
  replayable: boolean
  /** The reason why the call cannot be repeated. */
  why_not: string | null
}

/** The request of an attempt. */
export type AttemptRequest = {
  /** The number of the attempt, from 1. */
  attempt: number
  /** The headers in the sequence in which they are sent; empty if `missing` is set. */
  headers: {
    /** The name of the header. */
    name: string
    /** The value of the header. */
    value: string
  }[]
  /**
   * The reason why there are no headers: no request was recorded, the secret that signed it was
   * replaced, or no request may be sent to the address. Null if there are headers.
   */
  missing: 'not_recorded' | 'secret_rolled' | 'address_refused' | null
  /** The reason why no request may be sent to the address; null for other causes. */
  reason: string | null
}

/** The result of a check. */
export type DoctorFinding = {
  /** The name of the check. */
  check: string
  /** False if the check found a fault. */
  ok: boolean
  /** False if the check took too long. Run `tradepost doctor`, which waits for it. */
  finished: boolean
  /** The rule that is checked, and the number of rows that break it. */
  detail: string
  /** The remedy; null if none is needed. */
  cure: string | null
}

/** The calls of a key in the past minute. */
export type KeyMinute = {
  /** The id of the key. */
  id: number
  /** The name of the key. */
  name: string
  /** The last four characters of the key. */
  last4: string
  /** The calls that the key may make in 60 seconds; 0 means no limit. */
  limit: number
  /** The calls of the key in the past 60 seconds. */
  used: number
}

/** The body of a call or of an answer. */
export type LoggedBody = {
  /** The JSON value with masked secrets; null if the body is empty or not kept. */
  content: unknown
  /** The length of the body in bytes. */
  bytes: number
  /** False if the log has no content: a body over 16 KB, a file, or text that is not JSON. */
  kept: boolean
}

/** The answer to a repeated call. */
export type ReplayedCall = {
  /** The `x-request-id` of the new call. */
  request_id: string
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal. */
  error_code: string | null
  /** The duration of the call in milliseconds. */
  duration_ms: number
  response_body: LoggedBody
}

export type SendInput = {
  /** The id of the webhook endpoint. */
  webhook_id: string
}

/** The last characters of the secrets of an endpoint. */
export type ShownSecret = {
  /** The last four characters of the secret. */
  last4: string
  /** The time since which the secret signs, by the clock of the machine. */
  signs_since: string
  /** The old secret; null if it no longer signs. */
  old: {
    /** The last four characters of the old secret. */
    last4: string
    /** The time until which the old secret signs too. */
    until: string
  } | null
}

/** An event of the store. */
export type StoreEvent = {
  /** The id of the event, such as `evt_…`. */
  id: string
  /** The type of the event. */
  type: WebhookEventType
  /** True if the event is a sample. */
  test: boolean
  /** The id of the record that the event is about. */
  object_id: string
  /** The number of its deliveries, including the pending ones. */
  deliveries: number
  /** The time when the event was recorded. */
  created_at: string
}

/** An event with its payload. */
export type StoreEventInFull = {
  /** The id of the event, such as `evt_…`. */
  id: string
  /** The type of the event. */
  type: WebhookEventType
  /** True if the event is a sample. */
  test: boolean
  /** The id of the record that the event is about. */
  object_id: string
  /** The number of its deliveries, including the pending ones. */
  deliveries: number
  /** The time when the event was recorded. */
  created_at: string
  /** The event, as it is sent to the receiver. */
  payload: Record<string, unknown>
  /** True if a value is hidden because the API key lacks the permission to read it. */
  payload_redacted: boolean
}

/** An event type, or `*` for all types. */
export type SubscribedEvent = WebhookEventType | '*'

/** A webhook delivery with all its attempts. */
export type WebhookDelivery = {
  /** The id of the delivery. */
  id: number
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** The status. It is `delivering` while an attempt runs. */
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** The number of attempts. */
  attempts: number
  /** The time of the next attempt; null if none is planned, or if the endpoint is turned off. */
  next_attempt_at: string | null
  /** The last status code of the receiver. */
  last_status_code: number | null
  /** The error of the last attempt, as `code: sentence`; null if it succeeded. */
  last_error: string | null
  /** The duration of the last attempt in milliseconds. */
  last_duration_ms: number | null
  /** The event. */
  event: {
    /** The event id. Receivers recognise repeated deliveries by it. */
    id: string
    /** The event type. */
    type: string
    /** True if the event is a sample. */
    test: boolean
    /** The id of the record that the event is about. */
    object_id: string
  }
  /** The webhook endpoint. */
  webhook: {
    /** The id of the endpoint. */
    id: string
    /** The current URL of the endpoint. */
    url: string
    /** A note on the purpose of the endpoint. */
    description: string | null
    /** True if the endpoint was deleted. */
    deleted: boolean
  }
  /** The time when the event happened. */
  created_at: string
  /** The time of the last attempt or change. */
  updated_at: string
  /** The event, as it is sent to the receiver. */
  payload: Record<string, unknown>
  /** True if a value is hidden because the API key lacks the permission to read it. */
  payload_redacted: boolean
  /** All attempts, oldest first. */
  attempt_history: {
    /** The number of the attempt, from 1. */
    attempt: number
    /** The status code of the receiver; null if it did not respond. */
    status_code: number | null
    /**
     * The first 4 KiB of the response. Null if `payload_redacted`, because the response may repeat
     * the payload.
     */
    response_body: string | null
    /** The error, as `code: sentence`; null on success. */
    error: string | null
    /** The duration in milliseconds. */
    duration_ms: number | null
    /** True for a resend or a test. */
    manual: boolean
    /** The time when the attempt was made. */
    created_at: string
  }[]
}

/** The type of an event. */
export type WebhookEventType = 'order.created' | 'order.completed' | 'order.partially_paid' | 'order.manual_review' | 'order.expired' | 'order.cancelled' | 'order.refunded' | 'product.out_of_stock' | 'product.restocked' | 'product.deleted' | 'review.created' | 'question.created' | 'question.answered' | 'customer.created' | 'withdrawal.completed' | 'affiliate.partner_applied' | 'affiliate.conversion' | 'affiliate.payout_requested' | 'affiliate.payout_sent'

/** The headers of the attempts of an endpoint. */
export type WebhookHeaders = {
  /** True if attempts also have the headers of Standard Webhooks. */
  standard_headers: boolean
}

/** The recent failures of an endpoint, and the time when they turn it off. */
export type WebhookHealth = {
  /** The id of the endpoint. */
  id: string
  /** The number of failed attempts since the last success. */
  failures_in_row: number
  /** The number of further failures after which the endpoint can be turned off. */
  failures_left: number
  /** The time when an attempt last succeeded. */
  last_success_at: string | null
  /**
   * The earliest moment at which the endpoint can be turned off: 3 days after the last success.
   * Null if no attempt has succeeded.
   */
  not_before: string | null
  /**
   * The time when the endpoint is turned off if all planned attempts fail; null if they are too few
   * to turn it off.
   */
  turns_off_at: string | null
}

/** The deliveries of an endpoint by hour. */
export type WebhookHours = {
  /** The id of the endpoint. */
  id: string
  /** The number of succeeded deliveries for each hour, oldest hour first. */
  succeeded: number[]
  /** The number of deliveries given up for each hour, oldest hour first. */
  failed: number[]
}
