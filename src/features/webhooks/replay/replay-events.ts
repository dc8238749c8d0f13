import { inTransaction, type Tx } from '../../../db/database.ts'
import { EVENT_TYPES } from '../../../events/types.ts'
import { invalid, invalidState, requireRecord } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertMissedDeliveries, lockMissedEvents, selectEndOfScan } from '../queries/replay.ts'
import { lockWebhook } from '../queries/webhooks.ts'
import type { NewReplay, Replay } from './schema.ts'

/** Events are stored for 30 days (decision 18). */
const REPLAYED_DAYS_MAX = 30
/** The events that one call looks at, and the deliveries that it creates, so that a call stays short (decision 485). */
const SCANNED_MAX = 5_000
const QUEUED_MAX = 1_000

/**
 * Creates deliveries of the events that an endpoint has none of, oldest first (decision 485). They are sent like first
 * attempts. A repeated call creates no second delivery of an event.
 */
export function replayEvents(
  context: StoreContext,
  id: string,
  { since, types }: NewReplay,
): Promise<Replay> {
  const { store, now } = context
  requireRecentPast(since, now)
  return inTransaction(context.db, async (tx) => {
    const webhook = requireRecord(await lockWebhook(tx, store.id, id), 'Endpoint')
    if (!webhook.enabled) {
      const message = 'The endpoint is off. Turn it on, then replay the events.'
      throw invalidState('off', message)
    }
    const selection = { since, types: typesOf(webhook.events, types), endpointId: webhook.id }
    const replay = await queueMissed(tx, context, selection)
    if (replay.queued === 0) context.audit.skipEvent()
    context.audit.reportChange(null, { queued: replay.queued })
    return replay
  })
}

function requireRecentPast(since: string, now: string) {
  if (since > now) throw invalid('since', 'Use a time in the past.')
  const earliest = iso(Date.parse(now) - REPLAYED_DAYS_MAX * DAY_MS)
  if (since >= earliest) return
  const message = `Use a time in the past ${REPLAYED_DAYS_MAX} days. Events are stored for ${REPLAYED_DAYS_MAX} days.`
  throw invalid('since', message, { earliest })
}

/** Returns the event types to replay. `*` stands for all types. */
function typesOf(
  subscribed: readonly string[],
  requested: readonly string[] | undefined,
): readonly string[] {
  const allowed = subscribed.includes('*') ? EVENT_TYPES : subscribed
  const other = requested?.find((type) => !allowed.includes(type))
  if (other === undefined) return requested ?? allowed
  const message = `The endpoint is not subscribed to ${other}. Add the type to its events, or omit it here.`
  throw invalid('types', message, { allowed: [...allowed] })
}

interface Selection {
  since: string
  types: readonly string[]
  endpointId: number
}

async function queueMissed(tx: Tx, context: StoreContext, selection: Selection): Promise<Replay> {
  const { store, now } = context
  const { since, endpointId } = selection
  const until = await selectEndOfScan(tx, store.id, { since, limit: SCANNED_MAX })
  const missed = await lockMissedEvents(tx, store.id, { ...selection, until, limit: QUEUED_MAX })
  const numbers = missed.map(({ no }) => no)
  const queued = await insertMissedDeliveries(tx, store.id, { numbers, endpointId, now })
  const last = missed.at(-1)
  if (last && missed.length === QUEUED_MAX) return { queued, next_since: last.created_at }
  // All events of the last millisecond were looked at.
  return { queued, next_since: until === undefined ? null : iso(Date.parse(until) + 1) }
}
