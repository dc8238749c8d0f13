import { inTransaction, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid, invalidState, requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectDownloadableVariants } from '../content/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { mask, stockKeyHash } from '../stock/index.ts'
import { moneyOf } from './change-order.ts'
import {
  completeIfDelivered,
  completionEvents,
  takeStockForWaitingLines,
} from './complete-order.ts'
import type { Delivery, DeliveryReplacement, NewDelivery } from './delivery-schema.ts'
import { withDueUnits } from './lines.rules.ts'
import { mailDelivery } from './order-mail.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { textSealContext } from './sealed.ts'
import { readOrder } from './show-order.ts'
import { checkDeliverable, checkNotOnHold, checkReplaceable } from './status.rules.ts'

interface DeliveryAndOrder {
  delivery: Delivery
  order: Order
}

/**
 * Delivers a line of a paid order that is not delivered yet: with a text of the seller, or with keys
 * and files that were added since the payment (decision 47). The last delivery completes the order.
 */
export function deliverManually(
  context: StoreContext,
  orderId: string,
  { order_item_id, text }: NewDelivery,
): Promise<DeliveryAndOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
    checkDeliverable(order.status)
    checkNotOnHold(order)
    const item = requireDeliverableItem(await q.selectItems(tx, store.id, orderId), order_item_id)
    const id = await q.selectPendingDelivery(tx, store.id, orderId, item.id)
    if (id === undefined)
      throw invalidState(
        'delivered',
        'This line was delivered already. If it has keys, replace them instead.',
      )
    if (text === undefined && item.delivery_type === 'dynamic') {
      await retryCall(tx, context, orderId, { item, id })
      const after = await readOrder(context, tx, orderId)
      return { delivery: deliveryOf(after, (delivery) => delivery.id === id), order: after }
    }
    const { key_ids, events } =
      text === undefined
        ? await deliverFromStock(tx, context, order, item)
        : await deliverWithoutKeys(tx, context, item)
    const text_enc =
      text === undefined ? null : context.vault.seal(textSealContext(store.id, id), text)
    await q.completeDelivery(tx, store.id, { id, order_item_id, key_ids, text_enc, now })
    const completedOrder = await completeIfDelivered(tx, context, order)
    const orderEvents = completedOrder ? await completionEvents(tx, context, completedOrder) : []
    await context.emit(tx, [...orderEvents, ...events])
    const after = completedOrder ?? (await readOrder(context, tx, orderId))
    await mailDelivery(tx, context, after, id)
    context.audit.reportChange(order, moneyOf(after))
    return { delivery: deliveryOf(after, (delivery) => delivery.id === id), order: after }
  })
}

/** Starts new attempts to call the dynamic address of the variant. */
async function retryCall(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { item, id }: { item: q.ItemRow; id: number },
): Promise<void> {
  await context.emit(tx, await takeStockForWaitingLines(tx, context, orderId, [item]))
  if (await q.insertCall(tx, context.store.id, id, context.now)) return
  const message =
    'Send the text to deliver, or set an address with PUT /products/{id}/variants/{variant_id}/dynamic first.'
  throw invalid('text', message)
}

/** Returns a line of the order. Refuses a physical line, which is shipped instead. */
function requireDeliverableItem(items: readonly q.ItemRow[], id: number): q.ItemRow {
  const item = items.map(withDueUnits).find((line) => line.id === id)
  if (!item)
    throw unknownId(
      'order_item_id',
      id,
      'This order has no line',
      'Send the id of one of its items.',
    )
  if (item.delivery_type !== 'physical') return item
  throw invalid('order_item_id', 'A physical line is shipped. Create a fulfillment instead.')
}

interface DeliveredKeys {
  key_ids: number[]
  events: NewEvent[]
}

/**
 * Delivers keys that were added to stock since the payment, license keys of a line that stock did not suffice for, or
 * files that were added to the product.
 */
async function deliverFromStock(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  item: q.ItemRow,
): Promise<DeliveredKeys> {
  if (item.delivery_type === 'license') return deliverLicenses(tx, context, order, item)
  if (item.delivery_type === 'file') {
    const { size } = await selectDownloadableVariants(tx, context.store.id, [item.variant_id])
    if (size > 0)
      return { key_ids: [], events: await takeStockForWaitingLines(tx, context, order.id, [item]) }
  }
  if (item.delivery_type !== 'serial') throw invalid('text', 'Send the text to deliver.')
  const { keyIds, events } = await ORDER_LIFE.delivered.stock.takeKeys(tx, context, order.id, item)
  return { key_ids: keyIds, events }
}

/** Takes the stock of a line, and creates its license keys. A renewal has extended those of its first order already. */
async function deliverLicenses(
  tx: Tx,
  context: StoreContext,
  { id, recurring }: q.LockedOrder,
  item: q.ItemRow,
): Promise<DeliveredKeys> {
  const events = await takeStockForWaitingLines(tx, context, id, [item])
  const lines = recurring === 'renewal' ? [] : [{ ...item, order_item_id: item.id }]
  if (lines.length > 0) await ORDER_LIFE.delivered.licensing.createKeys(tx, context, id, lines)
  return { key_ids: [], events }
}

/** Counts the units of the line as sold, unless stock was already taken for it. */
async function deliverWithoutKeys(
  tx: Tx,
  context: StoreContext,
  item: q.ItemRow,
): Promise<DeliveredKeys> {
  if (!item.served) await ORDER_LIFE.delivered.stock.serve(tx, context, item)
  return { key_ids: [], events: [] }
}

function deliveryOf(order: Order, matches: (delivery: Delivery) => boolean): Delivery {
  const delivery = order.deliveries.find(matches)
  if (!delivery) throw new Error(`Order ${order.id} lacks the delivery that was just recorded.`)
  return delivery
}

/**
 * Replaces the keys of a delivery, or one of them, with new keys from stock, and burns the old keys. The new delivery
 * also has the keys that stay.
 */
export function replaceDelivery(
  context: StoreContext,
  orderId: string,
  id: number,
  { key, reason }: DeliveryReplacement,
): Promise<DeliveryAndOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
    const oldDelivery = requireRecord(await q.selectDelivery(tx, store.id, orderId, id), 'Delivery')
    checkNotOnHold(order)
    checkReplaceable(order.status, oldDelivery.status, oldDelivery.key_ids.length)
    const key_ids =
      key === undefined ? oldDelivery.key_ids : [await requireKey(tx, context, id, key)]
    const keptIds = oldDelivery.key_ids.filter((keyId) => !key_ids.includes(keyId))
    const { keyIds, events } = await ORDER_LIFE.delivered.stock.replaceKeys(tx, context, orderId, {
      ...oldDelivery,
      key_ids,
    })
    await q.markDeliveryReplaced(tx, store.id, id)
    const replacement = {
      ...oldDelivery,
      order_id: orderId,
      delivered: true,
      key_ids: [...keptIds, ...keyIds],
    }
    await q.recordDeliveries(tx, store.id, { now, deliveries: [replacement], served_item_ids: [] })
    await context.emit(tx, events)
    const after = await readOrder(context, tx, orderId)
    const isNew = ({ order_item_id, status }: Delivery) =>
      order_item_id === oldDelivery.order_item_id && status === 'delivered'
    const delivery = deliveryOf(after, isNew)
    await mailDelivery(tx, context, after, delivery.id)
    const changed = {
      keys_count: key_ids.length,
      ...(key !== undefined && { masked_key: mask(key) }),
      ...(reason !== undefined && { reason }),
    }
    context.audit.reportChange(null, changed)
    return { delivery, order: after }
  })
}

async function requireKey(
  tx: Tx,
  context: StoreContext,
  deliveryId: number,
  key: string,
): Promise<number> {
  const hmac = stockKeyHash(context, key)
  const id = await q.selectKeyOfDelivery(tx, context.store.id, deliveryId, hmac)
  if (id !== undefined) return id
  throw invalid('key', 'This delivery has no such key. Send one of its keys.')
}
