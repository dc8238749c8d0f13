import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, lockOrder } from '../orders/index.ts'
import * as q from './queries.ts'
import { checkNextStatus } from './returns.rules.ts'
import type { Approval, Return, ReturnStatus } from './schema.ts'

/** A return and its order, both locked. */
interface LockedReturn {
  order: LockedOrder
  before: Return
}

/** Locks the order and then the return, in the same sequence as all changes of orders, and runs a change. */
export function lockAndChange(
  context: StoreContext,
  id: number,
  work: (tx: Tx, lockedReturn: LockedReturn) => Promise<Return>,
): Promise<Return> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const orderId = requireRecord(await q.selectOrderId(tx, store.id, id), 'Return')
    const order = requireRecord(await lockOrder(tx, store.id, orderId), 'Order')
    const before = requireRecord(await q.lockReturn(tx, store.id, id), 'Return')
    const after = await work(tx, { order, before })
    context.audit.reportChange(
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
  changeStatus(context, id, {
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
  changeStatus(context, id, { status: 'rejected', rejection_note, closed_at: context.now })

export const cancelReturn = (context: StoreContext, id: number): Promise<Return> =>
  changeStatus(context, id, { status: 'cancelled', closed_at: context.now })

/** Changes the status of a return without a change of its order. */
const changeStatus = (
  context: StoreContext,
  id: number,
  change: q.ReturnChange & { status: ReturnStatus },
): Promise<Return> =>
  lockAndChange(context, id, (tx, { before }) => {
    checkNextStatus(before.status, change.status)
    return q.updateReturn(tx, context.store.id, id, { ...change, now: context.now })
  })
