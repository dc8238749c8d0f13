import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { NewMessage, Ticket, TicketMessage, TicketStatus } from './schema.ts'
import {
  awaitingAfter,
  checkNextStatus,
  checkOpen,
  isSameState,
  type TicketState,
} from './tickets.rules.ts'

/** Posts a message on an open ticket. */
export function postMessage(
  context: StoreContext,
  id: number,
  { body, author }: NewMessage,
): Promise<{ message: TicketMessage; ticket: Ticket }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockTicket(tx, store.id, id), 'Ticket')
    checkOpen(before.status, before.message_count)
    const after = { status: before.status, awaiting: awaitingAfter(author, before.awaiting) }
    const row = { ticket_id: id, author, body, awaiting: after.awaiting, now }
    const messageId = await q.insertMessage(tx, store.id, row)
    const ticket = await recordChange(tx, context, id, { before, after })
    const message = ticket.messages.find((item) => item.id === messageId)
    return { message: requireRecord(message, 'Message'), ticket }
  })
}

export const closeTicket = (context: StoreContext, id: number): Promise<Ticket> =>
  setStatus(context, id, 'closed')

/** Reopens a closed ticket. It awaits the recipient of the last message. */
export const reopenTicket = (context: StoreContext, id: number): Promise<Ticket> =>
  setStatus(context, id, 'open')

function setStatus(context: StoreContext, id: number, status: TicketStatus): Promise<Ticket> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockTicket(tx, store.id, id), 'Ticket')
    checkNextStatus(before.status, status)
    const awaiting = awaitingAfter(before.last_author ?? 'customer', null)
    const after = { status, awaiting: status === 'open' ? awaiting : null }
    await q.updateState(tx, store.id, id, { ...after, now })
    return recordChange(tx, context, id, { before, after })
  })
}

/** Updates the counts, sets the changes of the audit event, and returns the ticket. */
async function recordChange(
  tx: Tx,
  { store, audit }: StoreContext,
  id: number,
  { before, after }: { before: TicketState; after: TicketState },
): Promise<Ticket> {
  audit.reportChange(before, after)
  if (!isSameState(before, after)) {
    await q.addToTally(tx, store.id, [
      { ...after, delta: 1 },
      { status: before.status, awaiting: before.awaiting, delta: -1 },
    ])
  }
  return requireRecord(await q.selectTicket(tx, store.id, id), 'Ticket')
}
