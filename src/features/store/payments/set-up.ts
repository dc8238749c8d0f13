import type { Db } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Payment } from '../orders/index.ts'
import { selectDefaults } from '../payment-methods/index.ts'
import { isSetUp, type Provider } from '../payment-providers/index.ts'
import { type NextRenewal, selectRenewalsOfOrder } from '../subscriptions/index.ts'

/** The fields of an order that tell whether a method can be saved with it. */
interface BegunOrder {
  id: string
  recurring: 'first' | 'renewal' | null
  total_cents: number
  customer: { id: number }
  payments: readonly Payment[]
}

/** Returns true if an order of nothing began a subscription. A method for its renewals can be saved with it (decision 176). */
export const beginsFree = ({
  recurring,
  total_cents,
}: Pick<BegunOrder, 'recurring' | 'total_cents'>): boolean =>
  recurring === 'first' && total_cents === 0

/** A renewal, and if its buyer can save a method for it, or has saved one with this order or with another. */
export interface SavingForRenewal {
  renewal: NextRenewal
  state: 'possible' | 'saved' | 'saved elsewhere'
}

/**
 * Tells what is saved for a renewal of an order that began free, by the method of a provider. One that was saved and then
 * deleted can be saved again.
 */
export async function savingFor(
  { store }: StoreContext,
  db: Db,
  { order, renewal, provider }: { order: BegunOrder; renewal: NextRenewal; provider: Provider },
): Promise<SavingForRenewal> {
  const customer = { provider: provider.name, customerIds: [order.customer.id] }
  if ((await selectDefaults(db, store.id, customer)).length === 0)
    return { renewal, state: 'possible' }
  const hasSaved = order.payments.some(
    (payment) =>
      payment.provider === provider.name && isSetUp(payment) && payment.status === 'succeeded',
  )
  return { renewal, state: hasSaved ? 'saved' : 'saved elsewhere' }
}

/** Refuses to save a method with an order if no renewal of it would be charged to the method, and a second time. */
export async function checkSetUp(
  context: StoreContext,
  db: Db,
  { status, ...order }: BegunOrder & { status: string },
  provider: Provider,
): Promise<void> {
  const renewals = await selectRenewalsOfOrder(db, context.store.id, order.id)
  const renewal = renewals.find(({ payment_method: method }) =>
    // One that renews manually will renew by the saved method.
    [provider.method, 'manual'].includes(method),
  )
  if (!renewal)
    throw invalidState(
      status,
      renewals.length === 0
        ? 'No subscription of this order waits for a renewal, so no payment method is saved for it.'
        : `The subscription of this order does not renew by ${provider.method}. Change its payment_method first.`,
    )
  if ((await savingFor(context, db, { order, renewal, provider })).state === 'saved')
    throw invalidState(
      status,
      'A payment method was saved with this order already. Delete it first to save another one.',
    )
}
