import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import {
  claimRequests,
  countRefund,
  deleteRequest,
  type LockedOrder,
  lockOrder,
  type RefundRequest,
  updateRequest,
} from '../orders/index.ts'
import { providerNamed, type RefundRecord } from '../payment-providers/index.ts'

/** An order has at most so many requests. */
const REQUESTS_MAX = 200

/** Asks the providers for the refunds of an order that they have not been asked for. */
export async function sendRefunds(context: StoreContext, orderId: string): Promise<void> {
  const { db, store } = context
  const now = iso(machineNow(context))
  const claim = { now, limit: REQUESTS_MAX, storeId: store.id, orderId }
  for (const request of await claimRequests(db, claim)) {
    // The job asks again, and logs why a provider cannot be asked.
    await sendRefund(context, request).catch(() => {})
  }
}

/** Asks a provider for a refund, and applies its answer. */
export async function sendRefund(context: StoreContext, request: RefundRequest): Promise<void> {
  const { id, order_id, amount_cents, currency, external_id } = request
  const payment = {
    id: request.payment_id,
    order_id,
    amount_cents: request.payment_cents,
    currency,
    external_id: request.payment_external_id,
  }
  const provider = providerNamed(request.provider)
  const refund = { id, amount_cents, currency, external_id, payment }
  await applyRefundRecord(context, request, await provider.refund(context, refund))
}

/** Applies the answer of a provider. The order is locked, so each refund counts once. */
function applyRefundRecord(
  context: StoreContext,
  { order_id, id }: Pick<RefundRequest, 'order_id' | 'id'>,
  record: RefundRecord,
): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
    const { external_id } = record
    if (record.status === 'succeeded') {
      await countConfirmed(tx, context, order, { id, external_id })
      return
    }
    const failure = record.status === 'failed' ? record.failure : null
    await updateRequest(tx, store.id, id, { external_id, failure })
  })
}

/** Counts a refund that its provider has confirmed. Returns false if it was counted or refused before. */
export async function countConfirmed(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  { id, external_id }: { id: number; external_id: string | null },
): Promise<boolean> {
  const request = await deleteRequest(tx, context.store.id, id)
  if (!request) return false
  await countRefund(tx, context, order, {
    ...request,
    external_id,
    source: 'seller',
    balance_cents: 0,
  })
  return true
}
