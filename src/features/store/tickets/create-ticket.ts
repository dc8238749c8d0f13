import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { storedEmail } from '../customers/index.ts'
import { orderExists } from '../orders/index.ts'
import * as q from './queries.ts'
import type { NewTicket, Ticket } from './schema.ts'

/** Creates a ticket for a customer. It awaits the seller. */
export function createTicket(context: StoreContext, body: NewTicket): Promise<Ticket> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    await checkOrderExists(tx, store.id, body.order_id)
    const email = await storedEmail(tx, store.id, body.email, { table: 'customer' })
    const id = await q.insertTicket(tx, store.id, { ...body, email, now })
    await q.addToTally(tx, store.id, [{ status: 'open', awaiting: 'seller', delta: 1 }])
    return requireRecord(await q.selectTicket(tx, store.id, id), 'Ticket')
  })
}

/** Refuses the id of an order that the store does not have. */
export async function checkOrderExists(
  tx: Tx,
  storeId: number,
  orderId: string | null,
): Promise<void> {
  if (orderId === null || (await orderExists(tx, storeId, orderId))) return
  throw unknownId('order_id', orderId, 'This store has no order')
}
