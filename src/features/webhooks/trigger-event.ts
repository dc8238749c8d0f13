import { changesOf } from '../../audit/changes.rules.ts'
import { inTransaction } from '../../db/database.ts'
import { eventId } from '../../events/event-id.ts'
import type { NewEvent } from '../../events/ledger.ts'
import { sampleOf } from '../../events/samples.ts'
import type { EventType } from '../../events/types.ts'
import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'

/** Records a sample event, which the dispatcher sends to every enabled and subscribed endpoint. */
export async function triggerEvent(
  context: StoreContext,
  type: EventType,
): Promise<{ event: string; deliveries: number }> {
  return inTransaction(context.db, async (tx) => {
    const event = sampleEvent(type, context.store.currency)
    const eventNo = await context.emitTest(tx, event)
    const fanout = requireRecord(await q.fanOutTest(tx, context.store.id, eventNo), 'Event')
    const id = eventId(eventNo, fanout.tag)
    const changes = changesOf(null, { type, deliveries: fanout.deliveries })
    await context.audit.record(tx, [
      { action: 'event.trigger', object: 'event', object_id: id, changes },
    ])
    return { event: id, deliveries: fanout.deliveries }
  })
}

/** Returns a sample event of a type. */
export function sampleEvent(type: EventType, currency: string): NewEvent {
  const object = sampleOf(type, currency)
  const object_id = String('id' in object ? object.id : object.invoice_id)
  return { type, object_id, object } as NewEvent
}
