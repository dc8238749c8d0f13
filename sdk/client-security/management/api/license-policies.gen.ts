// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { CallOptions } from '../../../client/transport.ts'

/** Licenses of customers, and the policies that new ones follow. */
export interface LicensePoliciesApi {
  /**
   * Get the license policy of a variant.
   *
   * Needs the permission `client_security:read`.
   * @param id The record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ license_policy: LicensePolicy }>
  /**
   * Set the license policy of a variant. It applies to future sales.
   *
   * Needs the permission `client_security:write`.
   * @param id The record.
   * @throws {TradepostError} 404, 409, 422
   */
  set(id: number, body?: NewLicensePolicy, options?: CallOptions): Call<{
    license_policy: LicensePolicy
    /** The result of the action, for people. */
    message: string
  }>
}

/** The terms of the license keys that sales of a variant create. */
export interface LicensePolicy {
  /** The variant whose sales create keys. */
  variant_id: number
  /** Always `license_policy`. */
  object: 'license_policy'
  /** The app of the keys. */
  app_id: number
  /** The level, 0 to 1000. Strings, files and settings can require a minimum. */
  level: number
  /** The names of the features that the license includes. */
  entitlements: string[]
  /** How long the license is valid; null if it has no end. */
  duration_seconds: number | null
  /** The event that starts the duration. */
  expiry_basis: 'creation' | 'first_activation'
  /** The number of devices that may use the license; null for no limit. */
  max_devices: number | null
  /** The number of concurrent sessions; null for no limit. */
  max_sessions: number | null
  /** The number of device resets left; null for no limit. */
  device_resets_left: number | null
  /** The minimum time between two resets. */
  reset_cooldown_seconds: number
  /** How often the license holder may free a device within 30 days; null for no limit. */
  max_device_changes: number | null
  /** The prefix of each key, followed by a hyphen. */
  prefix: string | null
  /** When the policy was last changed. */
  updated_at: string
}

/** The terms of the license keys that future sales create. */
export interface NewLicensePolicy {
  /** The app; if omitted, the default app. */
  app_id?: number
  /** The prefix of each key, followed by a hyphen. */
  prefix?: string | null
  /** The level, 0 to 1000. Strings, files and settings can require a minimum. Default `0`. */
  level?: number
  /** The names of the features that the license includes. Default `[]`. */
  entitlements?: string[]
  /** How long the license is valid; null if it has no end. */
  duration_seconds?: number | null
  /** The event that starts the duration. Default `"creation"`. */
  expiry_basis?: 'creation' | 'first_activation'
  /** The number of devices that may use the license; null for no limit. */
  max_devices?: number | null
  /** The number of concurrent sessions; null for no limit. */
  max_sessions?: number | null
  /** The number of device resets left; null for no limit. */
  device_resets_left?: number | null
  /** The minimum time between two resets. Default `604800`. */
  reset_cooldown_seconds?: number
  /** How often the license holder may free a device within 30 days; null for no limit. */
  max_device_changes?: number | null
}
