// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ListedOrder, Order } from './orders-records.gen.ts'
import type { AffiliatePartner, BlocklistEntry, PageQuery, Pagination } from './shared.gen.ts'

/** Customers, their balances and their access. */
export interface CustomersApi {
  /**
   * List the orders of a customer with their items, the newest first.
   *
   * Needs the permission `customers:read`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listOrders(id: number, query?: CustomersListOrdersQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: Pagination }, ListedOrder>
  /**
   * List customers.
   *
   * `total` is exact up to 10,000; `has_more` is always right.
   *
   * Needs the permission `customers:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: CustomersListQuery, options?: CallOptions): List<{ customers: Customer[]; pagination: Pagination }, Customer>
  /**
   * Create a customer.
   *
   * The first order with a new e-mail address creates one too.
   *
   * Needs the permission `customers:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewCustomer, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Get a customer.
   *
   * Needs the permission `customers:read`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ customer: Customer }>
  /**
   * Update a customer. Fields you leave out keep their value; null clears.
   *
   * Orders keep the name and the country that they were placed with.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: CustomerPatch, options?: CallOptions): Call<{ customer: Customer }>
  /**
   * Credit or debit the balance of a customer.
   *
   * A debit that would take the balance below 0 is refused and changes nothing.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  changeBalance(id: number, body: BalanceChange, options?: PostOptions): Call<{
    /** The balance after the change, minor units. */
    balance_cents: number
    balance_entry: BalanceEntry
  }>
  /**
   * List the changes of a customer's balance, the newest first.
   *
   * Needs the permission `customers:read`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listBalanceEntries(id: number, query?: CustomersListBalanceEntriesQuery, options?: CallOptions): List<{
    balance_entries: BalanceEntry[]
    pagination: Pagination
  }, BalanceEntry>
  /**
   * Merge a customer into another one, which stays.
   *
   * Orders, balance, balance entries, totals, coupon uses and a block move to the customer `into`.
   * Its own name, country and metadata win; empty ones are filled, tags and notes are joined. The
   * merged customer is deleted. Its orders keep their e-mail address, and a later order with that
   * address creates a new customer. It cannot be undone.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  merge(id: number, body: CustomerMerge, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Export everything that the store keeps about a customer.
   *
   * Shows delivered keys and texts, so it needs `customers:write` and is audited. Orders and
   * balance entries are paged together; repeat the call with a higher `offset` while
   * `page.has_more`.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  export(id: number, query?: CustomersExportQuery, options?: CallOptions): Call<{
    customer: Customer
    /** Customers that were merged into this one. */
    merged_customers: {
      /** Former customer id. */
      id: number
      /** Former address. */
      email: string | null
      /** Former name. */
      name: string | null
      /** When it was merged into this customer. */
      merged_at: string
    }[]
    /** A page of orders, whole, the newest first. */
    orders: Order[]
    /** The same page of balance entries, the newest first. */
    balance_entries: BalanceEntry[]
    /** Blocks of this customer. */
    blocklist_entries: BlocklistEntry[]
    /** The affiliate partners with an address of theirs. */
    affiliate_partners: AffiliatePartner[]
    /** The latest 1,000 licenses. */
    licenses: {
      /** License key id. The key itself is in the delivery of its order. */
      id: number
      /** The order that it was bought with. */
      order_id: string | null
      /** The address it was issued to. */
      customer_email: string | null
      /** The seller's note. */
      note: string | null
      /** Key-value pairs of the seller. */
      metadata: Record<string, string>
      /** Devices that use the license. */
      devices: {
        /** The name that the program reported. */
        name: string | null
        /** The operating system. */
        platform: string | null
        /** When it was registered. */
        first_seen_at: string
        /** When it was last used. */
        last_seen_at: string
      }[]
      /** When it was first activated. */
      first_activated_at: string | null
      /** When it was issued. */
      created_at: string
    }[]
    /** The latest 1,000 stock alerts. */
    stock_alerts: {
      /** Stock alert id. */
      id: number
      /** The product. */
      product_id: string
      /** The variant, if only one. */
      variant_id: number | null
      /** The address to notify. */
      email: string
      /** `pending`, `notified` or `unsubscribed`. */
      status: string
      /** When the mail was written. */
      notified_at: string | null
      /** When it was requested. */
      created_at: string
    }[]
    /** The latest 1,000 messages that are still stored. */
    messages: {
      /** Message id. */
      id: number
      /** The address it goes to. */
      recipient: string
      /** `queued`, `sent`, `failed` or `kept`. */
      status: string
      /** When it was written. */
      created_at: string
    }[]
    page: Pagination
  }>
  /**
   * Erase a person; orders, totals, stock and licenses stay.
   *
   * Removes the e-mail address, name, addresses, notes and other texts of the customer from every
   * record, and deletes their mail, stock alerts and blocklist entries. A later order with the same
   * e-mail address creates a new customer. It cannot be undone. Repeating the call changes nothing
   * and answers the same.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  erase(id: number, options?: PostOptions): Call<{
    /** Customer id. */
    id: number
    /** When the person was erased. */
    erased_at: string
  }>
  /**
   * Block a customer from placing orders.
   *
   * Adds the e-mail address to the blocklist and, with `block_ips`, the addresses of the latest
   * 1,000 orders. Existing orders stay.
   *
   * Needs the permission `blocklist:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  block(id: number, body?: CustomerBlock, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Let a blocked customer place orders again.
   *
   * Removes the e-mail address from the blocklist, and the IP addresses that the block added,
   * unless `block_ips`. Entries for a domain or a range stay and may still match.
   *
   * Needs the permission `blocklist:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  unblock(id: number, body?: CustomerUnblock, options?: PostOptions): Call<{ customer: Customer }>
}

export interface BalanceChange {
  /** Minor units: above 0 credits, below 0 debits. Not 0. */
  amount_cents: number
  /** Why the balance changes. */
  reason: string
}

/** A change of a customer's balance. */
export interface BalanceEntry {
  /** Balance entry id. */
  id: number
  /** Always `balance_entry`. */
  object: 'balance_entry'
  /** The id of the customer. */
  customer_id: number
  /** The change in minor units; below 0 if it was spent. */
  amount_cents: number
  /** The balance after the change. */
  balance_cents: number
  /** Why; `payment` and `refund` for money of an order. */
  reason: string
  /** The order that it belongs to. */
  order_id: string | null
  /** When the balance changed. */
  created_at: string
}

/** A customer of the store. */
export interface Customer {
  /** Customer id. */
  id: number
  /** Always `customer`. */
  object: 'customer'
  /** Lower case, unique in the store. */
  email: string
  /** The name to address. */
  name: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Store credit, minor units. Never below 0. */
  balance_cents: number
  /** ISO 4217, the currency of the store. */
  currency: string
  /** Orders that were paid in full, refunded ones included. */
  orders_count: number
  /** Payments less refunds of these orders, minor units. */
  total_spent_cents: number
  /** Spent per order, rounded; 0 without an order. */
  average_order_cents: number
  /** When the first order was paid. */
  first_order_at: string | null
  /** When the latest order was paid. */
  last_order_at: string | null
  /** True if the e-mail address is on the blocklist. */
  blocked: boolean
  /** Since when. */
  blocked_at: string | null
  /** For the seller; the customer never sees it. */
  note: string | null
  /** Labels of your own. */
  tags: string[]
  /** True if the customer agreed to receive marketing. */
  marketing_opt_in: boolean
  /** The affiliate partner that this customer is. */
  affiliate_partner_id: string | null
  /** Key-value pairs of your own. */
  metadata: Record<string, string>
  /** When the person was erased. */
  erased_at: string | null
  /** When the customer was created. */
  created_at: string
  /** When the customer last changed. */
  updated_at: string
}

export interface CustomerBlock {
  /** Why. Replaces the customer's note, and is the reason of the new entries. */
  note?: string | null
  /** True to block the IP addresses of the customer's past orders too. Default `false`. */
  block_ips?: boolean
}

export interface CustomerMerge {
  /** The customer that stays. */
  into: number
}

export interface CustomerPatch extends Partial<Pick<
  Customer,
  'name' | 'country' | 'note' | 'marketing_opt_in'
>> {
  /** Labels of your own, at most 50. A repeated tag counts once. */
  tags?: string[]
  /** Key-value pairs of your own; replaces all existing ones. */
  metadata?: Record<string, string>
}

export interface CustomerUnblock {
  /** Why. Replaces the customer's note. */
  note?: string | null
  /** True to keep the IP addresses blocked that the block added. Default `false`. */
  block_ips?: boolean
}

export type CustomersExportQuery = PageQuery

export type CustomersListBalanceEntriesQuery = PageQuery

export type CustomersListOrdersQuery = PageQuery

export interface CustomersListQuery extends PageQuery {
  /** The whole address, without case. */
  email?: string
  /** One or several codes of ISO 3166-1 alpha-2. */
  country?: string[]
  /** `true` or `false`. */
  blocked?: boolean
  /** One tag, exactly as it is written. */
  tag?: string
  /** Part of the email or name, without case. */
  search?: string
  /** A field, with `-` for descending; ties by id. Default `"-created_at"`. */
  sort?:
    | 'created_at'
    | '-created_at'
    | 'total_spent_cents'
    | '-total_spent_cents'
    | 'orders_count'
    | '-orders_count'
    | 'last_order_at'
    | '-last_order_at'
    | 'balance_cents'
    | '-balance_cents'
}

export interface NewCustomer {
  /** Kept in lower case; no other customer of the store may have it. */
  email: string
  /** The name to address. */
  name?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** For the seller; the customer never sees it. */
  note?: string | null
  /** Labels of your own, at most 50. A repeated tag counts once. */
  tags?: string[]
  /** True if the customer agreed to receive marketing. Default `false`. */
  marketing_opt_in?: boolean
  /** Key-value pairs of your own; replaces all existing ones. Default `{}`. */
  metadata?: Record<string, string>
}
