import { eventId, parseEventId } from '../../events/event-id.ts'
import type { EventType } from '../../events/types.ts'
import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import { redact } from './redact.rules.ts'
import type { EventQuery, StoreEvent, StoreEventInFull } from './schema.ts'
import { openPayload } from './sealed.ts'

/** Lists the events of a store, newest first, including events that no endpoint receives. */
export async function listEvents(
  { db, store }: StoreContext,
  { limit, cursor, type, object_id }: EventQuery,
) {
  const cursorEvent =
    cursor === undefined ? undefined : requireRecord(parseEventId(cursor), 'Event')
  const rows = await q.selectEvents(db, store.id, {
    limit: limit + 1,
    before: cursorEvent?.no,
    type,
    object_id,
  })
  const events = rows.slice(0, limit).map(asEvent)
  return { events, next_cursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null }
}

/** Returns an event with its payload. Hides delivered goods unless `maySeeOrders`. */
export async function getEvent(
  context: StoreContext,
  id: string,
  access: { maySeeOrders: boolean },
): Promise<StoreEventInFull> {
  const key = requireRecord(parseEventId(id), 'Event')
  const { payload_enc, ...row } = requireRecord(
    await q.selectEvent(context.db, context.store.id, key),
    'Event',
  )
  const content = JSON.parse(openPayload(context, row.tag, payload_enc).toString())
  const { payload, payload_redacted } = redact({ payload: content, attempt_history: [] }, access)
  return { ...asEvent(row), payload, payload_redacted }
}

const asEvent = ({ no, tag, type, ...row }: q.EventRow): StoreEvent => ({
  ...row,
  id: eventId(no, tag),
  type: type as EventType,
})
