import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, lockOrder } from '../orders/index.ts'
import * as q from './queries.ts'
import { checkStep } from './returns.rules.ts'
import type { Approval, Return, Status } from './schema.ts'

/** A return and its order, both locked. */
export interface LockedReturn {
  order: LockedOrder
  before: Return
}

/** Locks the order before the return, as every change of an order does, and runs the change. */
export function withReturn(
  context: StoreContext,
  id: number,
  work: (tx: Tx, locked: LockedReturn) => Promise<Return>,
): Promise<Return> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const orderId = found(await q.selectOrderId(tx, store.id, id), 'Return')
    const order = found(await lockOrder(tx, store.id, orderId), 'Order')
    const before = found(await q.lockReturn(tx, store.id, id), 'Return')
    const after = await work(tx, { order, before })
    context.audit.changed(
      { status: before.status, refund_id: before.refund_id },
      { status: after.status, refund_id: after.refund_id },
    )
    return after
  })
}

export const approveReturn = (
  context: StoreContext,
  id: number,
  { tracking_number, carrier_code }: Approval,
): Promise<Return> =>
  step(context, id, {
    status: 'approved',
    approved_at: context.now,
    ...(tracking_number !== undefined && { tracking_number }),
    ...(carrier_code !== undefined && { carrier_code }),
  })

export const rejectReturn = (
  context: StoreContext,
  id: number,
  rejection_note: string | null,
): Promise<Return> =>
  step(context, id, { status: 'rejected', rejection_note, closed_at: context.now })

export const cancelReturn = (context: StoreContext, id: number): Promise<Return> =>
  step(context, id, { status: 'cancelled', closed_at: context.now })

/** A step that concerns the return alone. */
const step = (
  context: StoreContext,
  id: number,
  change: q.ReturnChange & { status: Status },
): Promise<Return> =>
  withReturn(context, id, (tx, { before }) => {
    checkStep(before.status, change.status)
    return q.updateReturn(tx, context.store.id, id, { ...change, now: context.now })
  })
