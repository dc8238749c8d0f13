import type { Db } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Payment } from '../orders/index.ts'
import { isSetUp } from '../payment-providers/index.ts'
import { type NextRenewal, selectRenewalOfOrder } from '../subscriptions/index.ts'

/** The fields of an order that tell whether a method can be saved with it. */
interface BegunOrder {
  id: string
  recurring: 'first' | 'renewal' | null
  total_cents: number
  payments: readonly Payment[]
}

/** Returns true if an order of nothing began a subscription. A method for its renewals can be saved with it (decision 176). */
export const beginsFree = ({
  recurring,
  total_cents,
}: Pick<BegunOrder, 'recurring' | 'total_cents'>): boolean =>
  recurring === 'first' && total_cents === 0

/** Returns the set-up that has saved a method with an order; undefined if there is none. */
const savedSetUp = ({ payments }: Pick<BegunOrder, 'payments'>): Payment | undefined =>
  payments.find(
    (payment) => payment.provider !== null && isSetUp(payment) && payment.status === 'succeeded',
  )

/**
 * Returns the next renewal that a method can be saved for with an order; undefined if there is none, or if a method was
 * saved.
 */
export async function renewalToSetUp(
  { store }: StoreContext,
  db: Db,
  order: BegunOrder,
): Promise<NextRenewal | undefined> {
  if (!beginsFree(order) || savedSetUp(order)) return undefined
  return selectRenewalOfOrder(db, store.id, order.id)
}

/** Returns true if a method was saved with an order whose subscription still renews. */
export const hasSavedForRenewals = async (
  { store }: StoreContext,
  db: Db,
  order: BegunOrder,
): Promise<boolean> =>
  savedSetUp(order) !== undefined &&
  (await selectRenewalOfOrder(db, store.id, order.id)) !== undefined

/** Refuses to save a method with an order if it has no subscription that renews, and a second time. */
export async function checkSetUp(
  context: StoreContext,
  db: Db,
  { status, ...order }: BegunOrder & { status: string },
): Promise<void> {
  if (savedSetUp(order))
    throw invalidState(
      status,
      'A payment method was saved with this order already. Save another one with its next renewal.',
    )
  if ((await renewalToSetUp(context, db, order)) === undefined)
    throw invalidState(
      status,
      'No subscription of this order renews, so no payment method is saved for it.',
    )
}
