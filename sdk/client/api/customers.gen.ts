// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { BalanceEntry, Customer, PaymentMethod } from './customers-records.gen.ts'
import type { ListedOrder } from './orders-parts.gen.ts'
import type { CursorPagination, Order } from './orders-records.gen.ts'
import type { AffiliatePartner, BlocklistEntry, PageQuery, Pagination } from './shared.gen.ts'

/** Customers and their balances. */
export interface CustomersApi {
  /**
   * List the orders of a customer with their items, the newest first.
   *
   * Needs the permission `customers:read`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listOrders(id: number, query?: CustomersListOrdersQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: CursorPagination }, ListedOrder>
  /**
   * List the payment methods that a customer has saved at payment providers.
   *
   * A method is saved by a payment with `save_method`, and by the payment of an order that starts
   * or renews a subscription. Renewals charge the default one.
   *
   * Needs the permission `customers:read`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listPaymentMethods(id: number, options?: CallOptions): Call<{
    /** The methods, the newest first. */
    payment_methods: PaymentMethod[]
  }>
  /**
   * Delete a saved payment method, here and at its provider.
   *
   * Renewals then charge the newest other one of the provider, or wait to be paid.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @param paymentMethodId The id of the payment method.
   * @throws {TradepostError} `NOT_FOUND`, `PROVIDER_REFUSED`
   */
  deletePaymentMethod(id: number, paymentMethodId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted payment method. */
    id: number
  }>
  /**
   * List customers.
   *
   * `total` is exact up to 10,000; `has_more` is always exact.
   *
   * Needs the permission `customers:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: CustomersListQuery, options?: CallOptions): List<{ customers: Customer[]; pagination: CursorPagination }, Customer>
  /**
   * Create a customer.
   *
   * The first order with a new email address creates one too.
   *
   * Needs the permission `customers:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: CustomerInput, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Get a customer.
   *
   * Needs the permission `customers:read`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ customer: Customer }>
  /**
   * Update a customer. Absent fields keep their values; null clears a field.
   *
   * Existing orders keep the name and the country of the customer at the time of the order.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: CustomerPatch, options?: CallOptions): Call<{ customer: Customer }>
  /**
   * Credit or debit the balance of a customer.
   *
   * A debit that would take the balance below 0 is refused and changes nothing.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  changeBalance(id: number, body: BalanceChange, options?: PostOptions): Call<{
    /** The balance after the change, in minor units. */
    balance_cents: number
    balance_entry: BalanceEntry
  }>
  /**
   * List the changes of a customer's balance, the newest first.
   *
   * Needs the permission `customers:read`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listBalanceEntries(id: number, query?: CustomersListBalanceEntriesQuery, options?: CallOptions): List<{
    balance_entries: BalanceEntry[]
    pagination: Pagination
  }, BalanceEntry>
  /**
   * Merge a customer into another one and delete the merged customer.
   *
   * Orders, balance, balance entries, totals, coupon uses and a block move to the customer `into`.
   * The customer `into` keeps its name, country and metadata, and empty fields are filled from the
   * merged customer. Tags and notes are joined. The merged customer is deleted. Moved orders keep
   * their email address, and a later order with that address creates a new customer. A merge cannot
   * be undone.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  merge(id: number, body: CustomerMerge, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Export all data that the store has about a customer.
   *
   * The export contains delivered keys and texts. It therefore needs `customers:write` and is
   * audited. One `offset` pages both orders and balance entries; repeat the call with a higher
   * `offset` while `page.has_more` is true.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  export(id: number, query?: CustomersExportQuery, options?: CallOptions): Call<{
    customer: Customer
    /** Customers that were merged into this one. */
    merged_customers: {
      /** The id of the merged customer. */
      id: number
      /** The email address of the merged customer; null if it was erased. */
      email: string | null
      /** The name of the merged customer; null if it had none or was erased. */
      name: string | null
      /** The time when the customer was merged into this one. */
      merged_at: string
    }[]
    /** A page of complete orders, the newest first. */
    orders: Order[]
    /** A page of balance entries, the newest first. The page is the same as for orders. */
    balance_entries: BalanceEntry[]
    /** The blocklist entries of this customer. */
    blocklist_entries: BlocklistEntry[]
    /** The affiliate partners with an email address of the customer. */
    affiliate_partners: AffiliatePartner[]
    /** The latest 1,000 licenses. */
    licenses: {
      /** The id of the license key. The key itself is in the delivery of its order. */
      id: number
      /** The id of the order with which the license was bought; null if there is none. */
      order_id: string | null
      /** The email address to which the license was issued. */
      customer_email: string | null
      /** The note of the seller. */
      note: string | null
      /** Key-value pairs of the seller. */
      metadata: Record<string, string>
      /** The devices on which the license is used. */
      devices: {
        /** The name that the program reported. */
        name: string | null
        /** The operating system. */
        platform: string | null
        /** The time when the device was registered. */
        first_seen_at: string
        /** The time when the device was last used. */
        last_seen_at: string
      }[]
      /** The time when the license was first activated. */
      first_activated_at: string | null
      /** The time when the license was issued. */
      created_at: string
    }[]
    /** The saved payment methods, the newest first; at most 100. */
    payment_methods: PaymentMethod[]
    /** The latest 1,000 stock alerts. */
    stock_alerts: {
      /** The id of the stock alert. */
      id: number
      /** The product hash. */
      product_id: string
      /** The id of the variant; null for all variants of the product. */
      variant_id: number | null
      /** The email address to notify. */
      email: string
      /** The status: `pending`, `notified` or `unsubscribed`. */
      status: string
      /** The time when the notification was created; null if it was not. */
      notified_at: string | null
      /** The time when the stock alert was requested. */
      created_at: string
    }[]
    /** The latest 1,000 messages that are still stored. */
    messages: {
      /** The id of the message. */
      id: number
      /** The email address of the recipient. */
      recipient: string
      /** The status: `queued`, `sent`, `failed` or `kept`. */
      status: string
      /** The time when the message was created. */
      created_at: string
    }[]
    page: Pagination
  }>
  /**
   * Erase the personal data of a customer. Orders, totals, stock and licenses are not deleted.
   *
   * Removes the email address, name, addresses, notes and other texts of the customer from every
   * record, deletes their mail, stock alerts and blocklist entries, and cancels their subscriptions
   * with unpaid renewals. A later order with the same email address creates a new customer. The
   * erasure cannot be undone. A repeated call changes nothing and has the same `erased_at`.
   *
   * Needs the permission `customers:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  erase(id: number, options?: PostOptions): Call<{
    /** The id of the customer. */
    id: number
    /** The time when the customer's personal data was erased. */
    erased_at: string
    /** The number of subscriptions that this call cancelled; 0 for a repeated call. */
    cancelled_subscriptions: number
  }>
  /**
   * Block a customer from placing orders.
   *
   * Adds the email address to the blocklist and, with `block_ips`, the IP addresses of the latest
   * 1,000 orders. Existing orders are not changed.
   *
   * Needs the permission `blocklist:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  block(id: number, body?: CustomerBlock, options?: PostOptions): Call<{ customer: Customer }>
  /**
   * Allow a blocked customer to place orders again.
   *
   * Removes the email address from the blocklist. The IP addresses that the block added are removed
   * too, unless `block_ips` is true. Entries for a domain or a range are not removed and may still
   * match.
   *
   * Needs the permission `blocklist:write`.
   * @param id The id of the customer.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  unblock(id: number, body?: CustomerUnblock, options?: PostOptions): Call<{ customer: Customer }>
}

export interface BalanceChange {
  /** The change in minor units: above 0 credits the balance, below 0 debits it. 0 is refused. */
  amount_cents: number
  /** The reason why the balance changes. */
  reason: string
}

export interface CustomerBlock {
  /**
   * The reason for the block. It replaces the customer's note and is the reason of the new entries.
   */
  note?: string | null
  /** If true, the IP addresses of the customer's latest orders are blocked too. Default `false`. */
  block_ips?: boolean
}

export interface CustomerInput {
  /**
   * The email address, which is stored in lower case. No other customer of the store may have the
   * same address.
   */
  email: string
  /** The name of the customer. */
  name?: string | null
  /** The country of the customer, an ISO 3166-1 alpha-2 code. */
  country?: string | null
  /** A note that only the seller sees. */
  note?: string | null
  /** Labels of your own, at most 50. Repeated tags are removed. Default `[]`. */
  tags?: string[]
  /** True if the customer agreed to receive marketing. Default `false`. */
  marketing_opt_in?: boolean
  /** Key-value pairs of your own. They replace all existing pairs. Default `{}`. */
  metadata?: Record<string, string>
}

export interface CustomerMerge {
  /** The id of the customer into which the other one is merged. */
  into: number
}

export interface CustomerPatch extends Partial<Pick<
  Customer,
  'name' | 'country' | 'note' | 'marketing_opt_in'
>> {
  /**
   * The email address, which is stored in lower case. Orders keep the address with which they were
   * made, and their mail goes to this one.
   */
  email?: string
  /** Labels of your own, at most 50. Repeated tags are removed. */
  tags?: string[]
  /** Key-value pairs of your own. They replace all existing pairs. */
  metadata?: Record<string, string>
}

export interface CustomerUnblock {
  /** The reason for the unblocking. It replaces the customer's note. */
  note?: string | null
  /** If true, the IP addresses that the block added remain blocked. Default `false`. */
  block_ips?: boolean
}

export type CustomersExportQuery = PageQuery

export interface CustomersListBalanceEntriesQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
}

export interface CustomersListOrdersQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The number of records to skip. Not together with `cursor`. */
  offset?: number
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /**
   * The `next_cursor` of the previous page, with the same filters and sort. Unlike an offset, it
   * repeats and misses no record while others are created.
   */
  cursor?: string
}

export interface CustomersListQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The number of records to skip. Not together with `cursor`. */
  offset?: number
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /**
   * The `next_cursor` of the previous page, with the same filters and sort. Unlike an offset, it
   * repeats and misses no record while others are created.
   */
  cursor?: string
  /** The whole email address; case is ignored. */
  email?: string
  /** Only customers with one of these countries, as ISO 3166-1 alpha-2 codes. */
  country?: string[]
  /** `true` returns only blocked customers, `false` only others. */
  blocked?: boolean
  /** One tag, compared exactly. */
  tag?: string
  /** A part of the email or name; case is ignored. */
  search?: string
  /**
   * The field to sort by, with `-` for descending order. Equal values are sorted by id. Default
   * `"-created_at"`.
   */
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
