// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.

/** A running program that uses a license key. */
export interface ClientSession {
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
  /** The time when the session started. */
  started_at: string
  /** The time when the last heartbeat arrived. */
  last_heartbeat_at: string
  /** The moment at which the session ends unless a heartbeat arrives before it. */
  lease_expires_at: string
  /** The moment at which the session ends even with heartbeats. */
  expires_at: string
  /** The time when the session ended. */
  ended_at: string | null
  /** The reason why the session ended. */
  ended_reason: string | null
}

/** A machine on which a license key is used. */
export interface Device {
  /** The device id. */
  id: number
  /** Always `device`. */
  object: 'device'
  /** The license key that the device uses. */
  key_id: number
  /** The keyed hash of the fingerprint. The fingerprint is not stored. */
  fingerprint_hash: string
  /** The components of the machine by name, as keyed hashes. */
  components: Record<string, string>
  /** SHA-256 of the public key of the device, base64url. */
  public_key_thumbprint: string | null
  /** The name that the program sent. */
  name: string | null
  /** The operating system. */
  platform: string | null
  /** A banned device cannot start a session. */
  status: 'active' | 'banned'
  /** The time when the device was activated. */
  first_seen_at: string
  /** The time when the device last started a session. */
  last_seen_at: string
}

/** A license key of a client program, with its text. */
export interface LicenseKey extends ListedLicenseKey {
  /** The text of the key, as the license holder enters it. */
  key: string
}

/** A license key without its text. */
export interface ListedLicenseKey {
  /** The key id. */
  id: number
  /** Always `license_key`. */
  object: 'license_key'
  /** The app id. */
  app_id: number
  /** The last 5 characters of the key. */
  key_preview: string
  /** The first status that applies, in the order of the enum. */
  status: 'banned' | 'suspended' | 'expired' | 'unused' | 'active'
  /** The reason of the ban, for the seller only. */
  ban_reason: string | null
  /** The reason of the ban, as the license holder sees it. */
  public_ban_reason: string | null
  /** The time when the key was banned. */
  banned_at: string | null
  /** The time when the ban ends; null if it has no end. */
  ban_expires_at: string | null
  /** The API key that banned the license key. */
  banned_by: number | null
  /** The time when the key was suspended. */
  suspended_at: string | null
  /** The reason of the suspension. */
  suspend_reason: string | null
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
  /** A note for the seller. */
  note: string | null
  /** Custom JSON, up to 16 KiB, 64 keys and 4 levels. */
  metadata: Record<string, unknown>
  /** The hash of the product with which the license was sold. */
  product_id: string | null
  /** The variant id. */
  variant_id: number | null
  /** The order id. */
  invoice_id: string | null
  /** The subscription that renews the license. */
  subscription_id: number | null
  /** The email address of the license holder. */
  customer_email: string | null
  /** The time when the license expires; null if it has no end or has not started. */
  expires_at: string | null
  /** The number of registered devices. */
  devices_count: number
  /** The time when the devices were last reset. */
  last_reset_at: string | null
  /** The time when the license was first activated. */
  first_activated_at: string | null
  /** The time when the license was last validated, to the minute. */
  last_validated_at: string | null
  /** The time when the key was created. */
  created_at: string
  /** The time when the key was last changed. */
  updated_at: string
}
