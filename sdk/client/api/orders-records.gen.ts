// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Delivery, ListedOrder, Payment, Refund } from './orders-parts.gen.ts'

/** The position of this page in the whole list, and the cursor of the next one. */
export interface CursorPagination {
  /** The number of matching records on all pages. */
  total: number
  /** The number of records on a page. */
  limit: number
  /** The number of skipped records. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null
}

/** The computation of the total of an order. */
export interface Explanation {
  /** The lines, whose sum is the total. */
  lines: {
    /** The name of the item, discount or charge. */
    label: string
    /** The amount that the line adds to the total, in minor units; negative for a discount. */
    amount_cents: number
    /** The computation of the amount, in words. */
    rule: string
  }[]
  /** The total of the order in minor units. */
  total_cents: number
}

/** An order with its payments, refunds, deliveries and history. */
export interface Order extends ListedOrder {
  /** All payments of the order. */
  payments: Payment[]
  /** All refunds of the order. */
  refunds: Refund[]
  /** All deliveries of the order. */
  deliveries: Delivery[]
  /** The statuses that the order has had, the oldest first. */
  status_history: {
    /** The new status. */
    status: string
    /** The time of the change. */
    at: string
    /** The reason, if one was sent. */
    reason: string | null
  }[]
  /**
   * The permanent refusal of the last mail about the order; null without one, after a later mail
   * was sent, and after the address of the customer has changed.
   */
  mail_problem: {
    /** The id of the message in the outbox. */
    message_id: number
    /** The time of the refusal. */
    at: string
    /** The answer of the mail server. */
    answer: string
  } | null
}
