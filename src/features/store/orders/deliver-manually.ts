import { inTransaction, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { found, invalid, invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectFiled } from '../content/index.ts'
import { replaceKeys, serveManually, takeKeys } from '../stock/index.ts'
import { moneyOf } from './change-order.ts'
import { completed, completeIfDone, takeWaiting } from './complete-order.ts'
import type { Delivery, NewDelivery } from './delivery-schema.ts'
import * as q from './queries/deliveries.ts'
import { insertCall } from './queries/dynamic-calls.ts'
import { type ItemRow, selectItems } from './queries/items.ts'
import { lockOrder } from './queries/orders.ts'
import type { Order } from './schema.ts'
import { textSealContext } from './sealed.ts'
import { readOrder } from './show-order.ts'
import { checkDeliverable, checkReplaceable } from './status.rules.ts'

export interface DeliveryOnOrder {
  delivery: Delivery
  order: Order
}

/**
 * Delivers a line that a paid order waits for: a text of the seller, or keys and files that were
 * added since the payment (decision 47). The last delivery completes the order.
 */
export function deliverManually(
  context: StoreContext,
  orderId: string,
  { order_item_id, text }: NewDelivery,
): Promise<DeliveryOnOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, store.id, orderId), 'Order')
    checkDeliverable(order.status)
    const item = itemOf(await selectItems(tx, store.id, orderId), order_item_id)
    const waiting = await q.selectWaiting(tx, store.id, orderId, item.id)
    if (!waiting) throw invalidState('delivered', 'This line has been delivered already.')

    const { id } = waiting
    if (text === undefined && item.delivery_type === 'dynamic') {
      await callAgain(tx, context, orderId, { item, id })
      const after = await readOrder(context, tx, orderId)
      return { delivery: deliveryOf(after, (delivery) => delivery.id === id), order: after }
    }
    const { key_ids, events } =
      text === undefined
        ? await fromStock(tx, context, orderId, item)
        : await fromSeller(tx, context, item)
    const text_enc =
      text === undefined ? null : context.vault.seal(textSealContext(store.id, id), text)
    await q.handOver(tx, store.id, { id, order_item_id, key_ids, text_enc, now })
    const done = await completeIfDone(tx, context, order)
    await context.emit(tx, [...(done ? await completed(tx, context, done) : []), ...events])
    const after = done ?? (await readOrder(context, tx, orderId))
    context.audit.changed(order, moneyOf(after))
    return { delivery: deliveryOf(after, (item) => item.id === id), order: after }
  })
}

/** Calls the URL of the variant again, with all its attempts. */
async function callAgain(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { item, id }: { item: ItemRow; id: number },
): Promise<void> {
  await context.emit(tx, await takeWaiting(tx, context, orderId, [item]))
  if (await insertCall(tx, context.store.id, id, context.now)) return
  const why =
    'Write what is handed over, or set an address with PUT /products/{id}/variants/{variant_id}/dynamic first.'
  throw invalid('text', why)
}

function itemOf(items: readonly ItemRow[], id: number): ItemRow {
  const item = items.find((item) => item.id === id)
  if (!item) throw invalid('order_item_id', 'This order has no line with this id.')
  if (item.delivery_type !== 'physical') return item
  throw invalid('order_item_id', 'A physical line is shipped, not delivered by hand.')
}

interface Handed {
  key_ids: number[]
  events: NewEvent[]
}

/**
 * Delivers keys that came into stock since the payment, or files that were added to the product.
 */
async function fromStock(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  item: ItemRow,
): Promise<Handed> {
  const filed = item.delivery_type === 'file' ? [item.variant_id] : []
  if ((await selectFiled(tx, context.store.id, filed)).size > 0)
    return fromSeller(tx, context, item)
  if (item.delivery_type !== 'serial') throw invalid('text', 'Write what is handed over.')
  const { keyIds, events } = await takeKeys(tx, context, orderId, { ...item, held: item.reserved })
  return { key_ids: keyIds, events }
}

/** A line that was served has left the stock already, so it is not counted twice. */
async function fromSeller(tx: Tx, context: StoreContext, item: ItemRow): Promise<Handed> {
  if (!item.served) await serveManually(tx, context, { ...item, held: item.reserved })
  return { key_ids: [], events: [] }
}

function deliveryOf(order: Order, is: (item: Delivery) => boolean): Delivery {
  const delivery = order.deliveries.find(is)
  if (!delivery) throw new Error(`Order ${order.id} lacks what was just delivered.`)
  return delivery
}

/** Replaces the keys of a delivery with new keys from stock. The old keys are burned. */
export function replaceDelivery(
  context: StoreContext,
  orderId: string,
  id: number,
): Promise<DeliveryOnOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, store.id, orderId), 'Order')
    const old = found(await q.selectDelivery(tx, store.id, orderId, id), 'Delivery')
    checkReplaceable(order.status, old.status, old.key_ids.length)
    const { keyIds, events } = await replaceKeys(tx, context, orderId, old)
    await q.markReplaced(tx, store.id, id)
    const fresh = { ...old, order_id: orderId, delivered: true, key_ids: keyIds }
    await q.recordDeliveries(tx, store.id, { now, deliveries: [fresh], served: [] })
    await context.emit(tx, events)
    const after = await readOrder(context, tx, orderId)
    const isNew = (item: Delivery) =>
      item.order_item_id === old.order_item_id && item.status === 'delivered'
    return { delivery: deliveryOf(after, isNew), order: after }
  })
}
