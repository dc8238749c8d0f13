// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.

export type { ListedLicenseKey } from '../client-security/management/api/license-keys-records.gen.ts'
export type { ServersideFile } from '../client-security/management/api/serverside-files.gen.ts'

/** A backup that `tradepost backup` wrote. */
export type BackupRecord = {
  /** The name of the file, without its folder. */
  file: string
  /** The size of the file in bytes. */
  bytes: number
  /** The SHA-256 hash of the file, in hex. */
  sha256: string
  /** The time at which the backup was complete. */
  made_at: string
}

/** The former content to restore. */
export type FileRollback = {
  /** The version of a former content. */
  version: number
}

/** The content of a file at a version. */
export type FileVersion = {
  /** The version of the file; for a former content, the last version that had it. */
  version: number
  /** The name under which programs save the file. */
  filename: string
  /** The content type with which the file is served. */
  content_type: string
  /** The size in bytes. */
  size_bytes: number
  /** The SHA-256 of the bytes, in hex. */
  sha256: string
  /** The time at which the content was replaced; null for the current content. */
  replaced_at: string | null
  /** The API key that replaced the content; null for a user and for the current content. */
  actor_key_id: number | null
  /** The name of the user or the API key at that time; null if it is not known. */
  actor_name: string | null
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
  /** The app. */
  app_id: number
  /** True if the session has not ended and its lease has not expired. */
  live: boolean
  /** The last characters of the license key. */
  key_preview: string | null
  /** The name that the program sent. */
  device_name: string | null
  /** The operating system of the device. */
  device_platform: string | null
}

/** A dispute that the seller can still answer. */
export type OpenDispute = {
  /** The id of the order. */
  order_id: string
  /** The number of the order. */
  order_number: number
  /** The email address of the buyer. */
  customer_email: string
  /** The id of the payment. */
  payment_id: number
  /** The payment provider. */
  provider: string
  /** The reason, in the words of the provider. */
  reason: string | null
  /** The disputed amount in minor units. */
  amount_cents: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** The time until which the seller can answer. */
  due_at: string | null
}

/** A license key whose programs read a record. */
export type RecordReader = {
  /** The license key; null for a session without one. */
  key_id: number | null
  /** The last characters of the license key. */
  key_preview: string | null
  /** The device of the last read. */
  device_id: number | null
  /** The name of the device of the last read. */
  device_name: string | null
  /** The number of reads with this license key. */
  reads: number
  /** The time when the record was last read with this license key. */
  last_read_at: string
}

/** Filters of a list that a user saved. */
export type SavedView = {
  /** The id of the saved view. */
  id: number
  /** The page of the dashboard with the list, such as `orders`. */
  page: string
  /** The name of the view. */
  name: string
  /** The filters as the query of a URL, such as `status=paid`. */
  query: string
  /** The time at which the view was saved. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

/** The content of a string at a version. */
export type StringVersion = {
  /** The number of the version. */
  version: number
  /** The name by which programs read the string, unique in the app. */
  name: string
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions.
   */
  access: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. */
  min_level: number
  /** A note for the seller. */
  description: string | null
  /** Programs cannot read an inactive string. */
  status: 'active' | 'inactive'
  /** The value of this version. */
  value: string
  /** The time at which this version was saved. */
  created_at: string
}

/** The versions and parts of the installation. */
export type SystemInfo = {
  /** The version of Tradepost. */
  version: string
  /** The version of Node.js. */
  node: string
  /** The version of PostgreSQL. */
  postgres: string
  /** True if PostgreSQL runs inside of the process. */
  is_embedded: boolean
  /** The newest migration of the database. */
  schema_version: string
  /** Each part with its newest check. `receivers` are those of this store. */
  parts: SystemPart[]
}

/** A part of the installation, with its newest check. */
export type SystemPart = {
  /** The part of the installation. */
  name:
    | 'database'
    | 'disk'
    | 'clock'
    | 'storage'
    | 'mail'
    | 'certificate'
    | 'backup'
    | 'queue'
    | 'receivers'
  /**
   * `ok`, `warning` if something should be done soon, `failed` if something does not work, or `off`
   * if it is not configured.
   */
  state: 'ok' | 'warning' | 'failed' | 'off'
  /** The fault; null if there is none. */
  problem:
    | 'no_answer'
    | 'disk_full'
    | 'disk_low'
    | 'clock_differs'
    | 'mail_waits'
    | 'certificate_ended'
    | 'certificate_ends'
    | 'no_backup'
    | 'backup_old'
    | 'queue_late'
    | 'receivers_fail'
    | 'receivers_off'
    | null
  /** The figures of the check, such as `free_bytes` of the disk. */
  values: Record<string, number>
  /** The host, bucket or folder, without a user or a password; null if there is none. */
  target: string | null
  /** The reason why the check failed; null if it did not. */
  error: string | null
  /** The time when the check ended. */
  checked_at: string
}

/** The result of a test mail. */
export type TestMail = {
  /** The recipient: the address of the signed-in user. */
  to: string
  /** The sender: the address in `TRADEPOST_SMTP_URL`. */
  from: string
  /** True if the mail server accepted the mail. */
  sent: boolean
  /** The reason why the mail was not sent; null if it was sent. */
  error: string | null
}

/** Records that need action by the team, each kind counted up to 1,000. */
export type WaitingCounts = {
  /** The sum of `to_review`, `to_deliver` and `to_ship`. */
  orders: number
  /** Orders with a payment to review. */
  to_review: number
  /** Orders that are paid, not delivered and not on hold. */
  to_deliver: number
  /** Delivered orders with units to ship. */
  to_ship: number
  /** Payments with an open dispute. */
  disputes: number
  /** Open tickets that wait for an answer by the team. */
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
