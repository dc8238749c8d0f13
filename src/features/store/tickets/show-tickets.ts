import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Ticket, TicketQuery } from './schema.ts'
import { statsOf } from './tickets.rules.ts'

export async function getTicket({ db, store }: StoreContext, id: number): Promise<Ticket> {
  return requireRecord(await q.selectTicket(db, store.id, id), 'Ticket')
}

/** Returns a page of tickets without their messages, and the stats of the store. */
export async function listTickets({ db, store }: StoreContext, query: TicketQuery) {
  const { records, total } = await q.selectTickets(db, store.id, query)
  const stats = statsOf(await q.selectTally(db, store.id))
  return { tickets: records, stats, pagination: pagination(query, total) }
}
