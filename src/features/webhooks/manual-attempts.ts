import { inTransaction, type Tx } from '../../db/database.ts'
import { EVENT_TYPES, type EventType } from '../../events/types.ts'
import { Refusal, requireRecord } from '../../kernel/errors.ts'
import { machineNow, type StoreContext } from '../../store-context.ts'
import { type LeasedDelivery, manualAttemptOf } from './engine/leased-delivery.ts'
import { attemptManually, recordLostManual } from './engine/manual.ts'
import * as q from './queries/index.ts'
import type { SendResult } from './schema.ts'
import { sampleEvent } from './trigger-event.ts'

/** A delivery that this call has leased, and its endpoint. */
export interface LeasedAttempt {
  delivery: LeasedDelivery
  target: q.WebhookTarget
}

export interface ManualResult {
  delivery_id: number
  result: SendResult
}

/** Resends a delivery now and waits for the response (specification, "Webhooks"). */
export async function resendDelivery(context: StoreContext, id: number): Promise<ManualResult> {
  const attempt = await inTransaction(context.db, async (tx) => {
    const record = { object: 'webhook_delivery', object_id: String(id) }
    await context.audit.record(tx, [{ action: 'event.resend', ...record, changes: {} }])
    return leaseForResend(tx, context, id)
  })
  return sendLeased(context, attempt)
}

/** Sends a sample to one endpoint, which may be turned off (decision 40). */
export async function testWebhook(
  context: StoreContext,
  webhookId: string,
  type: EventType | undefined,
): Promise<ManualResult> {
  const attempt = await inTransaction(context.db, async (tx) => {
    const record = { object: 'webhook_endpoint', object_id: webhookId }
    await context.audit.record(tx, [{ action: 'webhook.test', ...record, changes: {} }])
    return leaseSample(tx, context, webhookId, type)
  })
  return sendLeased(context, attempt)
}

export async function leaseForResend(
  tx: Tx,
  context: StoreContext,
  id: number,
): Promise<LeasedAttempt> {
  const { store } = context
  if (!(await q.selectSendable(tx, store.id, id))) {
    const fanout = await q.lockFanout(tx, store.id, id)
    if (fanout) await requireTarget(tx, fanout.endpoint_id)
    if (fanout?.running) throw deliveryInProgress()
    // Without a fan-out the delivery does not exist, or its first attempt has just ended and it has a row.
    if (fanout) await q.moveToRetryLane(tx, store.id, id)
  }
  return leaseDelivery(tx, context, id)
}

async function leaseSample(
  tx: Tx,
  context: StoreContext,
  webhookId: string,
  requestedType: EventType | undefined,
): Promise<LeasedAttempt> {
  const webhook = requireRecord(await q.lockWebhook(tx, context.store.id, webhookId), 'Endpoint')
  const type = requestedType ?? firstTypeOf(webhook.events)
  const eventNo = await context.emitTest(tx, sampleEvent(type, context.store.currency))
  const id = q.deliveryIdOf(eventNo, 0)
  await q.insertManualDelivery(tx, context.store.id, {
    id,
    endpointId: webhook.id,
    now: context.now,
  })
  return leaseDelivery(tx, context, id)
}

/** Returns the first event type of the endpoint's list. `*` stands for all types, in their order (decision 127). */
const firstTypeOf = ([first]: readonly string[]): EventType =>
  EVENT_TYPES.find((type) => type === first) ?? EVENT_TYPES[0]

export async function leaseDelivery(
  tx: Tx,
  context: StoreContext,
  id: number,
): Promise<LeasedAttempt> {
  const { store } = context
  const sendable = requireRecord(await q.selectSendable(tx, store.id, id), 'Delivery')
  const target = await requireTarget(tx, sendable.endpoint_id)
  const lostAttempt = await q.lockLostAttempt(tx, store.id, id)
  if (lostAttempt?.manual) {
    const item = manualAttemptOf({ ...sendable, token: lostAttempt.token })
    await recordLostManual({ db: tx, clock: clockOf(context) }, [item])
  } else if (lostAttempt) {
    await q.recordLostRetries(tx, [{ store_id: store.id, delivery_id: id }])
  }
  const token = await q.leaseManually(tx, store.id, id)
  if (token === undefined) throw deliveryInProgress()
  const attempts = sendable.attempts + (lostAttempt ? 1 : 0)
  return { delivery: manualAttemptOf({ ...sendable, attempts, token }), target }
}

/** Returns the endpoint of a delivery, or refuses the call if the endpoint was deleted. */
async function requireTarget(tx: Tx, endpointId: number): Promise<q.WebhookTarget> {
  const target = requireRecord(await q.selectTarget(tx, endpointId), 'Endpoint')
  if (!target.deleted) return target
  throw new Refusal(
    'ENDPOINT_DELETED',
    'The endpoint of this delivery was deleted. Only deliveries of existing endpoints can be resent.',
  )
}

const deliveryInProgress = () =>
  new Refusal(
    'DELIVERY_IN_PROGRESS',
    'An attempt of this delivery is running. Try again in a few seconds.',
  )

const clockOf = (context: StoreContext) => ({ now: () => machineNow(context) })

/** Sends a leased delivery, and waits for the answer. */
export async function sendLeased(
  context: StoreContext,
  { delivery, target }: LeasedAttempt,
): Promise<ManualResult> {
  const { db, vault, allowedHosts } = context
  const engine = { db, vault, allowedHosts, clock: clockOf(context) }
  const { ok, status_code, error, duration_ms } = await attemptManually(engine, delivery, target)
  return { delivery_id: delivery.delivery_id, result: { ok, status_code, error, duration_ms } }
}
