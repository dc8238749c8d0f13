import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { Author, Awaiting, TicketStats, TicketStatus } from './schema.ts'

/** The maximum number of messages, because all messages are returned with their ticket. */
const MESSAGES_MAX = 500

/** The status of a ticket and the party whose answer is awaited. */
export interface TicketState {
  status: TicketStatus
  awaiting: Awaiting | null
}

export function checkOpen(status: TicketStatus, message_count: number): void {
  if (status === 'closed') {
    throw invalidState(
      status,
      'This ticket is closed. Reopen the ticket before you post a message.',
    )
  }
  if (message_count >= MESSAGES_MAX) {
    throw invalid('body', `A ticket has at most ${MESSAGES_MAX} messages. Open a new ticket.`)
  }
}

export function checkNextStatus(status: TicketStatus, next: TicketStatus): void {
  if (status === next) throw invalidState(status, `This ticket is ${status} already.`)
}

/** Returns the party whose answer is awaited after a message. */
export function awaitingAfter(author: Author, before: Awaiting | null): Awaiting | null {
  if (author === 'seller') return 'customer'
  return author === 'customer' ? 'seller' : before
}

export const isSameState = (state: TicketState, other: TicketState): boolean =>
  state.status === other.status && state.awaiting === other.awaiting

/** Returns the stats of a store from the number of tickets in each state. */
export function statsOf(rows: readonly (TicketState & { tickets: number })[]): TicketStats {
  const count = (matches: (row: TicketState) => boolean) =>
    rows.filter(matches).reduce((sum, row) => sum + row.tickets, 0)
  return {
    total: count(() => true),
    open: count((row) => row.status === 'open'),
    closed: count((row) => row.status === 'closed'),
    awaiting_seller: count((row) => row.awaiting === 'seller'),
    awaiting_customer: count((row) => row.awaiting === 'customer'),
  }
}
