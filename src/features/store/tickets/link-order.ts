import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkOrderExists } from './create-ticket.ts'
import * as q from './queries.ts'
import type { Ticket } from './schema.ts'

/** Sets the order that a ticket is about; null removes it. The ticket keeps the time since which it awaits an answer. */
export function linkOrder(
  context: StoreContext,
  id: number,
  orderId: string | null,
): Promise<Ticket> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    requireRecord(await q.lockTicket(tx, store.id, id), 'Ticket')
    const before = requireRecord(await q.selectTicket(tx, store.id, id), 'Ticket')
    await checkOrderExists(tx, store.id, orderId)
    await q.updateOrderId(tx, store.id, id, { order_id: orderId, updated_at: now })
    context.audit.reportChange({ order_id: before.order_id }, { order_id: orderId })
    return requireRecord(await q.selectTicket(tx, store.id, id), 'Ticket')
  })
}
