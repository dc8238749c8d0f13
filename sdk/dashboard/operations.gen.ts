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
  /** When the key ends by itself. */
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
  /** The remedy; null where none is needed. */
  cure: string | null
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

/** An invitation that nobody has accepted yet. */
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

/** Records that wait for somebody, each kind counted up to 1,000. */
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
  /** Event types it hears of; `["*"]` means all. */
  events: SubscribedEvent[]
  /** True if events are sent to it. */
  enabled: boolean
  /** When it was turned off. */
  disabled_at: string | null
  /** `failures`: 40 in a row with no success in 3 days. */
  disabled_reason: 'manual' | 'failures' | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
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

/** The dashboard's own endpoints, below `/dashboard/api`. Answers have `success: true` too. */
export interface DashboardOperations {
  /** List your passkeys. */
  'passkeys.list': {
    method: 'GET'
    path: '/passkeys'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The oldest first; at most 20. */
      passkeys: Passkey[]
    }
  }
  /** Get what a browser needs to make a passkey; it has 5 minutes. */
  'passkeys.begin': {
    method: 'POST'
    path: '/passkeys/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
      options: unknown
    }
  }
  /** Add the passkey that the browser made. */
  'passkeys.create': {
    method: 'POST'
    path: '/passkeys'
    params?: undefined
    query?: undefined
    body: {
      /** The name of the passkey, such as the device. */
      name: string
      response: PasskeyRegistration
    }
    answer: { passkey: Passkey }
  }
  /** Rename a passkey. */
  'passkeys.update': {
    method: 'PATCH'
    path: '/passkeys/{id}'
    params: {
      /** Passkey id. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the passkey, such as the device. */
      name: string
    }
    answer: { passkey: Passkey }
  }
  /** Delete a passkey; it signs in no more. */
  'passkeys.delete': {
    method: 'DELETE'
    path: '/passkeys/{id}'
    params: {
      /** Passkey id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Passkey id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** Get a challenge for any passkey of this site; it is valid for 5 minutes. */
  'passkeys.begin_sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
      options: unknown
    }
  }
  /** Sign in with a passkey; no code is asked for. */
  'passkeys.sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in'
    params?: undefined
    query?: undefined
    body: { response: PasskeyAnswer }
    answer: { user: DashboardUser }
  }
  /** Get a challenge for your passkeys, for POST /step-up. */
  'passkeys.begin_step_up': {
    method: 'POST'
    path: '/step-up/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
      options: unknown
    }
  }
  /** Start a session and set its cookie. */
  'users.sign_in': {
    method: 'POST'
    path: '/sign-in'
    params?: undefined
    query?: undefined
    body: {
      email: string
      password: string
      /** Six digits of the authenticator app, or a recovery code. */
      code?: string
    }
    answer: { user: DashboardUser }
  }
  /** End this session. */
  'users.sign_out': {
    method: 'POST'
    path: '/sign-out'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: Record<string, never>
  }
  /** Get the signed-in user and the stores with a role. */
  'users.me': {
    method: 'GET'
    path: '/me'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      user: DashboardUser
      /** Both sides of each store. */
      stores: DashboardStore[]
      /** True for 10 minutes after a password was given. */
      stepped_up: boolean
    }
  }
  /** List the user's sessions, the newest first. */
  'users.list_sessions': {
    method: 'GET'
    path: '/sessions'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** At most 100. */
      sessions: DashboardSession[]
    }
  }
  /** End one of your sessions. */
  'users.end_session': {
    method: 'DELETE'
    path: '/sessions/{id}'
    params: {
      /** Session id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Session id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** Give the password or a passkey again; for 10 minutes keys and the team can be changed. */
  'users.step_up': {
    method: 'POST'
    path: '/step-up'
    params?: undefined
    query?: undefined
    body: { password?: string; passkey?: PasskeyAnswer }
    answer: Record<string, never>
  }
  /** Set or change your password; ends your other sessions. */
  'users.set_password': {
    method: 'POST'
    path: '/password'
    params?: undefined
    query?: undefined
    body: {
      password: string
      /** The password until now; left out if there is none, or after a reset link. */
      current_password?: string
    }
    answer: Record<string, never>
  }
  /** Mail a link for a new password; the answer is the same for every address. */
  'users.ask_reset': {
    method: 'POST'
    path: '/password-resets'
    params?: undefined
    query?: undefined
    body: { email: string }
    answer: Record<string, never>
  }
  /** Set a new password with the token of the mail, and sign in. */
  'users.confirm_reset': {
    method: 'POST'
    path: '/password-resets/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
      password: string
      /** Six digits of the authenticator app, or a recovery code. */
      code?: string
    }
    answer: Record<string, never>
  }
  /** Get a secret for an authenticator app; it counts after a code was confirmed. */
  'users.begin_totp': {
    method: 'POST'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The secret in base32, to type in. */
      secret: string
      /** The address for a QR code. */
      otpauth_url: string
    }
  }
  /** Switch codes on, and get the recovery codes, once. */
  'users.confirm_totp': {
    method: 'POST'
    path: '/totp/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** Six digits of the authenticator app, or a recovery code. */
      code: string
    }
    answer: {
      /** Each signs in once in place of a code. */
      recovery_codes: string[]
    }
  }
  /** Switch codes off; recovery codes end too. */
  'users.disable_totp': {
    method: 'DELETE'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: Record<string, never>
  }
  /** See what an invitation offers. */
  'users.find_invitation': {
    method: 'POST'
    path: '/invitations/find'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
    }
    answer: {
      /** The name of the store. */
      store: string
      /** The invited address. */
      email: string
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
      /** True if the address can sign in already. */
      has_account: boolean
    }
  }
  /** Accept an invitation: as a new user, or signed in as the invited one. */
  'users.accept_invitation': {
    method: 'POST'
    path: '/invitations/accept'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
      /** Your name; required if you have no account yet. */
      name?: string
      /** Required if you have no account yet. */
      password?: string
    }
    answer: {
      /** The id of the live side. */
      store_id: string
    }
  }
  /** List the users with a role in this store. */
  'team.list': {
    method: 'GET'
    path: '/stores/{store_hash}/team'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The oldest user first. */
      team: TeamMember[]
    }
  }
  /** Change the role of a user, on both sides of the store. */
  'team.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** User id. */
      id: number
    }
    query?: undefined
    body: {
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: { member: TeamMember }
  }
  /** Remove a user from the team of this store. */
  'team.remove': {
    method: 'DELETE'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** User id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** User id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** List the invitations that nobody has accepted yet. */
  'invitations.list': {
    method: 'GET'
    path: '/stores/{store_hash}/invitations'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The oldest first. */
      invitations: TeamInvitation[]
    }
  }
  /** Invite somebody by mail; a second invitation replaces the first. */
  'invitations.create': {
    method: 'POST'
    path: '/stores/{store_hash}/invitations'
    params?: undefined
    query?: undefined
    body: {
      email: string
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: {
      invitation: TeamInvitation
      /** The link to hand over, shown once; null if it was mailed. */
      url: string | null
    }
  }
  /** Withdraw an invitation. */
  'invitations.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/invitations/{id}'
    params: {
      /** Invitation id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Invitation id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** List the API keys that open this store, the newest first. */
  'api_keys.list': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Revoked ones too. */
      api_keys: ApiKey[]
    }
  }
  /** Create an API key for this store. It is shown once. */
  'api_keys.create': {
    method: 'POST'
    path: '/stores/{store_hash}/api-keys'
    params?: undefined
    query?: undefined
    body: {
      /** The name of the key, for people. */
      name: string
      /** `security` opens the Client Security API. Default `"store"`. */
      kind?: 'store' | 'security'
      /** The permissions of the key, such as `orders:read`. */
      permissions: string[]
      /** Addresses and CIDRs that may use the key; empty for all. Default `[]`. */
      allowed_ips?: string[]
      /** When the key ends by itself; null for never. */
      expires_at?: string | null
    }
    answer: {
      api_key: ApiKey
      /** The key itself; it is not shown again. */
      key: string
    }
  }
  /** Rename a key, take permissions away, or change its addresses or its end. */
  'api_keys.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the key, for people. */
      name?: string
      /** The permissions of the key, such as `orders:read`. */
      permissions?: string[]
      /** Addresses and CIDRs that may use the key; empty for all. */
      allowed_ips?: string[]
      /** When the key ends by itself; null for never. */
      expires_at?: string | null
    }
    answer: { api_key: ApiKey }
  }
  /** Replace a key by one with the same permissions. The new one is shown once. */
  'api_keys.roll': {
    method: 'POST'
    path: '/stores/{store_hash}/api-keys/{id}/roll'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body: {
      /** `now` ends the old key at once, `overlap` after 24 hours. */
      mode: 'now' | 'overlap'
    }
    answer: {
      api_key: ApiKey
      /** The key itself; it is not shown again. */
      key: string
    }
  }
  /** Revoke a key, for good. */
  'api_keys.revoke': {
    method: 'DELETE'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { api_key: ApiKey }
  }
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
  /** Count what waits for somebody. */
  'counts.get': {
    method: 'GET'
    path: '/stores/{store_hash}/counts'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: { counts: WaitingCounts }
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
  /** See which operations a key called in the past 30 days. */
  'api_keys.usage': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys/{id}/usage'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { usage: ApiKeyUsage }
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
  /** See what the checks of this installation found, at most a minute ago. */
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
