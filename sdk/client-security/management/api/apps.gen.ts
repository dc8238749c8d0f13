// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions } from '../../../client/transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Your programs, and the keys that sign the answers to them. */
export interface AppsApi {
  /**
   * List apps, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: AppsListQuery, options?: CallOptions): List<{ apps: ClientApp[]; pagination: Pagination }, ClientApp>
  /**
   * Create an app with its first signing key.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 409, 422
   */
  create(body: NewClientApp, options?: PostOptions): Call<{
    app: ClientApp
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get an app.
   *
   * Needs the permission `client_security:read`.
   * @param id The record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ app: ClientApp }>
  /**
   * Update an app. Fields you leave out keep their value.
   *
   * Needs the permission `client_security:write`.
   * @param id The record.
   * @throws {TradepostError} 404, 409, 422
   */
  update(id: number, body: ClientAppPatch, options?: CallOptions): Call<{
    app: ClientApp
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Delete an app with its strings and settings.
   *
   * Needs the permission `client_security:write`.
   * @param id The record.
   * @throws {TradepostError} 404, 409, 422
   */
  delete(id: number, options?: CallOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * List the public halves of an app's signing keys.
   *
   * Needs the permission `client_security:read`.
   * @param id The record.
   * @throws {TradepostError} 404
   */
  listSigningKeys(id: number, options?: CallOptions): Call<{
    /** All signing keys of the app. */
    signing_keys: SigningKey[]
  }>
  /**
   * Create a new signing key. The old keys stay trusted for a while.
   *
   * Needs the permission `client_security:write`.
   * @param id The record.
   * @throws {TradepostError} 404, 409, 422
   */
  rotateSigningKey(id: number, body?: NewSigningKey, options?: PostOptions): Call<{
    signing_key: SigningKey
    /** The result of the action, for people. */
    message: string
  }>
}

export type AppsListQuery = PageQuery

/** A program of the seller that is protected by licenses. */
export interface ClientApp {
  /** The app id. */
  id: number
  /** Always `client_app`. */
  object: 'client_app'
  /** The public id, which is built into the program. It is not a secret. */
  public_id: string
  /** True if calls without an `app_id` use this app. */
  is_default: boolean
  /** The name, unique in the store. */
  name: string
  /** A `paused` app starts no sessions; a `disabled` app also ends the live ones. */
  status: 'active' | 'paused' | 'disabled'
  /** Programs below it start no session. */
  min_version: string | null
  /** The newest program. */
  latest_version: string | null
  /** The URL of the newest program. */
  download_url: string | null
  /** SHA-256 of programs that may start sessions; none means any. */
  allowed_checksums: string[]
  /** The longest duration of a session. */
  session_ttl_seconds: number
  /** The interval between heartbeats. */
  heartbeat_seconds: number
  /** How late a heartbeat may be before the session ends. */
  grace_seconds: number
  device_policy: DevicePolicy
  /** True if sessions without a license key may start. */
  allow_public_session: boolean
  /** Rate limits of client programs. */
  rate_limits: ClientRateLimits
  /**
   * The action for each kind of report. It applies to the key or the device of the reporting
   * session.
   */
  report_rules: Record<string, 'log' | 'ban_device' | 'ban_key'>
  /** The version of the remote settings; raised by every change. */
  config_version: number
  /** When the record was created. */
  created_at: string
  /** When the record was last changed. */
  updated_at: string
}

/** Changes to an app. */
export interface ClientAppPatch extends Partial<Pick<
  ClientApp,
  'name' | 'status' | 'min_version' | 'latest_version' | 'download_url' | 'allowed_checksums' |
    'session_ttl_seconds' | 'heartbeat_seconds' | 'grace_seconds' | 'allow_public_session' |
    'report_rules'
>> {
  /** How devices are recognised. */
  device_policy?: {
    /** True if a session requires a device. */
    required?: boolean
    /**
     * How a device is recognised. `exact`: by its fingerprint; `most`, `two` or `any`: also by that
     * many unchanged components.
     */
    match?: 'exact' | 'most' | 'two' | 'any'
    /** True if a device must send a public key. A copied fingerprint alone is then not enough. */
    key_required?: boolean
  }
  /** Rate limits of client programs, per minute. */
  rate_limits?: {
    /** Unknown license keys from one address. */
    unknown_keys?: number | null
    /** Unknown session tokens from one address. */
    unknown_tokens?: number | null
    /** Starts of sessions from one address. */
    session_starts?: number | null
    /** Validations from one address. */
    validations?: number | null
    /** Calls of one session. */
    session_calls?: number | null
  }
}

/** Limits of calls per minute; null for no limit. */
export interface ClientRateLimits {
  /** Unknown license keys from one address. */
  unknown_keys: number | null
  /** Unknown session tokens from one address. */
  unknown_tokens: number | null
  /** Starts of sessions from one address. */
  session_starts: number | null
  /** Validations from one address. */
  validations: number | null
  /** Calls of one session. */
  session_calls: number | null
}

/** Limits of calls per minute; null for no limit. */
export interface ClientRateLimitsInput {
  /** Unknown license keys from one address. Default `30`. */
  unknown_keys?: number | null
  /** Unknown session tokens from one address. Default `120`. */
  unknown_tokens?: number | null
  /** Starts of sessions from one address. Default `120`. */
  session_starts?: number | null
  /** Validations from one address. Default `600`. */
  validations?: number | null
  /** Calls of one session. Default `600`. */
  session_calls?: number | null
}

/** How devices are recognised. */
export interface DevicePolicy {
  /** True if a session requires a device. */
  required: boolean
  /**
   * How a device is recognised. `exact`: by its fingerprint; `most`, `two` or `any`: also by that
   * many unchanged components.
   */
  match: 'exact' | 'most' | 'two' | 'any'
  /** True if a device must send a public key. A copied fingerprint alone is then not enough. */
  key_required: boolean
}

/** How devices are recognised. */
export interface DevicePolicyInput {
  /** True if a session requires a device. Default `true`. */
  required?: boolean
  /**
   * How a device is recognised. `exact`: by its fingerprint; `most`, `two` or `any`: also by that
   * many unchanged components. Default `"exact"`.
   */
  match?: 'exact' | 'most' | 'two' | 'any'
  /**
   * True if a device must send a public key. A copied fingerprint alone is then not enough. Default
   * `false`.
   */
  key_required?: boolean
}

/** A new app. */
export interface NewClientApp {
  /** The name, unique in the store. */
  name: string
  /**
   * A `paused` app starts no sessions; a `disabled` app also ends the live ones. Default
   * `"active"`.
   */
  status?: 'active' | 'paused' | 'disabled'
  /** Programs below it start no session. */
  min_version?: string | null
  /** The newest program. */
  latest_version?: string | null
  /** The URL of the newest program. */
  download_url?: string | null
  /** SHA-256 of programs that may start sessions; none means any. Default `[]`. */
  allowed_checksums?: string[]
  /** The longest duration of a session. Default `21600`. */
  session_ttl_seconds?: number
  /** The interval between heartbeats. Default `300`. */
  heartbeat_seconds?: number
  /** How late a heartbeat may be before the session ends; by default twice the heartbeat. */
  grace_seconds?: number
  /** Default `{}`. */
  device_policy?: DevicePolicyInput
  /** True if sessions without a license key may start. Default `false`. */
  allow_public_session?: boolean
  /** Rate limits of client programs. Default `{}`. */
  rate_limits?: ClientRateLimitsInput
  /**
   * The action for each kind of report. It applies to the key or the device of the reporting
   * session. Default `{}`.
   */
  report_rules?: Record<string, 'log' | 'ban_device' | 'ban_key'>
}

/** Options of a signing key rotation. */
export interface NewSigningKey {
  /** The delay before the new key signs. Default `0`. */
  starts_in_seconds?: number
  /** How long the old keys stay trusted after that. Use 0 for a leaked key. Default `7776000`. */
  overlap_seconds?: number
}

/** The public half of a signing key. */
export interface SigningKey {
  /** The id of the signing key. */
  id: number
  /** Always `signing_key`. */
  object: 'signing_key'
  /** The app whose answers the key signs. */
  app_id: number
  /** The public key id. */
  kid: string
  /** Always `Ed25519`. */
  alg: 'Ed25519'
  /** The raw 32 bytes, base64url without padding. */
  public_key: string
  /** The key signs from this moment on. */
  not_before: string
  /** Programs trust the key until this moment; null if it has no end. */
  not_after: string | null
  /** When the record was created. */
  created_at: string
}
