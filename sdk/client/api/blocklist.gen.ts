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
   * `total` is exact up to 10,000; `has_more` is always right.
   *
   * Needs the permission `blocklist:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: BlocklistListQuery, options?: CallOptions): List<{
    blocklist_entries: BlocklistEntry[]
    pagination: Pagination
  }, BlocklistEntry>
  /**
   * Add an e-mail or IP address to the blocklist.
   *
   * An order of a matching customer, or from a matching address, is refused with
   * `CUSTOMER_BLOCKED`. Existing orders stay.
   *
   * Needs the permission `blocklist:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewBlocklistEntry, options?: PostOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Get a blocklist entry.
   *
   * Needs the permission `blocklist:read`.
   * @param id The blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Update a blocklist entry. Fields you leave out keep their value; null clears.
   *
   * Needs the permission `blocklist:write`.
   * @param id The blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: BlocklistEntryPatch, options?: CallOptions): Call<{ blocklist_entry: BlocklistEntry }>
  /**
   * Remove an entry from the blocklist.
   *
   * Needs the permission `blocklist:write`.
   * @param id The blocklist entry.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** Blocklist entry id. */
    id: number
  }>
}

export interface BlocklistEntryPatch {
  /** Another value of the same type. */
  value?: string
  /** The reason, for the seller. A refused customer does not see it. */
  reason?: string | null
}

export interface BlocklistListQuery extends PageQuery {
  /** `email`, `ip`. */
  type?: ('email' | 'ip')[]
  /** The whole value, in any form: `192.0.2.9/24` finds `192.0.2.0/24`. */
  value?: string
}

export interface NewBlocklistEntry {
  /** `email` or `ip`. */
  type: 'email' | 'ip'
  /**
   * An e-mail address, or `*@example.com` for all addresses of a domain; an IPv4 or IPv6 address,
   * or a range in CIDR notation. The answer shows its canonical form.
   */
  value: string
  /** The reason, for the seller. A refused customer does not see it. */
  reason?: string | null
}
