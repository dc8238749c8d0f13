import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Message, NewMessage, Status, Ticket } from './schema.ts'
import {
  awaitingAfter,
  checkOpen,
  checkStep,
  isSameStanding,
  type Standing,
} from './tickets.rules.ts'

/** Posts a message on an open ticket. */
export function postMessage(
  context: StoreContext,
  id: number,
  { body, author }: NewMessage,
): Promise<{ message: Message; ticket: Ticket }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockTicket(tx, store.id, id), 'Ticket')
    checkOpen(before.status, before.message_count)
    const after = { status: before.status, awaiting: awaitingAfter(author, before.awaiting) }
    const row = { ticket_id: id, author, body, awaiting: after.awaiting, now }
    const messageId = await q.insertMessage(tx, store.id, row)
    const ticket = await finish(tx, context, id, { before, after })
    const message = ticket.messages.find((item) => item.id === messageId)
    return { message: found(message, 'Message'), ticket }
  })
}

export const closeTicket = (context: StoreContext, id: number): Promise<Ticket> =>
  setStatus(context, id, 'closed')

/** Opens a closed ticket again. It awaits the recipient of the last message. */
export const reopenTicket = (context: StoreContext, id: number): Promise<Ticket> =>
  setStatus(context, id, 'open')

function setStatus(context: StoreContext, id: number, status: Status): Promise<Ticket> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockTicket(tx, store.id, id), 'Ticket')
    checkStep(before.status, status)
    const awaited = awaitingAfter(before.last_author ?? 'customer', null)
    const after = { status, awaiting: status === 'open' ? awaited : null }
    await q.updateStanding(tx, store.id, id, { ...after, now })
    return finish(tx, context, id, { before, after })
  })
}

/** Keeps the counts and the audit event right, and reads the ticket. */
async function finish(
  tx: Tx,
  { store, audit }: StoreContext,
  id: number,
  { before, after }: { before: Standing; after: Standing },
): Promise<Ticket> {
  audit.changed(before, after)
  if (!isSameStanding(before, after)) {
    await q.addToTally(tx, store.id, [
      { ...after, by: 1 },
      { status: before.status, awaiting: before.awaiting, by: -1 },
    ])
  }
  return found(await q.selectTicket(tx, store.id, id), 'Ticket')
}
