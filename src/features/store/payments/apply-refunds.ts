import { SYSTEM } from '../../../audit/origin.ts'
import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  adoptRefund,
  countRefund,
  lockOrder,
  type Payment,
  selectExternalRefunds,
  selectPayment,
  selectPendingCents,
} from '../orders/index.ts'
import type { ProviderRefund } from '../payment-providers/index.ts'
import { countConfirmed } from './count-confirmed.ts'
import { recordableCents } from './record.rules.ts'

/**
 * Counts the refunds in the record of a provider that do not count yet: those that we asked for, and those that were
 * made at the provider (decision 457). The order is locked.
 */
export async function applyRefunds(
  tx: Tx,
  context: StoreContext,
  payment: Pick<Payment, 'id' | 'order_id'>,
  refunds: readonly ProviderRefund[],
): Promise<void> {
  if (refunds.length === 0) return
  const { store } = context
  const { id: payment_id, order_id } = payment
  const knownIds = await selectExternalRefunds(tx, store.id, payment)
  for (const { refund_id: id, external_id, amount_cents } of refunds) {
    if (knownIds.includes(external_id)) continue
    const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
    if (id !== null && (await countConfirmed(tx, context, order, { id, external_id }))) continue
    if (await adoptRefund(tx, store.id, { order_id, payment_id, amount_cents, external_id }))
      continue
    const reason = { source: 'provider', external_id, amount_cents } as const
    await countOutside(tx, context, payment, reason)
  }
}

interface OutsideRefund {
  source: 'provider' | 'dispute'
  external_id: string
  amount_cents: number
}

/** Counts money that went back at the provider, as far as the order and the payment can still record it. */
export async function countOutside(
  tx: Tx,
  context: StoreContext,
  { id, order_id }: Pick<Payment, 'id' | 'order_id'>,
  outside: OutsideRefund,
): Promise<void> {
  const { store } = context
  const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
  const payment = requireRecord(await selectPayment(tx, store.id, order_id, id), 'Payment')
  const pendingCents = await selectPendingCents(tx, store.id, order_id)
  const amount_cents = recordableCents({ order, payment, pendingCents }, outside)
  if (amount_cents < 1) return
  await countRefund(tx, context, order, {
    ...outside,
    amount_cents,
    reason: 'other',
    note: null,
    restock: false,
    actor: SYSTEM.actor,
    payment_id: id,
    return_id: null,
    balance_cents: 0,
  })
}
