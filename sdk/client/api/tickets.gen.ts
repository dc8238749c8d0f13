// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Conversations with customers. */
export interface TicketsApi {
  /**
   * List support tickets, the newest first, with stats.
   *
   * `stats` counts all tickets of the store; filters do not change it.
   *
   * Needs the permission `tickets:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: TicketsListQuery, options?: CallOptions): List<{
    tickets: ListedTicket[]
    /** The number of tickets by where they stand. */
    stats: {
      /** All tickets. */
      total: number
      /** Open tickets. */
      open: number
      /** Closed tickets. */
      closed: number
      /** Open tickets that await the seller. */
      awaiting_seller: number
      /** Open tickets that await the customer. */
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
  create(body: NewTicket, options?: PostOptions): Call<{ ticket: Ticket }>
  /**
   * Get a ticket with its messages.
   *
   * Needs the permission `tickets:read`.
   * @param id The ticket.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ ticket: Ticket }>
  /**
   * Post a message on an open ticket.
   *
   * A message of the seller awaits the customer, one of the customer awaits the seller. Reopen a
   * closed ticket first. Sends no mail.
   *
   * Needs the permission `tickets:write`.
   * @param id The ticket.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  postMessage(id: number, body: NewTicketMessage, options?: PostOptions): Call<{ message: TicketMessage; ticket: Ticket }>
  /**
   * Close an open ticket.
   *
   * Needs the permission `tickets:write`.
   * @param id The ticket.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  close(id: number, options?: PostOptions): Call<{ ticket: Ticket }>
  /**
   * Open a closed ticket again.
   *
   * Needs the permission `tickets:write`.
   * @param id The ticket.
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
  /** The subject, one line. */
  subject: string
  /** A `closed` ticket takes no messages. */
  status: 'open' | 'closed'
  /** The side whose answer is awaited; null while the ticket is closed. */
  awaiting: 'seller' | 'customer' | null
  /** The customer who asks for help. */
  customer: {
    /** The customer with this address; null if there is none. */
    id: number | null
    /** In lower case. */
    email: string
  }
  /** The order that it is about. */
  order_id: string | null
  /** The number of messages. */
  message_count: number
  /** The time of the newest message. */
  last_message_at: string
  /** When it was closed; null while it is open. */
  closed_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface NewTicket {
  /** The e-mail address of the customer. */
  email: string
  /** The subject, one line. */
  subject: string
  /** The first message of the customer. */
  message: string
  /** The order that it is about. */
  order_id?: string | null
}

export interface NewTicketMessage {
  /** The text. */
  body: string
  /**
   * `seller` then awaits the customer, `customer` the seller; `system` changes nothing. Default
   * `"seller"`.
   */
  author?: 'seller' | 'customer' | 'system'
}

/** A support ticket. */
export interface Ticket extends ListedTicket {
  /** All messages, the oldest first. */
  messages: TicketMessage[]
}

/** A message of a ticket. */
export interface TicketMessage {
  /** The id of the message. */
  id: number
  /** `system` is a notice that needs no answer. */
  author: 'seller' | 'customer' | 'system'
  /** The text. */
  body: string
  /** The time of the message. */
  created_at: string
}

export interface TicketsListQuery extends PageQuery {
  /** `open`, `closed`. */
  status?: ('open' | 'closed')[]
  /** `seller`, `customer`. */
  awaiting?: ('seller' | 'customer')[]
  /** The e-mail address of the customer, whole. */
  email?: string
  /** The order. */
  order_id?: string
}
