// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.

/** An API key of this store, without its secret. */
export type ApiKey = {
  /** The id of the key, as in audit events. */
  id: number
  /** `security` is for the Client Security API. */
  kind: 'store' | 'security'
  /** The name of the key, for people. */
  name: string
  /** The first characters of the key, such as `sk_live_`. */
  prefix: string
  /** The last four characters of the key. */
  last4: string
  /** The permissions of the key. */
  permissions: string[]
  /** Addresses that may use the key; empty for all. */
  allowed_ips: string[]
  /** The limit of calls a minute; 0 means no limit. */
  rate_limit: number
  /** False if the key is also valid for other stores. It then cannot be changed here. */
  only_this_store: boolean
  /** The time at which the key expires; null for never. */
  expires_at: string | null
  /** The time of the last call, to the minute. */
  last_used_at: string | null
  /** The time at which the key was revoked. */
  revoked_at: string | null
  /** The time at which the key was created. */
  created_at: string
}

/** The use of an API key in the past 30 days. */
export type ApiKeyUsage = {
  /** The start of the counted period, at most 30 days ago. */
  since: string
  /** True if 30 days were counted. */
  complete: boolean
  /** The operations that were called, the most frequent first. */
  operations: {
    /** The operation, such as `orders.create`. */
    operation: string
    /** The permission that the operation needs. */
    permission: string
    /** The number of calls in the period. */
    calls: number
    /** The number of calls that were answered with 4xx or 5xx. */
    refused: number
    /** The time of the last call. */
    last_used_at: string
  }[]
  /** Permissions of the key that were used. */
  used_permissions: string[]
  /** Permissions of the key that were not used. */
  unused_permissions: string[]
}

/** A browser that is signed in. */
export type DashboardSession = {
  /** The id of the session. */
  id: number
  /** The IP address from which the user signed in. */
  address: string
  /** The `User-Agent` header of the browser. */
  user_agent: string
  /** The time at which the session began. */
  created_at: string
  /** The time of the last call, within 5 minutes. */
  seen_at: string
  /** True for the session of this call. */
  current: boolean
}

/** A store in which the user has a role. */
export type DashboardStore = {
  /** The id of this side of the store. */
  id: string
  /** The name that is shown to customers. */
  name: string
  /** The name in URLs. Both sides have the same slug. */
  slug: string
  /** True for the live side. */
  livemode: boolean
  /** The IANA time zone in which the days of the store begin. */
  time_zone: string
  /**
   * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
   * changes orders and support; `viewer` only reads.
   */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
}

/** A person who signs in to the dashboard. */
export type DashboardUser = {
  /** The id of the user, as in audit events. */
  id: number
  /** The address that the user signs in with. */
  email: string
  /** The name that is shown to the team. */
  name: string
  /** False until the user has set a password. */
  has_password: boolean
  /** True if sign-in needs a code. */
  has_totp: boolean
}

/** A passkey of the user, without its key. */
export type Passkey = {
  /** The id of the passkey. */
  id: number
  /** The name of the passkey, such as the device. */
  name: string
  /** True if the passkey is synced to other devices. */
  backed_up: boolean
  /** The time at which the passkey was added. */
  created_at: string
  /** The time of the last sign-in or step-up with the passkey. */
  last_used_at: string | null
}

/** The answer of `navigator.credentials.get`. */
export type PasskeyAnswer = {
  /** The id of the passkey. */
  id: string
  /** The same as `id`. */
  rawId: string
  /** Always `public-key`. */
  type: 'public-key'
  /** The signed answer of the passkey. */
  response: {
    /** The signed data of the browser. */
    clientDataJSON: string
    /** The signed data of the authenticator. */
    authenticatorData: string
    /** The signature. */
    signature: string
    /** The id of the user in the passkey. */
    userHandle?: string
  }
}

/** The answer of `navigator.credentials.create`. */
export type PasskeyRegistration = {
  /** The id of the passkey. */
  id: string
  /** The same as `id`. */
  rawId: string
  /** Always `public-key`. */
  type: 'public-key'
  /** The signed data of the new passkey. */
  response: {
    /** The signed data of the browser. */
    clientDataJSON: string
    /** The public key of the passkey, as an attestation object. */
    attestationObject: string
    /** The connections to the passkey, such as `usb` or `internal`. Default `[]`. */
    transports?: string[]
  }
}

/** An invitation that is not accepted yet. */
export type TeamInvitation = {
  /** The id of the invitation. */
  id: number
  /** The invited address. */
  email: string
  /**
   * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
   * changes orders and support; `viewer` only reads.
   */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
  /** The id of the user who sent the invitation. */
  invited_by: number | null
  /** The time at which the invitation was created. */
  created_at: string
  /** The time of expiry, 7 days after the creation. */
  expires_at: string
}

/** A user with a role in this store. */
export type TeamMember = {
  /** The id of the user. */
  id: number
  /** The address that the user signs in with. */
  email: string
  /** The name of the user. */
  name: string
  /**
   * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
   * changes orders and support; `viewer` only reads.
   */
  role: 'owner' | 'admin' | 'staff' | 'viewer'
  /** The time at which the user got a role in this store. */
  created_at: string
  /** The time of the last call in a session that has not ended. */
  last_seen_at: string | null
}
