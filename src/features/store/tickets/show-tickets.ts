import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { ListedTicket, Ticket, TicketQuery, TicketStats } from './schema.ts'
import { statsOf } from './tickets.rules.ts'

export async function getTicket({ db, store }: StoreContext, id: number): Promise<Ticket> {
  return found(await q.selectTicket(db, store.id, id), 'Ticket')
}

/** A page of tickets without their messages, and the stats of the store. */
export async function listTickets(
  { db, store }: StoreContext,
  query: TicketQuery,
): Promise<{ tickets: ListedTicket[]; stats: TicketStats; pagination: Pagination }> {
  const { records, total } = await q.selectTickets(db, store.id, query)
  const stats = statsOf(await q.selectTally(db, store.id))
  return { tickets: records, stats, pagination: pagination(query, total) }
}
