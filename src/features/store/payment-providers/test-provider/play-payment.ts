import { type Db, inTransaction, type Tx } from '../../../../db/database.ts'
import { requireRecord } from '../../../../kernel/errors.ts'
import type { StoreContext } from '../../../../store-context.ts'
import { callbackBody } from './callbacks.ts'
import {
  isDisputeAction,
  outsideRefundCents,
  play,
  playDispute,
  type TestAction,
} from './play.rules.ts'
import * as q from './queries.ts'

interface TestPlay {
  action: TestAction
  amount_cents?: number | undefined
  /** True if our record of the payment is final. */
  isReported: boolean
}

/** Acts as a buyer or a bank: changes a payment at the provider, and returns it with the text of its callback. */
export function playTestPayment(
  context: StoreContext,
  paymentId: number,
  { action, amount_cents, isReported }: TestPlay,
): Promise<{ payment: q.TestPayment; callback: string }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(
      await q.lockTestPayment(tx, store.id, paymentId, now),
      'Payment',
      paymentId,
    )
    if (action === 'refund_outside') {
      await refundOutside(tx, context, before, amount_cents)
      return { payment: before, callback: callbackBody(context, { ...before, status: 'refunded' }) }
    }
    if (isDisputeAction(action)) {
      const refunded_cents = await q.selectRefundedCents(tx, store.id, paymentId)
      const facts = { payment: before, refunded_cents, amount_cents, now }
      await q.updateDispute(tx, before, playDispute(action, facts))
      return { payment: before, callback: callbackBody(context, { ...before, status: 'disputed' }) }
    }
    // The callback of an earlier action was lost, so it is sent again.
    if (before.status === 'paid' && !isReported)
      return { payment: before, callback: callbackBody(context, before) }
    const payment = await q.updateTestPayment(tx, before, play(before, action, amount_cents))
    return { payment, callback: callbackBody(context, payment) }
  })
}

/** Returns money to the buyer as a seller does on the pages of a provider. */
async function refundOutside(
  tx: Tx,
  { store, now }: StoreContext,
  payment: q.TestPayment,
  requestedCents: number | undefined,
): Promise<void> {
  const { payment_id } = payment
  const refundedCents = await q.selectRefundedCents(tx, store.id, payment_id)
  const amount_cents = outsideRefundCents(payment, refundedCents, requestedCents)
  await q.insertTestRefund(tx, store.id, { payment_id, refund_id: null, amount_cents, now })
}

/** Returns the payment of a payment page. One that nobody paid in time has the status `expired`. */
export async function findTestPayment(
  db: Db,
  storeId: number,
  token: string,
  now: string,
): Promise<q.TestPayment | undefined> {
  const payment = await q.selectTestPaymentByToken(db, storeId, token)
  return payment && q.selectTestPayment(db, storeId, payment.payment_id, now)
}
