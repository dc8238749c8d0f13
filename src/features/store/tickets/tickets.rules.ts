import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { Author, Awaiting, Status, TicketStats } from './schema.ts'

/** Messages are read with their ticket. */
const MESSAGES_MAX = 500

/** The status of a ticket and the side that has to answer. Tickets of a store are counted by both. */
export interface Standing {
  status: Status
  awaiting: Awaiting | null
}

export function checkOpen(status: Status, message_count: number): void {
  if (status === 'closed') {
    throw invalidState(status, 'This ticket is closed; reopen it before you post a message.')
  }
  if (message_count >= MESSAGES_MAX) {
    throw invalid('body', `A ticket has at most ${MESSAGES_MAX} messages; open a new ticket.`)
  }
}

export function checkStep(status: Status, next: Status): void {
  if (status === next) throw invalidState(status, `This ticket is ${status} already.`)
}

/** Whose answer is awaited after a message. */
export function awaitingAfter(author: Author, before: Awaiting | null): Awaiting | null {
  if (author === 'seller') return 'customer'
  return author === 'customer' ? 'seller' : before
}

export const isSameStanding = (a: Standing, b: Standing): boolean =>
  a.status === b.status && a.awaiting === b.awaiting

/** The stats of a store, from the number of tickets for each standing. */
export function statsOf(rows: readonly (Standing & { tickets: number })[]): TicketStats {
  const count = (matches: (row: Standing) => boolean) =>
    rows.filter(matches).reduce((sum, row) => sum + row.tickets, 0)
  return {
    total: count(() => true),
    open: count((row) => row.status === 'open'),
    closed: count((row) => row.status === 'closed'),
    awaiting_seller: count((row) => row.awaiting === 'seller'),
    awaiting_customer: count((row) => row.awaiting === 'customer'),
  }
}
