// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.

/** A call of one of the APIs with an API key. */
export type ApiCall = {
  /** The `x-request-id` of the answer. */
  request_id: string
  /** When it was answered, by the machine's clock. */
  created_at: string
  /** `security` is the Client Security API. */
  api: 'store' | 'security'
  /** The HTTP method. */
  method: string
  /** The path and the query. Secrets are masked. */
  path: string
  /** Such as `orders.create`; null for an unknown path. */
  operation: string | null
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal, such as `NOT_FOUND`. */
  error_code: string | null
  /** How long the call took. */
  duration_ms: number
  /** The key that called. */
  api_key: {
    /** Key id. */
    id: number
    /** The name of the key. */
    name: string
    /** The last four characters. */
    last4: string
  }
  /** The IP address that called. */
  address: string
}

/** A call with its bodies. */
export type ApiCallInFull = {
  /** The `x-request-id` of the answer. */
  request_id: string
  /** When it was answered, by the machine's clock. */
  created_at: string
  /** `security` is the Client Security API. */
  api: 'store' | 'security'
  /** The HTTP method. */
  method: string
  /** The path and the query. Secrets are masked. */
  path: string
  /** Such as `orders.create`; null for an unknown path. */
  operation: string | null
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal, such as `NOT_FOUND`. */
  error_code: string | null
  /** How long the call took. */
  duration_ms: number
  /** The key that called. */
  api_key: {
    /** Key id. */
    id: number
    /** The name of the key. */
    name: string
    /** The last four characters. */
    last4: string
  }
  /** The IP address that called. */
  address: string
  /** The program that called, as it names itself. */
  user_agent: string
  /** True if the call had an Idempotency-Key. */
  idempotency_key: boolean
  request_body: LoggedBody
  response_body: LoggedBody
  /** True if POST …/replay can run it again. */
  replayable: boolean
  /** Why it cannot be run again. */
  why_not: string | null
}

/** An API key that opens this store, without its secret. */
export type ApiKey = {
  /** Key id; audit events name it. */
  id: number
  /** `security` opens the Client Security API. */
  kind: 'store' | 'security'
  /** The name of the key, for people. */
  name: string
  /** How the key begins, such as `sk_live_`. */
  prefix: string
  /** The last four characters. */
  last4: string
  /** The permissions of the key. */
  permissions: string[]
  /** Addresses that may use it; empty for all. */
  allowed_ips: string[]
  /** Calls a minute; 0 means no limit. */
  rate_limit: number
  /** False if it opens other stores; then it is read-only here. */
  only_this_store: boolean
  /** When the key expires. */
  expires_at: string | null
  /** The last call, to within a minute. */
  last_used_at: string | null
  /** When it was revoked. */
  revoked_at: string | null
  /** When it was created. */
  created_at: string
}

/** How an API key was used in the past 30 days. */
export type ApiKeyUsage = {
  /** Calls are counted from here on, at most 30 days. */
  since: string
  /** True if 30 days were counted. */
  complete: boolean
  /** The operations that were called, the most frequent first. */
  operations: {
    /** Such as `orders.create`. */
    operation: string
    /** The permission that it needs. */
    permission: string
    /** Calls in this time. */
    calls: number
    /** Calls that were answered with 4xx or 5xx. */
    refused: number
    /** The last call. */
    last_used_at: string
  }[]
  /** Permissions of the key that were used. */
  used_permissions: string[]
  /** Permissions of the key that were not used. */
  unused_permissions: string[]
}

/** A browser that is signed in. */
export type DashboardSession = {
  /** Session id. */
  id: number
  /** The address that signed in. */
  address: string
  /** The browser, as it names itself. */
  user_agent: string
  /** When the session began. */
  created_at: string
  /** The last call, to within 5 minutes. */
  seen_at: string
  /** True for the session of this call. */
  current: boolean
}

/** A store in which the user has a role. */
export type DashboardStore = {
  /** The id of this side of the store. */
  id: string
  /** The name that customers see. */
  name: string
  /** The short name; both sides share it. */
  slug: string
  /** True for the live side. */
  livemode: boolean
  /** The role; decision 136 lists what each may do. */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
}

/** A person who signs in to the dashboard. */
export type DashboardUser = {
  /** User id; audit events name it. */
  id: number
  /** The address that the user signs in with. */
  email: string
  /** The name that the team sees. */
  name: string
  /** False until the user has set a password. */
  has_password: boolean
  /** True if sign-in needs a code. */
  has_totp: boolean
}

/** The result of a check. */
export type DoctorFinding = {
  /** The name of the check. */
  check: string
  /** False for a fault. */
  ok: boolean
  /** False if the check took too long here; `doctor` runs it. */
  finished: boolean
  /** The promise, and how many rows break it. */
  detail: string
  /** The remedy; null if none is needed. */
  cure: string | null
}

/** A stock key with its product. */
export type FoundStockKey = {
  /** The id of the key. */
  id: number
  /** Always `stock_key`. */
  object: 'stock_key'
  /** The variant it is stock of. */
  variant_id: number
  /** The key; masked unless `reveal=true`. */
  value: string
  /** `reserved` is held back by the seller. */
  status: 'available' | 'reserved' | 'sold' | 'burned' | 'revoked'
  /** The order it was sold with. */
  order_id: string | null
  /** When it was sold. */
  sold_at: string | null
  /** When it was added. */
  created_at: string
  /** The product of the variant. */
  product_id: string
  /** Its name. */
  product_name: string
}

/** A client session with its license and device. */
export type ListedClientSession = {
  /** The session id. */
  id: number
  /** Always `session`. */
  object: 'session'
  /** The license key; null for a public session. */
  key_id: number | null
  /** The device id. */
  device_id: number | null
  /** The version that the program sent. */
  app_version: string | null
  /** When the session started. */
  started_at: string
  /** When the last heartbeat arrived. */
  last_heartbeat_at: string
  /** The session ends then unless a heartbeat arrives. */
  lease_expires_at: string
  /** The latest end of the session. */
  expires_at: string
  /** When the session ended. */
  ended_at: string | null
  /** Why the session ended. */
  ended_reason: string | null
  /** The app. */
  app_id: number
  /** True if the session has not ended and its lease runs. */
  live: boolean
  /** The end of the license key. */
  key_preview: string | null
  /** The name that the program sent. */
  device_name: string | null
  /** The operating system of the device. */
  device_platform: string | null
}

/** A webhook delivery. */
export type ListedWebhookDelivery = {
  /** The id of the delivery. */
  id: number
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** `delivering` while an attempt runs. */
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** How often it was tried. */
  attempts: number
  /** When it is tried next; null if never, or parked. */
  next_attempt_at: string | null
  /** The last status code of the receiver. */
  last_status_code: number | null
  /** `code: sentence` of the last failure; null on success. */
  last_error: string | null
  /** How long the last attempt took. */
  last_duration_ms: number | null
  /** The event. */
  event: {
    /** The event; receivers discard doubles by it. */
    id: string
    /** Its type. */
    type: string
    /** True if it is a sample. */
    test: boolean
    /** The record of the event. */
    object_id: string
  }
  /** The webhook endpoint. */
  webhook: {
    /** The endpoint. */
    id: string
    /** Its address now. */
    url: string
    /** A note on its purpose. */
    description: string | null
    /** True if it is gone. */
    deleted: boolean
  }
  /** When the event happened. */
  created_at: string
  /** When it was last tried or changed. */
  updated_at: string
  /** True if a value is hidden from this key. */
  payload_redacted: boolean
}

/** The body of a call or of an answer. */
export type LoggedBody = {
  /** The JSON with masked secrets; null if there is none. */
  content: unknown
  /** The length of the body. */
  bytes: number
  /** False for a body over 16 KB, a file, or text that is not JSON. */
  kept: boolean
}

/** The position of this page in the whole list. */
export type Pagination = {
  /** Records that match, on all pages. */
  total: number
  /** The page size that was used. */
  limit: number
  /** How many records were skipped. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
}

/** A passkey of the user, without its key. */
export type Passkey = {
  /** Passkey id. */
  id: number
  /** The name of the passkey, such as the device. */
  name: string
  /** True if it is copied to other devices of the user. */
  backed_up: boolean
  /** When it was added. */
  created_at: string
  /** The last sign-in or step-up with it. */
  last_used_at: string | null
}

/** The answer of `navigator.credentials.get`. */
export type PasskeyAnswer = {
  /** The id of the passkey. */
  id: string
  /** The same. */
  rawId: string
  /** Always `public-key`. */
  type: 'public-key'
  /** The proof. */
  response: {
    /** The signed data of the browser. */
    clientDataJSON: string
    /** The signed data of the authenticator. */
    authenticatorData: string
    /** The signature. */
    signature: string
    /** The user, as the passkey names it. */
    userHandle?: string
  }
}

/** The answer of `navigator.credentials.create`. */
export type PasskeyRegistration = {
  /** The id of the passkey. */
  id: string
  /** The same. */
  rawId: string
  /** Always `public-key`. */
  type: 'public-key'
  /** The new passkey. */
  response: {
    /** The signed data of the browser. */
    clientDataJSON: string
    /** The public key. */
    attestationObject: string
    /** How the browser reaches the passkey. Default `[]`. */
    transports?: string[]
  }
}

/** The answer to a call that was run again. */
export type ReplayedCall = {
  /** The `x-request-id` of the new call. */
  request_id: string
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal. */
  error_code: string | null
  /** How long the call took. */
  duration_ms: number
  response_body: LoggedBody
}

/** Filters of a list that a user keeps. */
export type SavedView = {
  /** View id. */
  id: number
  /** The page that it belongs to, such as `orders`. */
  page: string
  /** The name of the view. */
  name: string
  /** The filters as the query of a URL, such as `status=paid`. */
  query: string
  /** When it was saved. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** An event type, or `*` for all of them. */
export type SubscribedEvent = 'order.created' | 'order.completed' | 'order.partially_paid' | 'order.manual_review' | 'order.expired' | 'order.cancelled' | 'order.refunded' | 'product.out_of_stock' | 'product.restocked' | 'product.deleted' | 'review.created' | 'question.created' | 'question.answered' | 'customer.created' | 'withdrawal.completed' | 'affiliate.partner_applied' | 'affiliate.conversion' | 'affiliate.payout_requested' | 'affiliate.payout_sent' | '*'

/** An invitation that is not accepted yet. */
export type TeamInvitation = {
  /** Invitation id. */
  id: number
  /** The invited address. */
  email: string
  /** The role; decision 136 lists what each may do. */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
  /** The user who invited. */
  invited_by: number | null
  /** When it was written. */
  created_at: string
  /** After 7 days. */
  expires_at: string
}

/** A user with a role in this store. */
export type TeamMember = {
  /** User id. */
  id: number
  /** The address that the user signs in with. */
  email: string
  /** The name of the user. */
  name: string
  /** The role; decision 136 lists what each may do. */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
  /** When the user got a role in this store. */
  created_at: string
  /** The last call in a session that has not ended. */
  last_seen_at: string | null
}

/** Records that wait for a person, each kind counted up to 1,000. */
export type WaitingCounts = {
  /** Orders with a payment to review, paid but not delivered, or to be shipped. */
  orders: number
  /** Open tickets that wait for an answer of the team. */
  tickets: number
  /** Questions without an answer. */
  questions: number
  /** Returns that are requested, approved or received. */
  returns: number
  /** Payouts that partners requested. */
  payouts: number
  /** Webhook endpoints that fail, or were turned off for failures. */
  endpoints: number
}

/** The webhook endpoint. */
export type Webhook = {
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

/** The headers of the attempts of an endpoint. */
export type WebhookHeaders = {
  /** True if attempts have the headers of Standard Webhooks too. */
  standard_headers: boolean
}

/** When an endpoint is turned off if nothing succeeds. */
export type WebhookHealth = {
  /** The id of the endpoint. */
  id: string
  /** Attempts that failed since the last success. */
  failures_in_row: number
  /** Failures that are left before it can be turned off. */
  failures_left: number
  /** The last attempt that succeeded. */
  last_success_at: string | null
  /** 3 days after the last success; null without one. */
  not_before: string | null
  /** When it is turned off if all planned attempts fail; null if these do not suffice. */
  turns_off_at: string | null
}

/** Deliveries of an endpoint by hour, the oldest first. */
export type WebhookHours = {
  /** The id of the endpoint. */
  id: string
  /** Deliveries that succeeded, by hour. */
  succeeded: number[]
  /** Deliveries that were given up, by hour. */
  failed: number[]
}
