import { inTransaction, type Tx } from '../../db/database.ts'
import { payloadSealContext } from '../../events/sealed.ts'
import { EVENT_TYPES, type EventType } from '../../events/types.ts'
import { found, Refusal } from '../../kernel/errors.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Outcome } from '../../sender/outcome.rules.ts'
import { createSender } from '../../sender/sender.ts'
import type { StoreContext } from '../../store-context.ts'
import { endByHand, lostByHand } from './end-by-hand.ts'
import { headersOf } from './engine/headers.ts'
import * as q from './queries/by-hand.ts'
import { selectTarget, type Target } from './queries/claim.ts'
import { deliveryIdOf } from './queries/delivery-id.ts'
import { recordLostRetries } from './queries/record.ts'
import { lockWebhook } from './queries/webhooks.ts'
import type { SendResult } from './schema.ts'
import { sampleEvent } from './trigger-event.ts'

/** A delivery whose lease is ours, ready to be sent. */
interface Leased extends q.Sendable {
  token: number
  target: Target
}

export interface SentByHand {
  delivery_id: number
  result: SendResult
}

/** Sends a delivery again, now, and waits for the answer (specification, "Webhooks"). */
export async function resendDelivery(context: StoreContext, id: number): Promise<SentByHand> {
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
): Promise<SentByHand> {
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
  asked: EventType | undefined,
): Promise<Leased> {
  const webhook = found(await lockWebhook(tx, context.store.id, webhookId), 'Endpoint')
  const type = asked ?? firstTypeOf(webhook.events)
  const no = await context.emitTest(tx, sampleEvent(type, context.store.currency))
  const id = deliveryIdOf(no, 0)
  await q.insertTestDelivery(tx, context.store.id, { id, endpointId: webhook.id, now: context.now })
  return lease(tx, context, id)
}

/** The first of the endpoint's own list; `*` stands for all types in their order (decision 127). */
const firstTypeOf = ([first]: readonly string[]): EventType =>
  EVENT_TYPES.find((type) => type === first) ?? EVENT_TYPES[0]

async function lease(
  tx: Tx,
  { store: { id: storeId }, now }: StoreContext,
  id: number,
): Promise<Leased> {
  const lost = await q.lockLostAttempt(tx, storeId, id)
  if (lost?.by_hand) await endByHand(tx, storeId, lostByHand({ ...lost, delivery_id: id, at: now }))
  else if (lost) await recordLostRetries(tx, [{ store_id: storeId, delivery_id: id }])
  const { endpoint_id, ...sendable } = found(await q.selectSendable(tx, storeId, id), 'Delivery')
  const target = await targetOf(tx, endpoint_id)
  const token = await q.leaseByHand(tx, storeId, id)
  if (token === undefined) throw inProgress()
  return { ...sendable, token, target }
}

/** A deleted endpoint is refused before anything else is checked. */
async function targetOf(tx: Tx, endpointId: number): Promise<Target> {
  const target = found(await selectTarget(tx, endpointId), 'Endpoint')
  if (!target.deleted) return target
  throw new Refusal('ENDPOINT_DELETED', 'The endpoint of this delivery was deleted.')
}

const inProgress = () =>
  new Refusal('DELIVERY_IN_PROGRESS', 'An attempt of this delivery is running; try again soon.')

async function send(context: StoreContext, leased: Leased): Promise<SentByHand> {
  const { store, vault } = context
  const body = vault.open(payloadSealContext(store.id, leased.tag), leased.payload_enc)
  const clock: Clock = { now: () => Date.now() }
  const headers = headersOf({ vault, clock }, { ...leased, attempt: leased.attempts + 1, body })
  const sender = createSender({ allowedHosts: context.allowedHosts })
  const outcome = await sender
    .send({ url: leased.target.url, body, headers })
    .finally(() => sender.close())
  await record(context, leased, outcome)
  const { ok, status_code, error, duration_ms } = outcome
  return { delivery_id: leased.delivery_id, result: { ok, status_code, error, duration_ms } }
}

async function record(
  { db, store, now }: StoreContext,
  leased: Leased,
  outcome: Outcome,
): Promise<void> {
  const { ok, status_code, error, duration_ms, response_body } = outcome
  const { delivery_id, token } = leased
  const answer = { ok, status_code, error, duration_ms, response_body }
  const result = { ...answer, delivery_id, token, worker_lost: false, at: now }
  await inTransaction(db, (tx) => endByHand(tx, store.id, result))
}
