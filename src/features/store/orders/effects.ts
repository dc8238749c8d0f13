import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { captureConversion, recordCommission, reverseCommission } from '../affiliates/index.ts'
import { followEnd, followPayment, followRefund, subscribe } from '../subscriptions/index.ts'
import type { OrderEffect, Refunded } from './order-effect.ts'
import type { NewOrder, StoredOrder } from './schema.ts'

/** The order was created. The detail is the body of the call. */
export const CREATED: readonly OrderEffect<NewOrder>[] = [subscribe]

/** The order became paid. If everything was delivered at once, it is completed already. */
export const PAID: readonly OrderEffect<void>[] = [followPayment, captureConversion]

/** The order became completed; after PAID if both happen in one transaction. */
export const COMPLETED: readonly OrderEffect<void>[] = [recordCommission]

/** A part of the payment, or all of it, went back. */
export const REFUNDED: readonly OrderEffect<Refunded>[] = [followRefund, reverseCommission]

/** The order expired or was cancelled before it was paid. */
export const ENDED: readonly OrderEffect<void>[] = [followEnd]

/** Runs the effects in their order, one after the other, and collects their events. */
export async function runEffects<Detail>(
  effects: readonly OrderEffect<Detail>[],
  tx: Tx,
  context: StoreContext,
  [order, detail]: [StoredOrder, Detail],
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const effect of effects) events.push(...(await effect(tx, context, order, detail)))
  return events
}
