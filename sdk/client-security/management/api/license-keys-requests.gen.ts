// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { LicenseKey } from './license-keys-records.gen.ts'

/** Options of a device reset. */
export interface DeviceReset {
  /** True to ignore the cooldown and the reset limit. Default `false`. */
  force?: boolean
}

/** License keys that were generated elsewhere. */
export interface ImportedLicenseKeys {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The keys with their terms. All are imported or none. */
  keys: {
    /** The text of the key, exactly as the license holder enters it. */
    key: string
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
    /** The time when the license expires. Send this or a duration, not both. */
    expires_at?: string | null
    /** A note for the seller. */
    note?: string | null
    /** Custom JSON, up to 16 KiB, 64 keys and 4 levels. Default `{}`. */
    metadata?: Record<string, unknown>
    /** The hash of the product with which the license was sold. */
    product_id?: string | null
    /** The variant id. */
    variant_id?: number | null
    /** The order id. */
    invoice_id?: string | null
    /** The subscription that renews the license. */
    subscription_id?: number | null
    /** The email address of the license holder. */
    customer_email?: string | null
  }[]
}

/** A ban of a key. */
export interface LicenseBanInput {
  /** The reason, for the seller only. */
  reason: string
  /** The reason, as the license holder sees it. */
  public_reason?: string | null
  /** The time when the ban ends; null if it has no end. */
  expires_at?: string | null
  /** True to also ban the devices of the key until the key is unbanned. Default `false`. */
  ban_devices?: boolean
}

/** The extension of a license key. */
export interface LicenseExtension {
  /** The length of the extension. Default: none; send either `seconds` or `until`. */
  seconds?: number
  /** The new end. Default: none; send either `seconds` or `until`. */
  until?: string
  /**
   * The moment from which an expired key is extended: its `end`, or now (`now_if_expired`). Default
   * `"end"`.
   */
  from?: 'end' | 'now_if_expired'
}

/** A request for an offline license file. */
export interface LicenseFileInput {
  /** The id of a device of the key. Default: none; send either `device_id` or `fingerprint`. */
  device_id?: number
  /**
   * The fingerprint of a device of the key. Default: none; send either `device_id` or
   * `fingerprint`.
   */
  fingerprint?: string
  /** The validity of the file. Default `604800`. */
  ttl_seconds?: number
}

/** One action on many keys. */
export type LicenseKeyBatch = {
  /** The action. */
  action: 'ban'
  /** The ids of 1 to 1000 keys. The action applies to all of them or to none. */
  ids: number[]
  /** The reason, for the seller only. */
  reason: string
  /** The reason, as the license holder sees it. */
  public_reason?: string | null
  /** The time when the ban ends; null if it has no end. */
  expires_at?: string | null
  /** True to also ban the devices of the key until the key is unbanned. Default `false`. */
  ban_devices?: boolean
} | {
  /** The action. */
  action: 'unban'
  /** The ids of 1 to 1000 keys. The action applies to all of them or to none. */
  ids: number[]
} | {
  /** The action. */
  action: 'delete'
  /** The ids of 1 to 1000 keys. The action applies to all of them or to none. */
  ids: number[]
} | {
  /** The action. */
  action: 'extend'
  /** The ids of 1 to 1000 keys. The action applies to all of them or to none. */
  ids: number[]
  /** The length of the extension. Default: none; send either `seconds` or `until`. */
  seconds?: number
  /** The new end. Default: none; send either `seconds` or `until`. */
  until?: string
  /**
   * The moment from which an expired key is extended: its `end`, or now (`now_if_expired`). Default
   * `"end"`.
   */
  from?: 'end' | 'now_if_expired'
} | {
  /** The action. */
  action: 'reset'
  /** The ids of 1 to 1000 keys. The action applies to all of them or to none. */
  ids: number[]
  /** True to ignore the cooldown and the reset limit. Default `false`. */
  force?: boolean
}

/** Changes to a license key. */
export interface LicenseKeyPatch extends Partial<Pick<
  LicenseKey,
  'level' | 'entitlements' | 'max_devices' | 'max_sessions' | 'device_resets_left' |
    'reset_cooldown_seconds' | 'max_device_changes' | 'note' | 'metadata' | 'suspend_reason'
>> {
  /** The time when the license expires; null if it has no end. */
  expires_at?: string | null
  /** True if the key is suspended. Suspending the key ends its sessions. */
  suspended?: boolean
}

/** New license keys. */
export interface LicenseKeysInput {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The number of keys, 1 to 1000. All are created or none. Default `1`. */
  count?: number
  /** The prefix of each key, followed by a hyphen. Default: none. */
  prefix?: string
  /**
   * The format of the key; each * becomes a random symbol. Default: five groups of five symbols.
   */
  mask?: string
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
  /** The time when the license expires. Send this or a duration, not both. */
  expires_at?: string | null
  /** A note for the seller. */
  note?: string | null
  /** Custom JSON, up to 16 KiB, 64 keys and 4 levels. Default `{}`. */
  metadata?: Record<string, unknown>
  /** The hash of the product with which the license was sold. */
  product_id?: string | null
  /** The variant id. */
  variant_id?: number | null
  /** The order id. */
  invoice_id?: string | null
  /** The subscription that renews the license. */
  subscription_id?: number | null
  /** The email address of the license holder. */
  customer_email?: string | null
}

export interface LicenseKeysListDevicesQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
}

export interface LicenseKeysListQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
  /** Only keys of this app. */
  app_id?: number
  /** Only keys with one of these statuses: `banned`, `suspended`, `expired`, `unused`, `active`. */
  status?: ('banned' | 'suspended' | 'expired' | 'unused' | 'active')[]
  /** Only keys of this level. */
  level?: number
  /** Only keys of this product. */
  product_id?: string
  /** Only keys of this customer. */
  customer_email?: string
  /** Only the key with this text, as the license holder enters it. */
  key?: string
  /** Only keys created at or after this moment. */
  created_after?: string
  /** Only keys created before this moment. */
  created_before?: string
}

export interface LicenseKeysListSessionsQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
}
