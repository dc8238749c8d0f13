// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Customers, their balances and their access. */
export interface CustomersApi {
  /**
   * List what changed the balance of a customer, the newest first.
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
   * Remove the person; orders, totals, stock and licenses stay.
   *
   * Removes the e-mail address, name, addresses, notes and other texts of the customer from every
   * record, and deletes their mail and stock alerts. A later order with the same e-mail address
   * makes a new customer. It cannot be undone. Repeating the call changes nothing and answers the
   * same.
   *
   * Needs the permission `customers:write`.
   * @param id The customer.
   * @throws {TradepostError} `NOT_FOUND`
   */
  erase(id: number, options?: PostOptions): Promise<{
    /** The customer. */
    id: number
    /** When the person was removed. */
    erased_at: string
  }>
}

/** A change of a customer's balance. */
export interface BalanceEntry {
  /** Of the entry. */
  id: number
  /** Always `balance_entry`. */
  object: 'balance_entry'
  /** Whose balance. */
  customer_id: number
  /** What came to it, or below 0 went from it. */
  amount_cents: number
  /** What it was then. */
  balance_cents: number
  /** Why; `refund` for money of an order. */
  reason: string
  /** The order that it is about. */
  order_id: string | null
  /** When. */
  created_at: string
}

export type CustomersListBalanceEntriesQuery = PageQuery
