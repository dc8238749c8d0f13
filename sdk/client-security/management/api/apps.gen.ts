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
  create(body: ClientAppInput, options?: PostOptions): Call<{
    app: ClientApp
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get an app.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ app: ClientApp }>
  /**
   * Update an app. Fields you leave out keep their value.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
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
   * @param id The id of the record.
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
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  listSigningKeys(id: number, options?: CallOptions): Call<{
    /** All signing keys of the app. */
    signing_keys: SigningKey[]
  }>
  /**
   * Create a new signing key. The old keys stay trusted for `overlap_seconds`.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  rotateSigningKey(id: number, body?: SigningKeyInput, options?: PostOptions): Call<{
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
  /** A `paused` app starts no sessions. Disabling an app also ends its live sessions. */
  status: 'active' | 'paused' | 'disabled'
  /** The oldest version that may start a session; null for any. */
  min_version: string | null
  /** The newest version of the program. */
  latest_version: string | null
  /** The URL at which users download the newest version. */
  download_url: string | null
  /** SHA-256 hashes of the programs that may start sessions; an empty list allows any program. */
  allowed_checksums: string[]
  /** The maximum duration of a session. */
  session_ttl_seconds: number
  /** The interval between heartbeats. */
  heartbeat_seconds: number
  /** The delay of a heartbeat after which the session ends. */
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
  /** The version of the remote settings. Every change increases it. */
  config_version: number
  /** The time when the record was created. */
  created_at: string
  /** The time when the record was last changed. */
  updated_at: string
}

/** A new app. */
export interface ClientAppInput {
  /** The name, unique in the store. */
  name: string
  /**
   * A `paused` app starts no sessions. Disabling an app also ends its live sessions. Default
   * `"active"`.
   */
  status?: 'active' | 'paused' | 'disabled'
  /** The oldest version that may start a session; null for any. */
  min_version?: string | null
  /** The newest version of the program. */
  latest_version?: string | null
  /** The URL at which users download the newest version. */
  download_url?: string | null
  /**
   * SHA-256 hashes of the programs that may start sessions; an empty list allows any program.
   * Default `[]`.
   */
  allowed_checksums?: string[]
  /** The maximum duration of a session. Default `21600`. */
  session_ttl_seconds?: number
  /** The interval between heartbeats. Default `300`. */
  heartbeat_seconds?: number
  /** The delay of a heartbeat after which the session ends. Default: twice `heartbeat_seconds`. */
  grace_seconds?: number
  /** Default `{"required":true,"match":"exact","key_required":false}`. */
  device_policy?: DevicePolicyInput
  /** True if sessions without a license key may start. Default `false`. */
  allow_public_session?: boolean
  /**
   * Rate limits of client programs. Default
   * `{"unknown_keys":30,"unknown_tokens":120,"session_starts":120,"validations":600,"session_calls":600}`.
   */
  rate_limits?: ClientRateLimitsInput
  /**
   * The action for each kind of report. It applies to the key or the device of the reporting
   * session. Default `{}`.
   */
  report_rules?: Record<string, 'log' | 'ban_device' | 'ban_key'>
}

/** Changes to an app. */
export interface ClientAppPatch extends Partial<Pick<
  ClientApp,
  'name' | 'status' | 'min_version' | 'latest_version' | 'download_url' | 'allowed_checksums' |
    'session_ttl_seconds' | 'heartbeat_seconds' | 'grace_seconds' | 'allow_public_session' |
    'report_rules'
>> {
  /** The rules for recognising devices. Fields that are left out keep their value. */
  device_policy?: {
    /** True if a session requires a device. */
    required?: boolean
    /**
     * The rule for recognising a device. `exact`: by its fingerprint alone. `most`, `two` and
     * `any`: also if most, two or any of its components are unchanged.
     */
    match?: 'exact' | 'most' | 'two' | 'any'
    /** True if a device must have a key pair, so that a copied fingerprint alone does not pass. */
    key_required?: boolean
  }
  /** Rate limits of client programs, per minute. Fields that are left out keep their value. */
  rate_limits?: {
    /** Calls with an unknown license key, from one address. */
    unknown_keys?: number | null
    /** Calls with an unknown session token, from one address. */
    unknown_tokens?: number | null
    /** Session starts from one address. */
    session_starts?: number | null
    /** Validations from one address. */
    validations?: number | null
    /** Calls of one session. */
    session_calls?: number | null
  }
}

/** Limits of calls per minute; null for no limit. */
export interface ClientRateLimits {
  /** Calls with an unknown license key, from one address. */
  unknown_keys: number | null
  /** Calls with an unknown session token, from one address. */
  unknown_tokens: number | null
  /** Session starts from one address. */
  session_starts: number | null
  /** Validations from one address. */
  validations: number | null
  /** Calls of one session. */
  session_calls: number | null
}

/** Limits of calls per minute; null for no limit. */
export interface ClientRateLimitsInput {
  /** Calls with an unknown license key, from one address. Default `30`. */
  unknown_keys?: number | null
  /** Calls with an unknown session token, from one address. Default `120`. */
  unknown_tokens?: number | null
  /** Session starts from one address. Default `120`. */
  session_starts?: number | null
  /** Validations from one address. Default `600`. */
  validations?: number | null
  /** Calls of one session. Default `600`. */
  session_calls?: number | null
}

/** The rules for recognising devices. */
export interface DevicePolicy {
  /** True if a session requires a device. */
  required: boolean
  /**
   * The rule for recognising a device. `exact`: by its fingerprint alone. `most`, `two` and `any`:
   * also if most, two or any of its components are unchanged.
   */
  match: 'exact' | 'most' | 'two' | 'any'
  /** True if a device must have a key pair, so that a copied fingerprint alone does not pass. */
  key_required: boolean
}

/** The rules for recognising devices. */
export interface DevicePolicyInput {
  /** True if a session requires a device. Default `true`. */
  required?: boolean
  /**
   * The rule for recognising a device. `exact`: by its fingerprint alone. `most`, `two` and `any`:
   * also if most, two or any of its components are unchanged. Default `"exact"`.
   */
  match?: 'exact' | 'most' | 'two' | 'any'
  /**
   * True if a device must have a key pair, so that a copied fingerprint alone does not pass.
   * Default `false`.
   */
  key_required?: boolean
}

/** The public half of a signing key. */
export interface SigningKey {
  /** The id of the signing key. */
  id: number
  /** Always `signing_key`. */
  object: 'signing_key'
  /** The app whose responses the key signs. */
  app_id: number
  /** The public key id. */
  kid: string
  /** Always `Ed25519`. */
  alg: 'Ed25519'
  /** The raw 32 bytes, base64url without padding. */
  public_key: string
  /** The moment from which the key signs. */
  not_before: string
  /** The moment until which programs trust the key; null if it has no end. */
  not_after: string | null
  /** The time when the record was created. */
  created_at: string
}

/** Options of a signing key rotation. */
export interface SigningKeyInput {
  /** The delay before the new key signs. Default `0`. */
  starts_in_seconds?: number
  /**
   * The time for which programs still trust the old keys after the new key starts. Use 0 if a key
   * has leaked. Default `7776000`.
   */
  overlap_seconds?: number
}
