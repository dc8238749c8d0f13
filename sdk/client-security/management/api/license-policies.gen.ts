// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { CallOptions } from '../../../client/transport.ts'

/** License keys of customers, and the policies for new license keys. */
export interface LicensePoliciesApi {
  /**
   * Get the license policy of a variant.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the variant.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ license_policy: LicensePolicy }>
  /**
   * Set the license policy of a variant. It applies to future sales.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the variant.
   * @throws {TradepostError} 404, 409, 422
   */
  set(id: number, body?: LicensePolicyInput, options?: CallOptions): Call<{
    license_policy: LicensePolicy
    /** The result of the action, for people. */
    message: string
  }>
}

/** The terms of the license keys that sales of a variant create. */
export interface LicensePolicy {
  /** The variant. Each sale of it creates keys. */
  variant_id: number
  /** Always `license_policy`. */
  object: 'license_policy'
  /** The app of the keys. */
  app_id: number
  /** The level, 0 to 1000. Strings, files and settings can require a minimum. */
  level: number
  /** The names of the features that the license includes. */
  entitlements: string[]
  /** The duration of the license; null if it has no end. */
  duration_seconds: number | null
  /** The event that starts the duration. */
  expiry_basis: 'creation' | 'first_activation'
  /** The number of devices that may use the license; null for no limit. */
  max_devices: number | null
  /** The number of concurrent sessions; null for no limit. */
  max_sessions: number | null
  /** The number of device resets left; null for no limit. */
  device_resets_left: number | null
  /** The minimum time between two device resets. */
  reset_cooldown_seconds: number
  /** The number of devices that the license holder may free within 30 days; null for no limit. */
  max_device_changes: number | null
  /** The prefix of each key, followed by a hyphen. */
  prefix: string | null
  /** The time when the policy was last changed. */
  updated_at: string
}

/** The terms of the license keys that future sales create. */
export interface LicensePolicyInput {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The prefix of each key, followed by a hyphen. */
  prefix?: string | null
  /** The level, 0 to 1000. Strings, files and settings can require a minimum. Default `0`. */
  level?: number
  /** The names of the features that the license includes. Default `[]`. */
  entitlements?: string[]
  /** The duration of the license; null if it has no end. */
  duration_seconds?: number | null
  /** The event that starts the duration. Default `"creation"`. */
  expiry_basis?: 'creation' | 'first_activation'
  /** The number of devices that may use the license; null for no limit. */
  max_devices?: number | null
  /** The number of concurrent sessions; null for no limit. */
  max_sessions?: number | null
  /** The number of device resets left; null for no limit. */
  device_resets_left?: number | null
  /** The minimum time between two device resets. Default `604800`. */
  reset_cooldown_seconds?: number
  /** The number of devices that the license holder may free within 30 days; null for no limit. */
  max_device_changes?: number | null
}
