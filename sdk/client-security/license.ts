/** Optional fields of a validation. */
export interface ValidateFields {
  /**
   * The name of the machine, its operating system, and its components if the app recognises devices by them. If
   * omitted, those of the last start or validation are sent.
   */
  device?: { name?: string; platform?: string; components?: Record<string, string> }
}

/** Optional fields of a session start. */
export interface StartFields extends ValidateFields {
  /** The version of the program, such as `1.4.2`. The app may refuse old versions. */
  app_version?: string | undefined
  /** The SHA-256 of the program in lower-case hex, if the app requires it. */
  app_checksum?: string | undefined
}

/** The server's signed answer about a license. */
export interface LicenseAnswer {
  valid: boolean
  code: string
  message: string
  session?: {
    token?: string
    expires_at: string
    heartbeat_seconds: number
    lease_expires_at: string
  }
  license?: { level: number; entitlements: string[]; expires_at: string | null }
  /** This machine, if it is activated for the license. */
  device?: { id: number; registered: boolean }
  /** The time of the server's clock. */
  server_time: string
  /** The time of the store's clock, by which licenses expire. */
  store_time: string
  config_version: number
}

/** A device of the license. */
export interface LicenseDevice {
  id: number
  name: string | null
  platform: string | null
  /** True if this is the device of the session. */
  current: boolean
  first_seen_at: string
  last_seen_at: string
}
