import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { NewTicket, Ticket } from './schema.ts'

/** Opens a ticket for a customer. It awaits the seller. */
export function createTicket(context: StoreContext, body: NewTicket): Promise<Ticket> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    if (body.order_id !== null && !(await q.orderExists(tx, store.id, body.order_id))) {
      throw invalid('order_id', 'The store has no order with this id.')
    }
    const id = await q.insertTicket(tx, store.id, { ...body, now })
    await q.addToTally(tx, store.id, [{ status: 'open', awaiting: 'seller', by: 1 }])
    return found(await q.selectTicket(tx, store.id, id), 'Ticket')
  })
}
