// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { ApiCall, ApiCallInFull, DoctorFinding, FoundStockKey, ListedClientSession, ListedWebhookDelivery, Pagination, ReplayedCall, SavedView, WaitingCounts, Webhook, WebhookHeaders, WebhookHealth, WebhookHours } from './records.gen.ts'

/** Endpoints of a store that only the dashboard has. */
export interface StoreOperations {
  /** See when endpoints are turned off if nothing succeeds. */
  'webhooks.health': {
    method: 'GET'
    path: '/stores/{store_hash}/webhook-health'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The oldest endpoint first. */
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
      /** The oldest endpoint first. */
      endpoints: WebhookHours[]
    }
  }
  /** See which headers the attempts of an endpoint have. */
  'webhooks.get_headers': {
    method: 'GET'
    path: '/stores/{store_hash}/webhooks/{id}/headers'
    params: {
      /** The endpoint. */
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
      /** The endpoint. */
      id: string
    }
    query?: undefined
    body: WebhookHeaders
    answer: { headers: WebhookHeaders }
  }
  /** Replace the secret of an endpoint. The new one is shown once. */
  'webhooks.roll_secret': {
    method: 'POST'
    path: '/stores/{store_hash}/webhooks/{id}/roll-secret'
    params: {
      /** The endpoint. */
      id: string
    }
    query?: undefined
    body: {
      /** `now` stops the old secret; with `overlap` both sign for 24 hours. */
      mode: 'now' | 'overlap'
    }
    answer: {
      webhook: Webhook
      /** Signs every delivery from now on; it is not shown again. */
      secret: string
      /** Until then the old secret signs too; null if it stopped. */
      old_secret_until: string | null
    }
  }
  /** List the webhook deliveries of the events of one record, newest first. */
  'webhooks.object_deliveries': {
    method: 'GET'
    path: '/stores/{store_hash}/object-deliveries'
    params?: undefined
    query?: {
      /** Records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** Records to skip. Default `0`. */
      offset?: number
      /** The record that the events report. */
      object_id: string
    }
    body?: undefined
    answer: {
      /** A page of the log. */
      deliveries: ListedWebhookDelivery[]
      pagination: Pagination
    }
  }
  /** Explain the signature of a delivery, and why the bytes of a receiver do not match it. */
  'webhooks.explain_delivery': {
    method: 'POST'
    path: '/stores/{store_hash}/events/deliveries/{id}/explain'
    params: {
      /** The delivery. */
      id: number
    }
    query?: undefined
    body?: {
      /** `Service-Signature` as it arrived, or as the receiver computed it. */
      header?: string
      /** The secret that the receiver verifies with. */
      secret?: string
      /** The body that the receiver verified. */
      body?: string
      /** The receiver's clock, in Unix seconds. */
      clock?: number
    }
    answer: {
      /** How the header comes about, line by line. */
      steps: string[]
      /** The faults of the received values. */
      findings: string[]
    }
  }
  /** Find a stock key in all variants by its whole text. */
  'stock.find_keys': {
    method: 'GET'
    path: '/stores/{store_hash}/stock-keys'
    params?: undefined
    query?: {
      /** The whole key. */
      value: string
    }
    body?: undefined
    answer: {
      /** The key in each variant that has it, the newest first. */
      keys: FoundStockKey[]
    }
  }
  /** List the client sessions of the store, those with the latest lease first. */
  'client_sessions.list': {
    method: 'GET'
    path: '/stores/{store_hash}/client-sessions'
    params?: undefined
    query?: {
      /** Records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
      /** `ended`: it was ended, or its lease ran out. */
      state?: 'live' | 'ended'
      /** Only sessions of this app. */
      app_id?: number
      /** Only sessions of this license key. */
      key_id?: number
      /** Only sessions of this device. */
      device_id?: number
    }
    body?: undefined
    answer: {
      /** A page of sessions. */
      sessions: ListedClientSession[]
      /** The next page; null at the end. */
      next_cursor: string | null
    }
  }
  /** Count the records that wait for a person. */
  'counts.get': {
    method: 'GET'
    path: '/stores/{store_hash}/counts'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      counts: WaitingCounts
      /** The store's clock; that of a test side can be moved. */
      store_time: string
    }
  }
  /** List calls with API keys, the newest first. */
  'request_log.list': {
    method: 'GET'
    path: '/stores/{store_hash}/request-log'
    params?: undefined
    query?: {
      /** Records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
      /** Only this status, such as `422`, or class, such as `4xx`. */
      status?: string
      /** Only this operation, such as `orders.create`. */
      operation?: string
      /** Only calls of this key. */
      api_key_id?: number
      /** Only the call with this id. */
      request_id?: string
    }
    body?: undefined
    answer: {
      /** A page of calls. */
      calls: ApiCall[]
      /** The next page; null at the end. */
      next_cursor: string | null
    }
  }
  /** Get a call with its bodies. Secrets are masked. */
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
  /** Run a call of a test side again, as yourself. */
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
  /** List your saved views in this store. */
  'saved_views.list': {
    method: 'GET'
    path: '/stores/{store_hash}/saved-views'
    params?: undefined
    query?: {
      /** Only views of this page. */
      page?: string
    }
    body?: undefined
    answer: {
      /** The oldest first; at most 50. */
      saved_views: SavedView[]
    }
  }
  /** Save the filters of a list under a name. */
  'saved_views.create': {
    method: 'POST'
    path: '/stores/{store_hash}/saved-views'
    params?: undefined
    query?: undefined
    body: {
      /** The page that it belongs to, such as `orders`. */
      page: string
      /** The name of the view. */
      name: string
      /** The filters as the query of a URL, such as `status=paid`. */
      query: string
    }
    answer: { saved_view: SavedView }
  }
  /** Rename a saved view, or change its filters. */
  'saved_views.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/saved-views/{id}'
    params: {
      /** View id. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the view. */
      name?: string
      /** The filters as the query of a URL, such as `status=paid`. */
      query?: string
    }
    answer: { saved_view: SavedView }
  }
  /** Delete a saved view. */
  'saved_views.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/saved-views/{id}'
    params: {
      /** View id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** View id. */
      id: number
      /** Always true. */
      deleted: true
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
      /** When the last run ended; null before the first. */
      checked_at: string | null
      /** False if a check found a fault. */
      ok: boolean
      /** The last result. */
      findings: DoctorFinding[]
    }
  }
}
