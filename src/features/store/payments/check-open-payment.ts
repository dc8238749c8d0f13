import { setTimeout as wait } from 'node:timers/promises'
import type { StoreContext } from '../../../store-context.ts'
import { type Payment, selectProviderPayment } from '../orders/index.ts'
import { refreshPayment } from './apply-record.ts'

/**
 * Asks the provider about an open payment for its buyer, and applies the answer. Returns after `wait_ms` even if the
 * provider has not answered. Its failure is no concern of the buyer: the job asks again.
 */
export async function checkOpenPayment(
  context: StoreContext,
  { id }: Pick<Payment, 'id'>,
  wait_ms: number,
): Promise<void> {
  const payment = await selectProviderPayment(context.db, context.store.id, id)
  if (!payment?.external_id) return
  const answer = refreshPayment(context, payment).catch(() => {})
  const timer = new AbortController()
  const deadline = wait(wait_ms, undefined, { signal: timer.signal, ref: false }).catch(() => {})
  await Promise.race([answer, deadline])
  timer.abort()
}
