import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { cancelOrder, lockOrder } from '../orders/index.ts'
import {
  type AutoRenewal,
  type Cancellation,
  cancelledAtEnd,
  checkCancellable,
  ended,
  hasNoTimeLeft,
  lockSubscription,
  postponed,
  readAutoRenewal,
  readSubscription,
  resumed,
  type Subscription,
  type SubscriptionPatch,
  type SubscriptionRow,
  selectOpenInvoice,
  updateSubscription,
} from '../subscriptions/index.ts'

/** Ends a subscription at the end of its period, or now. An unpaid renewal is cancelled with it. */
export function cancelSubscription(
  context: StoreContext,
  id: number,
  { at_period_end }: Cancellation,
): Promise<Subscription> {
  return change(context, id, (tx, row) => cancel(tx, context, row, at_period_end))
}

/** Undoes a cancellation at the period's end. */
export function resumeSubscription(context: StoreContext, id: number): Promise<Subscription> {
  const { store, now } = context
  return change(context, id, (tx, row) =>
    updateSubscription(tx, store.id, id, { ...resumed(row), now }),
  )
}

/** `auto_renew: false` is a cancellation at the period's end, and `true` undoes it. */
export function patchSubscription(
  context: StoreContext,
  id: number,
  { auto_renew, next_billing_date }: SubscriptionPatch,
): Promise<Subscription> {
  const { store, now } = context
  return change(context, id, async (tx, row) => {
    let state = row
    if (auto_renew === true && !row.auto_renew) {
      const change = resumed(row)
      state = { ...row, ...change }
      await updateSubscription(tx, store.id, id, { ...change, now })
    }
    if (next_billing_date !== undefined) {
      const change = postponed(state, next_billing_date, now)
      state = { ...state, ...change }
      await updateSubscription(tx, store.id, id, { ...change, now })
    }
    if (auto_renew === false && row.auto_renew) await cancel(tx, context, state, true)
  })
}

/** Cancels the subscription at the end of its period; 409 if it is cancelled or ended already. */
export async function cancelAutoRenewal(context: StoreContext, id: number): Promise<AutoRenewal> {
  return inTransaction(context.db, async (tx) => {
    const within = { ...context, db: tx }
    await readAutoRenewal(within, tx, id)
    await cancelSubscription(within, id, { at_period_end: true })
    return readAutoRenewal(within, tx, id)
  })
}

async function cancel(
  tx: Tx,
  context: StoreContext,
  row: SubscriptionRow,
  atPeriodEnd: boolean,
): Promise<void> {
  const { store, now } = context
  checkCancellable(row, atPeriodEnd)
  const isNow = !atPeriodEnd || hasNoTimeLeft(row)
  // Its ending cancels the subscription.
  if (isNow && row.open_invoice_id) {
    const reason = 'The subscription was cancelled.'
    await cancelOrder({ ...context, db: tx }, row.open_invoice_id, reason)
    return
  }
  const change = isNow ? ended('cancelled', row, now) : cancelledAtEnd(row, now)
  await updateSubscription(tx, store.id, row.id, { ...change, now })
}

/** A waiting renewal is locked before its subscription, as by everything that pays or ends an order. */
function change(
  context: StoreContext,
  id: number,
  work: (tx: Tx, row: SubscriptionRow) => Promise<void>,
): Promise<Subscription> {
  const { store, audit } = context
  return inTransaction(context.db, async (tx) => {
    const open = await selectOpenInvoice(tx, store.id, id)
    if (!open) throw notFound('Subscription')
    if (open.open_invoice_id) await lockOrder(tx, store.id, open.open_invoice_id)
    const row = found(await lockSubscription(tx, store.id, id), 'Subscription')
    const before = await readSubscription(context, tx, id)
    await work(tx, row)
    const after = await readSubscription(context, tx, id)
    audit.changed(before, changeable(after))
    return after
  })
}

/** The fields of a subscription that an audit event compares. */
const changeable = ({
  status,
  auto_renew,
  next_billing_date,
  current_period_end,
}: Subscription) => ({
  status,
  auto_renew,
  next_billing_date,
  current_period_end,
})
