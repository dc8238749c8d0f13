// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { BlocklistEntry, PageQuery, Pagination } from './shared.gen.ts'

/** Addresses that cannot place orders. */
export interface BlocklistApi {
  /**
   * List blocklist entries, the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always exact.
   *
   * Needs the permission `blocklist:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: BlocklistListQuery, options?: CallOptions): List<{
    blocklist_entries: BlocklistEntry[]
    pagination: Pagination
  }, BlocklistEntry>
  /**
   * Add an email or IP address to the blocklist.
   *
   * An order of a matching customer, or from a matching address, is refused with
   * `CUSTOMER_BLOCKED`. Existing orders are not changed.
   *
   * Needs the permission `blocklist:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: BlocklistEntryInput, options?: PostOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Get a blocklist entry.
   *
   * Needs the permission `blocklist:read`.
   * @param id The id of the blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Update a blocklist entry. Absent fields keep their values; null clears a field.
   *
   * Needs the permission `blocklist:write`.
   * @param id The id of the blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: BlocklistEntryPatch, options?: CallOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Remove an entry from the blocklist.
   *
   * Needs the permission `blocklist:write`.
   * @param id The id of the blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted blocklist entry. */
    id: number
  }>
}

export interface BlocklistEntryInput {
  /** The type of the value: `email` or `ip`. */
  type: 'email' | 'ip'
  /**
   * An email address, or `*@example.com` for all addresses of a domain; an IPv4 or IPv6 address, or
   * a range in CIDR notation. The answer shows the canonical form.
   */
  value: string
  /** The reason, which only the seller sees. */
  reason?: string | null
}

export interface BlocklistEntryPatch {
  /** Another value of the same type. */
  value?: string
  /** The reason, which only the seller sees. */
  reason?: string | null
}

export interface BlocklistListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or both of `email` and `ip`. */
  type?: ('email' | 'ip')[]
  /** The whole value, in any notation: `192.0.2.9/24` finds `192.0.2.0/24`. */
  value?: string
}
