import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { queueMail } from '../../installation/index.ts'
import * as q from './queries.ts'
import { STOP_PATH } from './schema.ts'

/**
 * Records that a product may be back in stock, or gone, in the transaction of the change; a job
 * does the rest (decision 109).
 */
export const markAlertsDue = (
  tx: Tx,
  { store }: StoreContext,
  productId: number,
  wait_s = 0,
): Promise<void> => q.insertDue(tx, store.id, productId, wait_s)

/** Mails a batch of the people who wait for a product, once each. Returns true if more wait. */
export async function notifyRestocked(
  tx: Tx,
  context: StoreContext,
  { name, ...waiting }: q.Waiting & { name: string },
): Promise<boolean> {
  const { store, now } = context
  const { emails, more } = await q.markNotified(tx, store.id, waiting, now)
  await queueMail(tx, context, {
    template: 'stock_alert',
    recipients: emails,
    subject: `${name} is in stock again`,
    text: [
      `${name} is in stock again at ${store.name}.`,
      'You get this one mail because you asked to be told.',
    ].join('\n\n'),
    stop: { path: STOP_PATH, text: 'If you want no more mail about stock from us:' },
  })
  return more
}

/** Removes a batch of sign-ups for variants that will not come back. Returns true if more wait. */
export async function endWaiting(
  tx: Tx,
  { store }: StoreContext,
  waiting: q.Waiting,
): Promise<boolean> {
  const { more } = await q.deleteWaiting(tx, store.id, waiting)
  return more
}
