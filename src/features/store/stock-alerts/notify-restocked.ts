import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { mailTextsIn, queueMail } from '../../installation/index.ts'
import * as q from './queries.ts'
import { STOP_PATH } from './schema.ts'

/**
 * Marks the sign-ups of a product as due. Called in the transaction of a change after which the product may
 * be in stock again or is deleted. A job processes the sign-ups after `delay_s` seconds (decision 109).
 */
export const markAlertsDue = (
  tx: Tx,
  { store }: StoreContext,
  productId: number,
  delay_s = 0,
): Promise<void> => q.markDue(tx, store.id, productId, delay_s)

/** Queues a mail for each address in a batch of pending sign-ups. Returns true if there are more. */
export async function notifyRestocked(
  tx: Tx,
  context: StoreContext,
  { name, ...selection }: q.AlertSelection & { name: string },
): Promise<boolean> {
  const { store, now } = context
  const { emails, hasMore } = await q.markNotified(tx, store.id, selection, now)
  await queueMail(tx, context, {
    template: 'stock_alert',
    recipients: emails,
    values: { items: [{ label: name }] },
    stop: { path: STOP_PATH, text: mailTextsIn(store.language).stopStockMail },
  })
  return hasMore
}

/** Deletes a batch of pending sign-ups for deleted variants. Returns true if there are more. */
export async function deletePendingAlerts(
  tx: Tx,
  { store }: StoreContext,
  selection: q.AlertSelection,
): Promise<boolean> {
  const { hasMore } = await q.deletePending(tx, store.id, selection)
  return hasMore
}
