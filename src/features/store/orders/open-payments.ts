import type { Tx } from '../../../db/database.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { OPEN_STATUSES } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { type OrderAmounts, owedCents } from './status.rules.ts'

/** A payment of all that is owed, which its provider is processing, stops the end of its order for so long (decision 455). */
const PROCESSING_MAX_DAYS = 7

export const processingUntil = (since: string): string =>
  iso(Date.parse(since) + PROCESSING_MAX_DAYS * DAY_MS)

/** Returns the time until which payments that are being processed stop the end of an order; undefined if none does. */
export function stoppedUntil(
  order: OrderAmounts,
  openPayments: readonly q.ProviderPayment[],
  now: string,
): string | undefined {
  const owed = owedCents(order)
  const ends = openPayments.flatMap(({ processing_since, amount_cents }) =>
    processing_since !== null && amount_cents >= owed ? processingUntil(processing_since) : [],
  )
  return ends
    .filter((end) => end > now)
    .sort()
    .at(-1)
}

const isOpen = (status: string): boolean => OPEN_STATUSES.some((open) => open === status)

/**
 * Has the providers end the open payments of an order that ended, or of which less is owed now, so that its buyer does
 * not pay too much. It happens after the commit, because no provider is called within a transaction.
 */
export async function endOpenPayments(
  tx: Tx,
  { store, now }: StoreContext,
  { id, payments }: Pick<Order, 'id' | 'payments'>,
): Promise<void> {
  if (payments.some(({ status }) => isOpen(status))) await q.requestEnd(tx, store.id, id, now)
}
