// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { ApiKey, ApiKeyUsage, TeamInvitation, TeamMember } from './records.gen.ts'

/** Endpoints of a store for its team and its API keys. */
export interface AccessOperations {
  /** List the users with a role in this store. */
  'team.list': {
    method: 'GET'
    path: '/stores/{store_hash}/team'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The team, the oldest user first. */
      team: TeamMember[]
    }
  }
  /** Change the role of a user on both sides of the store. */
  'team.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** The id of the user. */
      id: number
    }
    query?: undefined
    body: {
      /**
       * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
       * changes orders and support; `viewer` only reads.
       */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: { member: TeamMember }
  }
  /** Remove a user from the team of this store. */
  'team.remove': {
    method: 'DELETE'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** The id of the user. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the user. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** List the invitations that are not accepted yet. */
  'invitations.list': {
    method: 'GET'
    path: '/stores/{store_hash}/invitations'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The open invitations, the oldest first. */
      invitations: TeamInvitation[]
    }
  }
  /** Invite a person by mail. An earlier invitation of the same address is replaced. */
  'invitations.create': {
    method: 'POST'
    path: '/stores/{store_hash}/invitations'
    params?: undefined
    query?: undefined
    body: {
      email: string
      /**
       * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
       * changes orders and support; `viewer` only reads.
       */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: {
      invitation: TeamInvitation
      /** The link to send to the person, shown once. Null if it was mailed. */
      url: string | null
    }
  }
  /** Withdraw an invitation. */
  'invitations.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/invitations/{id}'
    params: {
      /** The id of the invitation. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the invitation. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** List the API keys of this store, newest first. */
  'api_keys.list': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** All keys of the store, including revoked ones. */
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
      /** `security` is for the Client Security API. Default `"store"`. */
      kind?: 'store' | 'security'
      /** The permissions of the key, such as `orders:read`. */
      permissions: string[]
      /** IP addresses and CIDR ranges that may use the key; empty for all. Default `[]`. */
      allowed_ips?: string[]
      /** The time at which the key expires; null for never. */
      expires_at?: string | null
    }
    answer: {
      api_key: ApiKey
      /** The secret text of the key. It is not shown again. */
      key: string
    }
  }
  /** Rename a key, remove permissions, or change its allowed addresses or expiry. */
  'api_keys.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** The id of the key. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the key, for people. */
      name?: string
      /** The permissions of the key, such as `orders:read`. */
      permissions?: string[]
      /** IP addresses and CIDR ranges that may use the key; empty for all. */
      allowed_ips?: string[]
      /** The time at which the key expires; null for never. */
      expires_at?: string | null
    }
    answer: { api_key: ApiKey }
  }
  /** Replace a key with a new one that has the same permissions. The new key is shown once. */
  'api_keys.roll': {
    method: 'POST'
    path: '/stores/{store_hash}/api-keys/{id}/roll'
    params: {
      /** The id of the key. */
      id: number
    }
    query?: undefined
    body: {
      /** The end of the old key: at once (`now`), or after 24 hours (`overlap`). */
      mode: 'now' | 'overlap'
    }
    answer: {
      api_key: ApiKey
      /** The secret text of the key. It is not shown again. */
      key: string
    }
  }
  /** Revoke a key permanently. */
  'api_keys.revoke': {
    method: 'DELETE'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** The id of the key. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { api_key: ApiKey }
  }
  /** Get the operations that a key called in the past 30 days. */
  'api_keys.usage': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys/{id}/usage'
    params: {
      /** The id of the key. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { usage: ApiKeyUsage }
  }
}
