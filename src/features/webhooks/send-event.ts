import { changesOf } from '../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { parseEventId } from '../../events/event-id.ts'
import { Refusal, requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import {
  type LeasedAttempt,
  leaseDelivery,
  leaseForResend,
  type ManualResult,
  sendLeased,
} from './manual-attempts.ts'
import * as q from './queries/index.ts'

interface EventSend {
  event: string
  webhook_id: string
}

/**
 * Sends an event to one endpoint now and waits for the response. The endpoint need not be subscribed or on. If
 * the event was sent to the endpoint before, that delivery is sent again.
 */
export async function sendEvent(
  context: StoreContext,
  { event, webhook_id }: EventSend,
): Promise<ManualResult> {
  const attempt = await inTransaction(context.db, async (tx) => {
    const changes = changesOf(null, { webhook_id })
    await context.audit.record(tx, [
      { action: 'event.send', object: 'event', object_id: event, changes },
    ])
    const webhook = requireRecord(await q.lockWebhook(tx, context.store.id, webhook_id), 'Endpoint')
    const key = requireRecord(parseEventId(event), 'Event')
    const lockedEvent = requireRecord(await q.lockEvent(tx, context.store.id, key), 'Event')
    return leaseEventDelivery(tx, context, lockedEvent, webhook.id)
  })
  return sendLeased(context, attempt)
}

async function leaseEventDelivery(
  tx: Tx,
  context: StoreContext,
  { no }: q.EventKey,
  endpointId: number,
): Promise<LeasedAttempt> {
  const { store, now } = context
  const existingId = await q.selectDeliveryTo(tx, store.id, { no, endpointId })
  if (existingId !== undefined) return leaseForResend(tx, context, existingId)
  const position = await q.selectNextPosition(tx, store.id, no)
  if (position >= q.POSITIONS) {
    const message = `The event was sent to ${q.POSITIONS} endpoints. Send one of its deliveries again instead.`
    throw new Refusal('INVALID_STATE', message)
  }
  const id = q.deliveryIdOf(no, position)
  await q.insertManualDelivery(tx, store.id, { id, endpointId, now })
  return leaseDelivery(tx, context, id)
}
