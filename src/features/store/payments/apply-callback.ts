import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  type ProviderPayment,
  selectPaymentByExternalId,
  selectProviderPayment,
} from '../orders/index.ts'
import { applyRecord, readRecord } from './apply-record.ts'
import * as q from './queries.ts'
import type { PaymentCallback } from './schema.ts'

/** A callback that names this store and no known payment is tried again for so long (decision 456). */
const TRIED_MS = DAY_MS

/** Applies a callback: asks its provider about the payment that it names. The callback itself is not believed. */
export async function applyCallback(context: StoreContext, callback: q.DueCallback): Promise<void> {
  const { db, now } = context
  const payment = await paymentOf(context, callback)
  if (!payment) {
    await q.updateCallback(db, callback, { ...withoutPayment(callback, now), now })
    return
  }
  const { order_id, id: payment_id } = payment
  try {
    // No transaction waits for the provider.
    const record = await readRecord(context, payment)
    await inTransaction(db, async (tx) => {
      await applyRecord({ ...context, db: tx }, payment, record)
      await q.updateCallback(tx, callback, { status: 'applied', order_id, payment_id, now })
    })
  } catch (error) {
    const status = isOld(callback, now) ? 'failed' : 'received'
    const text = 'The provider could not be asked, or its record could not be applied.'
    await q.updateCallback(db, callback, { status, error: text, order_id, payment_id, now })
    throw error
  }
}

function withoutPayment(callback: q.DueCallback, now: string) {
  if (!callback.names.names_store) return { status: 'ignored' } as const
  const error = 'The provider names this store, but no payment of it.'
  return { status: isOld(callback, now) ? 'failed' : 'received', error } as const
}

const isOld = ({ received_at }: q.DueCallback, now: string): boolean =>
  Date.parse(now) - Date.parse(received_at) >= TRIED_MS

/** Returns the payment that a callback is about, by the id that its metadata names or by ids at the provider. */
async function paymentOf(
  { db, store }: StoreContext,
  { provider, names }: q.DueCallback,
): Promise<ProviderPayment | undefined> {
  const { payment_id, external_ids } = names
  if (payment_id !== null) {
    const payment = await selectProviderPayment(db, store.id, payment_id)
    if (payment?.provider === provider) return payment
  }
  if (external_ids.length === 0) return undefined
  return selectPaymentByExternalId(db, store.id, { provider, external_ids })
}

/** Applies a callback again at the request of the seller. */
export async function applyAgain(context: StoreContext, id: number): Promise<PaymentCallback> {
  const { db, store, now } = context
  const callback = requireRecord(await q.claimCallback(db, store.id, id, now), 'Payment callback')
  await applyCallback(context, callback)
  return requireRecord(await q.selectCallback(db, store.id, id), 'Payment callback')
}
