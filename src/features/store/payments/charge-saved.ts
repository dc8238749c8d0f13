import { SYSTEM } from '../../../audit/origin.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { Refusal, requireRecord } from '../../../kernel/errors.ts'
import { PROVIDER_METHODS } from '../../../kernel/payment-methods.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findBlocked } from '../blocklist/index.ts'
import {
  insertPayments,
  isPayable,
  lockOrder,
  type ProviderPayment,
  selectOpenPayments,
  updateOpenPayment,
} from '../orders/index.ts'
import { selectDefaults } from '../payment-methods/index.ts'
import { type Provider, providerNamed, providerOfMethod } from '../payment-providers/index.ts'
import { isRenewalOnHold } from '../subscriptions/index.ts'
import { applyRecord } from './apply-record.ts'

/** An unpaid renewal. */
interface ChargedOrder {
  id: string
  customer_id: number
  currency: string
  /** The amount that is owed. */
  cents: number
  method: string | null
}

/**
 * Has the saved methods of customers charged for renewals. The payments are inserted in the transaction of
 * the renewal, and charged after it by the job that asks about payments, so that no provider is called in a transaction,
 * and a process that is killed charges once. Returns the ids of the charged orders; one whose customer has saved no method
 * waits to be paid.
 */
export async function requestCharges(
  tx: Tx,
  context: StoreContext,
  orders: readonly ChargedOrder[],
): Promise<string[]> {
  const chargedIds: string[] = []
  for (const method of PROVIDER_METHODS) {
    const provider = providerOfMethod(context.store, method)
    const ordersOfMethod = orders.filter((order) => order.method === method && order.cents > 0)
    if (provider?.chargeSaved && ordersOfMethod.length > 0)
      chargedIds.push(...(await insertCharges(tx, context, provider, ordersOfMethod)))
  }
  return chargedIds
}

async function insertCharges(
  tx: Tx,
  { store, now }: StoreContext,
  provider: Provider,
  orders: readonly ChargedOrder[],
): Promise<string[]> {
  const customerIds = orders.map(({ customer_id }) => customer_id)
  const methods = await selectDefaults(tx, store.id, { provider: provider.name, customerIds })
  const rows = orders.flatMap(({ id, customer_id, cents: amount_cents, currency }) => {
    const method = methods.find((item) => item.customer_id === customer_id)
    if (!method || !canCarry(provider, { amount_cents, currency })) return []
    const row = {
      order_id: id,
      kind: provider.method,
      status: 'pending',
      amount_cents,
      currency,
      provider: provider.name,
      saved_method: method.external_id,
      provider_customer: method.provider_customer,
      check_at: now,
      actor: SYSTEM.actor,
      created_at: now,
    } as const
    return [row]
  })
  await insertPayments(tx, store.id, rows)
  return rows.map(({ order_id }) => order_id)
}

/** Returns false for an amount that the provider refuses. Its order waits to be paid in another way. */
function canCarry(provider: Provider, amount: { amount_cents: number; currency: string }): boolean {
  try {
    provider.checkAmount(amount)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Returns true if a payment of an order is open: its buyer may be paying, or an earlier charge is not decided. */
export const isBeingPaid = async (
  tx: Tx,
  { store }: StoreContext,
  orderId: string,
): Promise<boolean> => (await selectOpenPayments(tx, store.id, orderId)).length > 0

/**
 * Returns true if a renewal may be charged now. It may not while it or its subscription is on hold, and if its customer is
 * blocked (decisions 458 and 177): the charge may have waited for the provider since it was due.
 */
export function mayBeCharged(
  { db, store }: StoreContext,
  { order_id }: Pick<ProviderPayment, 'order_id'>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
    if (!isPayable(order.status) || order.hold !== null) return false
    if (await isRenewalOnHold(tx, store.id, order_id)) return false
    return (await findBlocked(tx, store.id, [order.customer_id])).size === 0
  })
}

/** Charges a saved method, and applies the answer. A call that is repeated charges once. */
export async function chargeSaved(context: StoreContext, payment: ProviderPayment): Promise<void> {
  const { saved_method, provider_customer } = payment
  const provider = providerNamed(payment.provider)
  if (saved_method === null || !provider.chargeSaved)
    throw new Error(`The payment ${payment.id} has no saved method.`)
  const method = { external_id: saved_method, provider_customer }
  const { external_id, record } = await provider.chargeSaved(context, payment, method)
  if (external_id !== null)
    await updateOpenPayment(context.db, context.store.id, payment.id, { external_id })
  await applyRecord(context, payment, record)
}
