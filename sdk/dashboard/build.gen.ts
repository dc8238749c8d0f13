// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { ApiCallInFull, AttemptRequest, DoctorFinding, KeyMinute, ListedWebhookDelivery, Pagination, ReplayedCall, SendInput, SendResult, ShownSecret, StoreEvent, StoreEventInFull, Webhook, WebhookDelivery, WebhookEventType, WebhookHeaders, WebhookHealth, WebhookHours } from './records.gen.ts'

/** Endpoints of a store for its developers: webhooks, the request log and the checks. */
export interface BuildOperations {
  /**
   * List the endpoints, each with the time when it is turned off if its deliveries keep failing.
   */
  'webhooks.health': {
    method: 'GET'
    path: '/stores/{store_hash}/webhook-health'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The endpoints, oldest first. */
      endpoints: WebhookHealth[]
    }
  }
  /** Count the deliveries of the past 7 days by hour. */
  'webhooks.hours': {
    method: 'GET'
    path: '/stores/{store_hash}/webhook-hours'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The start of the first hour. */
      from: string
      /** The endpoints, oldest first. */
      endpoints: WebhookHours[]
    }
  }
  /** Get the header settings of an endpoint. */
  'webhooks.get_headers': {
    method: 'GET'
    path: '/stores/{store_hash}/webhooks/{id}/headers'
    params: {
      /** The id of the endpoint. */
      id: string
    }
    query?: undefined
    body?: undefined
    answer: { headers: WebhookHeaders }
  }
  /** Add the headers of Standard Webhooks to the attempts of an endpoint, or remove them. */
  'webhooks.set_headers': {
    method: 'PATCH'
    path: '/stores/{store_hash}/webhooks/{id}/headers'
    params: {
      /** The id of the endpoint. */
      id: string
    }
    query?: undefined
    body: WebhookHeaders
    answer: { headers: WebhookHeaders }
  }
  /** Get the last four characters of the secrets that sign the deliveries of an endpoint. */
  'webhooks.show_secret': {
    method: 'GET'
    path: '/stores/{store_hash}/webhooks/{id}/secret-end'
    params: {
      /** The id of the endpoint. */
      id: string
    }
    query?: undefined
    body?: undefined
    answer: { secret: ShownSecret }
  }
  /** Replace the secret of an endpoint. Only this response contains the new secret. */
  'webhooks.roll_secret': {
    method: 'POST'
    path: '/stores/{store_hash}/webhooks/{id}/roll-secret'
    params: {
      /** The id of the endpoint. */
      id: string
    }
    query?: undefined
    body: {
      /** `now`: the old secret stops signing. `overlap`: both secrets sign for 24 hours. */
      mode: 'now' | 'overlap'
    }
    answer: {
      webhook: Webhook
      /** The new secret, which signs every delivery from now on. Only this response contains it. */
      secret: string
      /** The time until which the old secret signs too; null if it no longer signs. */
      old_secret_until: string | null
    }
  }
  /** List the webhook deliveries of the events of one record, newest first. */
  'webhooks.object_deliveries': {
    method: 'GET'
    path: '/stores/{store_hash}/object-deliveries'
    params?: undefined
    query?: {
      /** The number of records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** The number of records to skip. Default `0`. */
      offset?: number
      /** The id of the record that the events are about. */
      object_id: string
    }
    body?: undefined
    answer: {
      /** A page of deliveries. */
      deliveries: ListedWebhookDelivery[]
      pagination: Pagination
    }
  }
  /** Show the requests of the attempts of a delivery, with their headers. */
  'webhooks.delivery_requests': {
    method: 'GET'
    path: '/stores/{store_hash}/events/deliveries/{id}/requests'
    params: {
      /** The id of the delivery. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The current URL of the endpoint. */
      url: string
      /** The signed body as text, which is the same for all attempts. */
      body: string
      /** The requests, one for each attempt, oldest first. */
      requests: AttemptRequest[]
    }
  }
  /** Explain the signature of a delivery, and why the data of a receiver does not match it. */
  'webhooks.explain_delivery': {
    method: 'POST'
    path: '/stores/{store_hash}/events/deliveries/{id}/explain'
    params: {
      /** The id of the delivery. */
      id: number
    }
    query?: undefined
    body?: {
      /**
       * The header `Service-Signature` that arrived, or that the receiver computed. Default: none;
       * it is then not compared.
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
    answer: {
      /** The computation of the header, line by line. */
      steps: string[]
      /** The problems of the received values. */
      findings: string[]
    }
  }
  /** List the events of the store, the newest first. */
  'webhooks.list_events': {
    method: 'GET'
    path: '/stores/{store_hash}/events'
    params?: undefined
    query?: {
      /** The number of records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** The `next_cursor` of the previous page. */
      cursor?: string
      /** Only events of this type. */
      type?: WebhookEventType
      /** Only events of this record. */
      object_id?: string
    }
    body?: undefined
    answer: {
      /** A page of events. */
      events: StoreEvent[]
      /** The `cursor` of the next page; null on the last page. */
      next_cursor: string | null
    }
  }
  /** Get an event with its payload. */
  'webhooks.get_event': {
    method: 'GET'
    path: '/stores/{store_hash}/events/{id}'
    params: {
      /** The id of the event. */
      id: string
    }
    query?: undefined
    body?: undefined
    answer: { event: StoreEventInFull }
  }
  /** Send an event to one endpoint now and wait for the response. */
  'webhooks.send_event': {
    method: 'POST'
    path: '/stores/{store_hash}/events/{id}/send'
    params: {
      /** The id of the event. */
      id: string
    }
    query?: undefined
    body: SendInput
    answer: { result: SendResult; delivery: WebhookDelivery }
  }
  /** Get a call with its bodies, in which secrets are masked. */
  'request_log.get': {
    method: 'GET'
    path: '/stores/{store_hash}/request-log/{id}'
    params: {
      /** The `x-request-id` of the call. */
      id: string
    }
    query?: undefined
    body?: undefined
    answer: { call: ApiCallInFull }
  }
  /** Repeat a call of a test side as the signed-in user. */
  'request_log.replay': {
    method: 'POST'
    path: '/stores/{store_hash}/request-log/{id}/replay'
    params: {
      /** The `x-request-id` of the call. */
      id: string
    }
    query?: undefined
    body?: undefined
    answer: { replay: ReplayedCall }
  }
  /** List the keys with their calls in the past 60 seconds and their limits. */
  'request_log.minute': {
    method: 'GET'
    path: '/stores/{store_hash}/calls-of-minute'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The key with the most calls first. */
      keys: KeyMinute[]
      /** The calls that you may make in the dashboard in 60 seconds. */
      dashboard_limit: number
    }
  }
  /** Get the results of the checks of this installation, at most a minute old. */
  'doctor.get': {
    method: 'GET'
    path: '/stores/{store_hash}/doctor'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** True while checks run. */
      running: boolean
      /** The end of the last run; null before the first. */
      checked_at: string | null
      /** False if a check found a fault. */
      ok: boolean
      /** The findings of the last run. */
      findings: DoctorFinding[]
    }
  }
}
