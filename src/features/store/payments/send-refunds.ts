import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import {
  claimRequests,
  lockOrder,
  type RefundRequest,
  selectProviderPayment,
  updateRequest,
} from '../orders/index.ts'
import { providerNamed, type RefundRecord } from '../payment-providers/index.ts'
import { refreshPayment } from './apply-record.ts'
import { countConfirmed, failRequest } from './count-confirmed.ts'

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
    saves_method: false,
    saved_method: null,
    refunded_cents: request.payment_refunded_cents,
    provider_customer: null,
  }
  const provider = providerNamed(request.provider)
  const refund = { id, amount_cents, currency, external_id, payment }
  const record = await provider.refund(context, refund)
  await applyRefundRecord(context, request, record)
  if (record.status === 'failed') await readAgain(context, request)
}

/** A provider refuses a refund most often because the money went back in a way that is not known here yet. */
async function readAgain(
  context: StoreContext,
  { payment_id }: Pick<RefundRequest, 'payment_id'>,
): Promise<void> {
  const payment = await selectProviderPayment(context.db, context.store.id, payment_id)
  if (payment) await refreshPayment(context, payment)
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
    if (record.status === 'succeeded') await countConfirmed(tx, context, order, { id, external_id })
    else if (record.status === 'failed')
      await failRequest(tx, context, { id, external_id, failure: record.failure })
    else await updateRequest(tx, store.id, id, { external_id, failure: null })
  })
}
