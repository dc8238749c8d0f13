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
      /** The oldest user first. */
      team: TeamMember[]
    }
  }
  /** Change the role of a user, on both sides of the store. */
  'team.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** User id. */
      id: number
    }
    query?: undefined
    body: {
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: { member: TeamMember }
  }
  /** Remove a user from the team of this store. */
  'team.remove': {
    method: 'DELETE'
    path: '/stores/{store_hash}/team/{id}'
    params: {
      /** User id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** User id. */
      id: number
      /** Always true. */
      deleted: true
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
      /** The oldest first. */
      invitations: TeamInvitation[]
    }
  }
  /** Invite a person by mail; a second invitation replaces the first. */
  'invitations.create': {
    method: 'POST'
    path: '/stores/{store_hash}/invitations'
    params?: undefined
    query?: undefined
    body: {
      email: string
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
    }
    answer: {
      invitation: TeamInvitation
      /** The link to hand over, shown once; null if it was mailed. */
      url: string | null
    }
  }
  /** Withdraw an invitation. */
  'invitations.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/invitations/{id}'
    params: {
      /** Invitation id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Invitation id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** List the API keys that open this store, the newest first. */
  'api_keys.list': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Revoked ones too. */
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
      /** `security` opens the Client Security API. Default `"store"`. */
      kind?: 'store' | 'security'
      /** The permissions of the key, such as `orders:read`. */
      permissions: string[]
      /** Addresses and CIDRs that may use the key; empty for all. Default `[]`. */
      allowed_ips?: string[]
      /** When the key expires; null for never. */
      expires_at?: string | null
    }
    answer: {
      api_key: ApiKey
      /** The key itself; it is not shown again. */
      key: string
    }
  }
  /** Rename a key, take permissions away, or change its addresses or its end. */
  'api_keys.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the key, for people. */
      name?: string
      /** The permissions of the key, such as `orders:read`. */
      permissions?: string[]
      /** Addresses and CIDRs that may use the key; empty for all. */
      allowed_ips?: string[]
      /** When the key expires; null for never. */
      expires_at?: string | null
    }
    answer: { api_key: ApiKey }
  }
  /** Replace a key by one with the same permissions. The new one is shown once. */
  'api_keys.roll': {
    method: 'POST'
    path: '/stores/{store_hash}/api-keys/{id}/roll'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body: {
      /** `now` ends the old key at once, `overlap` after 24 hours. */
      mode: 'now' | 'overlap'
    }
    answer: {
      api_key: ApiKey
      /** The key itself; it is not shown again. */
      key: string
    }
  }
  /** Revoke a key, for good. */
  'api_keys.revoke': {
    method: 'DELETE'
    path: '/stores/{store_hash}/api-keys/{id}'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { api_key: ApiKey }
  }
  /** See which operations a key called in the past 30 days. */
  'api_keys.usage': {
    method: 'GET'
    path: '/stores/{store_hash}/api-keys/{id}/usage'
    params: {
      /** Key id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { usage: ApiKeyUsage }
  }
}
