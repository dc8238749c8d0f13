import { inTransaction, type Tx } from '../../db/database.ts'
import type { NewEvent } from '../../events/ledger.ts'
import { found, invalid } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { suspendForOrder } from '../license-keys/index.ts'
import { returnStock } from '../stock/index.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { asRefunded } from './events.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import { changeSpent, creditBalance } from './queries/customers.ts'
import { revokeDeliveries } from './queries/deliveries.ts'
import { clearReserved, selectItems } from './queries/items.ts'
import { type LockedOrder, lockOrder } from './queries/orders.ts'
import { insertRefund, rejectWaiting } from './queries/payments.ts'
import type { Order } from './schema.ts'
import { checkRefundable, planRefund, type Refunding } from './status.rules.ts'

export interface RefundOnOrder {
  refund: Refund
  order: Order
}

/** They are read with their order. */
const REFUNDS_MAX = 100

/**
 * Records that money went back; it moves none by itself. The refund that leaves nothing of what was
 * paid ends the order, and takes back what was handed over (decisions 46 and 95).
 */
export function refundOrder(shop: Shop, id: string, sent: NewRefund): Promise<RefundOnOrder> {
  return inTransaction(shop.db, async (tx) => {
    const order = found(await lockOrder(tx, shop.store.id, id), 'Order')
    checkRefundable(order.status)
    const plan = planRefund(order, sent.amount_cents)
    if (sent.restock && !plan.full) {
      throw invalid(
        'restock',
        'Goods come back with the refund that leaves nothing of the payment.',
      )
    }
    const refund = await record(tx, shop, { order, sent, plan })
    const events = plan.full ? await takeBack(tx, shop, id, sent.restock) : []
    const after = await changeOrder(tx, shop, id, {
      status: plan.full ? 'refunded' : order.status,
      steps: plan.full ? [{ status: 'refunded', reason: sent.reason }] : [],
      refund_status: plan.full ? 'full' : 'partial',
      refunded_cents: plan.refunded_cents,
    })
    if (after.refunds.length > REFUNDS_MAX)
      throw invalid('amount_cents', `An order has ${REFUNDS_MAX} refunds at most.`)
    shop.audit.changed(order, moneyOf(after))
    await shop.emit(tx, [asRefunded(after, refund), ...events])
    return { refund, order: after }
  })
}

interface Recorded {
  order: LockedOrder
  sent: NewRefund
  plan: Refunding
}

async function record(tx: Tx, { store, now, audit }: Shop, { order, sent, plan }: Recorded) {
  const { customer_id, id, currency } = order
  const { reason, note, restock, to_balance } = sent
  const { amount_cents: cents } = plan
  await changeSpent(tx, store.id, customer_id, { cents: -cents, now })
  if (to_balance) {
    const credit = { cents, reason: 'refund', orderId: id, now }
    const fits = await creditBalance(tx, store.id, customer_id, credit)
    if (!fits) throw invalid('to_balance', 'The balance would come to more than can be counted.')
  }
  const row = { order_id: id, amount_cents: cents, currency, reason, note, restock }
  return insertRefund(tx, store.id, { ...row, actor: audit.origin.actor, created_at: now })
}

/** What was handed over does not hold any more; what was held for lines that wait is free again. */
async function takeBack(
  tx: Tx,
  shop: Shop,
  orderId: string,
  restock: boolean,
): Promise<NewEvent[]> {
  const items = await selectItems(tx, shop.store.id, orderId)
  const lines = items.map((item) => ({ ...item, held: item.reserved }))
  const events = await returnStock(tx, shop, orderId, { lines, restock })
  await clearReserved(
    tx,
    shop.store.id,
    items.map((item) => item.id),
  )
  await revokeDeliveries(tx, shop.store.id, orderId)
  await suspendForOrder(tx, shop, orderId)
  const { actor } = shop.audit.origin
  await rejectWaiting(tx, shop.store.id, orderId, { now: shop.now, actor })
  return events
}
