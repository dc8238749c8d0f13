import { changesOf } from '../../audit/changes.rules.ts'
import { inTransaction } from '../../db/database.ts'
import { eventId } from '../../events/event-id.ts'
import type { NewEvent } from '../../events/ledger.ts'
import { sampleOf } from '../../events/samples.ts'
import type { EventType } from '../../events/types.ts'
import { found } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { fanOutTest } from './queries/fan-out-test.ts'

/** Sends a sample to every endpoint that is enabled and subscribed, on the usual road. */
export async function triggerEvent(
  context: StoreContext,
  type: EventType,
): Promise<{ event: string; deliveries: number }> {
  return inTransaction(context.db, async (tx) => {
    const event = sampleEvent(type, context.store.currency)
    const no = await context.emitTest(tx, event)
    const fannedOut = found(await fanOutTest(tx, context.store.id, no), 'Event')
    const id = eventId(no, fannedOut.tag)
    const changes = changesOf(null, { type, deliveries: fannedOut.deliveries })
    await context.audit.record(tx, [
      { action: 'event.trigger', object: 'event', object_id: id, changes },
    ])
    return { event: id, deliveries: fannedOut.deliveries }
  })
}

/** A sample as an event of its type. */
export function sampleEvent(type: EventType, currency: string): NewEvent {
  const object = sampleOf(type, currency)
  const object_id = String('id' in object ? object.id : object.invoice_id)
  return { type, object_id, object } as NewEvent
}
