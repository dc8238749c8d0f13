import { inTransaction, type Tx } from '../../db/database.ts'
import { EVENT_TYPES, type EventType } from '../../events/types.ts'
import { found, Refusal } from '../../kernel/errors.ts'
import { machineNow, type StoreContext } from '../../store-context.ts'
import { attemptManually, recordLostManual } from './engine/manual.ts'
import { attemptedManually, type Try } from './engine/try.ts'
import { selectTarget, type Target } from './queries/claim.ts'
import { deliveryIdOf } from './queries/delivery-id.ts'
import * as q from './queries/manual.ts'
import { recordLostRetries } from './queries/record.ts'
import { lockWebhook } from './queries/webhooks.ts'
import type { SendResult } from './schema.ts'
import { sampleEvent } from './trigger-event.ts'

/** A delivery whose lease this call holds, ready to be sent. */
interface Leased {
  item: Try
  target: Target
}

export interface ManualResult {
  delivery_id: number
  result: SendResult
}

/** Sends a delivery again, now, and waits for the answer (specification, "Webhooks"). */
export async function resendDelivery(context: StoreContext, id: number): Promise<ManualResult> {
  const leased = await inTransaction(context.db, async (tx) => {
    const object = { object: 'webhook_delivery', object_id: String(id) }
    await context.audit.record(tx, [{ action: 'event.resend', ...object, changes: {} }])
    return leaseAgain(tx, context, id)
  })
  return send(context, leased)
}

/** Sends a sample to one endpoint, which may be turned off (decision 40). */
export async function testWebhook(
  context: StoreContext,
  webhookId: string,
  type: EventType | undefined,
): Promise<ManualResult> {
  const leased = await inTransaction(context.db, async (tx) => {
    const object = { object: 'webhook_endpoint', object_id: webhookId }
    await context.audit.record(tx, [{ action: 'webhook.test', ...object, changes: {} }])
    return leaseSample(tx, context, webhookId, type)
  })
  return send(context, leased)
}

async function leaseAgain(tx: Tx, context: StoreContext, id: number): Promise<Leased> {
  const { store } = context
  if (!(await q.selectSendable(tx, store.id, id))) {
    const position = await q.lockPosition(tx, store.id, id)
    if (position) await targetOf(tx, position.endpoint_id)
    if (position?.running) throw inProgress()
    // Without a position it does not exist, or its first attempt just ended: then it has a row.
    if (position) await q.takePosition(tx, store.id, id)
  }
  return lease(tx, context, id)
}

async function leaseSample(
  tx: Tx,
  context: StoreContext,
  webhookId: string,
  requested: EventType | undefined,
): Promise<Leased> {
  const webhook = found(await lockWebhook(tx, context.store.id, webhookId), 'Endpoint')
  const type = requested ?? firstTypeOf(webhook.events)
  const no = await context.emitTest(tx, sampleEvent(type, context.store.currency))
  const id = deliveryIdOf(no, 0)
  await q.insertTestDelivery(tx, context.store.id, { id, endpointId: webhook.id, now: context.now })
  return lease(tx, context, id)
}

/** The first of the endpoint's own list; `*` stands for all types in their order (decision 127). */
const firstTypeOf = ([first]: readonly string[]): EventType =>
  EVENT_TYPES.find((type) => type === first) ?? EVENT_TYPES[0]

async function lease(tx: Tx, context: StoreContext, id: number): Promise<Leased> {
  const { store } = context
  const sendable = found(await q.selectSendable(tx, store.id, id), 'Delivery')
  const target = await targetOf(tx, sendable.endpoint_id)
  const lost = await q.lockLostAttempt(tx, store.id, id)
  if (lost?.manual) {
    const item = attemptedManually({ ...sendable, token: lost.token })
    await recordLostManual({ db: tx, clock: clockOf(context) }, [item])
  } else if (lost) {
    await recordLostRetries(tx, [{ store_id: store.id, delivery_id: id }])
  }
  const token = await q.leaseManually(tx, store.id, id)
  if (token === undefined) throw inProgress()
  const attempts = sendable.attempts + (lost ? 1 : 0)
  return { item: attemptedManually({ ...sendable, attempts, token }), target }
}

/** A deleted endpoint is refused before anything else is checked. */
async function targetOf(tx: Tx, endpointId: number): Promise<Target> {
  const target = found(await selectTarget(tx, endpointId), 'Endpoint')
  if (!target.deleted) return target
  throw new Refusal('ENDPOINT_DELETED', 'The endpoint of this delivery was deleted.')
}

const inProgress = () =>
  new Refusal('DELIVERY_IN_PROGRESS', 'An attempt of this delivery is running; try again soon.')

const clockOf = (context: StoreContext) => ({ now: () => machineNow(context) })

async function send(context: StoreContext, { item, target }: Leased): Promise<ManualResult> {
  const { db, vault, allowedHosts } = context
  const engine = { db, vault, allowedHosts, clock: clockOf(context) }
  const { ok, status_code, error, duration_ms } = await attemptManually(engine, item, target)
  return { delivery_id: item.delivery_id, result: { ok, status_code, error, duration_ms } }
}
