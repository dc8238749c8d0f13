// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Conversations with customers. */
export interface TicketsApi {
  /**
   * List support tickets with stats, by default the newest first.
   *
   * `stats` counts all tickets of the store. Filters do not change `stats`.
   *
   * Needs the permission `tickets:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: TicketsListQuery, options?: CallOptions): List<{
    tickets: ListedTicket[]
    /** The number of tickets by status. */
    stats: {
      /** The number of all tickets. */
      total: number
      /** The number of open tickets. */
      open: number
      /** The number of closed tickets. */
      closed: number
      /** The number of open tickets that await the seller. */
      awaiting_seller: number
      /** The number of open tickets that await the customer. */
      awaiting_customer: number
    }
    pagination: Pagination
  }, ListedTicket>
  /**
   * Open a support ticket for a customer.
   *
   * Needs the permission `tickets:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: TicketInput, options?: PostOptions): Call<{ ticket: Ticket }>
  /**
   * Get a ticket with its messages.
   *
   * Needs the permission `tickets:read`.
   * @param id The id of the ticket.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ ticket: Ticket }>
  /**
   * Post a message on an open ticket.
   *
   * After a message of the seller the ticket awaits the customer, and after a message of the
   * customer it awaits the seller. Reopen a closed ticket first. No email is sent.
   *
   * Needs the permission `tickets:write`.
   * @param id The id of the ticket.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  postMessage(id: number, body: TicketMessageInput, options?: PostOptions): Call<{ message: TicketMessage; ticket: Ticket }>
  /**
   * Close an open ticket.
   *
   * Needs the permission `tickets:write`.
   * @param id The id of the ticket.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  close(id: number, options?: PostOptions): Call<{ ticket: Ticket }>
  /**
   * Reopen a closed ticket.
   *
   * Needs the permission `tickets:write`.
   * @param id The id of the ticket.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  reopen(id: number, options?: PostOptions): Call<{ ticket: Ticket }>
}

/** A support ticket without its messages. */
export interface ListedTicket {
  /** The id of the ticket. */
  id: number
  /** Always `ticket`. */
  object: 'ticket'
  /** The subject, a single line. */
  subject: string
  /** The status. No messages can be posted on a `closed` ticket. */
  status: 'open' | 'closed'
  /** The party whose answer is awaited; null while the ticket is closed. */
  awaiting: 'seller' | 'customer' | null
  /** The customer who asks for help. */
  customer: {
    /** The id of the customer with this email address; null if there is none. */
    id: number | null
    /** The email address, in lower case. */
    email: string
  }
  /** The id of the order that the ticket is about; null if there is none. */
  order_id: string | null
  /** The number of messages. */
  message_count: number
  /** The time of the newest message. */
  last_message_at: string
  /** The time when the ticket was closed; null while it is open. */
  closed_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

/** A support ticket. */
export interface Ticket extends ListedTicket {
  /** All messages, the oldest first. */
  messages: TicketMessage[]
}

export interface TicketInput {
  /** The email address of the customer. */
  email: string
  /** The subject, a single line. */
  subject: string
  /** The first message of the customer. */
  message: string
  /** The id of the order that the ticket is about; null if there is none. */
  order_id?: string | null
}

/** A message of a ticket. */
export interface TicketMessage {
  /** The id of the message. */
  id: number
  /** The author. A message of `system` is a notice that needs no answer. */
  author: 'seller' | 'customer' | 'system'
  /** The text of the message. */
  body: string
  /** The time of the message. */
  created_at: string
}

export interface TicketMessageInput {
  /** The text of the message. */
  body: string
  /**
   * The author. After a message of `seller` the ticket awaits the customer, and after one of
   * `customer` the seller. Default `"seller"`.
   */
  author?: 'seller' | 'customer'
}

export interface TicketsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or both of `open` and `closed`. */
  status?: ('open' | 'closed')[]
  /** One or both of `seller` and `customer`. */
  awaiting?: ('seller' | 'customer')[]
  /** The full email address of the customer. */
  email?: string
  /** The id of the order. */
  order_id?: string
  /**
   * `-created_at` sorts the newest first. `waiting` sorts tickets that await the seller first, the
   * longest waiting first, and then all others, the newest message first. Default `"-created_at"`.
   */
  sort?: '-created_at' | 'waiting'
}
