import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '../../../db/database.ts'
import { eventId } from '../../../events/event-id.ts'
import { payloadSealContext } from '../../../events/sealed.ts'
import { found } from '../../../kernel/errors.ts'
import { SECOND_MS, steadyClock, systemClock } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { headersOf } from '../engine/headers.ts'
import { selectTarget, type Target } from '../queries/claim.ts'
import * as q from '../queries/listeners.ts'
import { addStats } from '../queries/stats.ts'
import { sumUp } from '../stats.rules.ts'
import { SILENCE_MS } from './open-listener.ts'
import { BATCH_MAX, type Handed, type HandedOver, type Relayed } from './schema.ts'

const WAIT_MS = 5 * SECOND_MS
const LOOK_MS = 200
/** Total size of bodies in one response. JSON text may double it, and the limit is 1 MiB. */
export const BYTES_MAX = 384 * 1024

export interface Asked {
  endpoint: string
  relayed: readonly Relayed[]
}

/**
 * Records the results of the previous deliveries, and returns those that are parked for the
 * listener now. If there are none it waits a little, because the listener calls again at once.
 */
export async function handOver(
  context: StoreContext,
  { endpoint, relayed }: Asked,
  signal: AbortSignal,
): Promise<HandedOver> {
  const { db, store } = context
  const id = await q.touchListener(db, store.id, { id: endpoint, silence_ms: SILENCE_MS })
  if (id === undefined) return {}
  await recordRelayed(context, id, relayed)
  const until = steadyClock.now() + WAIT_MS
  while (!signal.aborted && steadyClock.now() < until) {
    const parked = await q.selectParked(db, store.id, { endpointId: id, limit: BATCH_MAX })
    if (parked.length > 0) return { deliveries: await signedFor(context, id, parked) }
    await pause(LOOK_MS)
  }
  return { deliveries: [] }
}

/** Ends deliveries by the answers of the listener's receiver. */
export async function recordRelayed(
  { db, store, now }: StoreContext,
  endpointId: number,
  rows: readonly Relayed[],
): Promise<void> {
  if (rows.length === 0) return
  await inTransaction(db, async (tx) => {
    const ended = await q.recordRelayed(tx, store.id, { endpointId, rows, at: now })
    const stat = { store_id: store.id, endpoint_id: endpointId, at: now }
    await addStats(tx, sumUp(ended.map((item) => ({ ...item, ...stat }))))
  })
}

async function signedFor(
  context: StoreContext,
  id: number,
  parked: readonly q.Parked[],
): Promise<Handed[]> {
  const target = found(await selectTarget(context.db, id), 'Endpoint')
  const handed: Handed[] = []
  let bytes = 0
  for (const delivery of parked) {
    const body = bodyOf(context, delivery)
    const isLong = body.length > BYTES_MAX
    if (!isLong) bytes += body.length
    if (bytes > BYTES_MAX) break
    handed.push({
      ...sign(context, target, { delivery, body }),
      body: isLong ? null : body.toString(),
    })
  }
  return handed
}

const bodyOf = (
  { vault, store }: StoreContext,
  { tag, payload_enc }: Pick<q.Parked, 'tag' | 'payload_enc'>,
) => vault.open(payloadSealContext(store.id, tag), payload_enc)

/** The headers that the sender would send, so that the receiver sees no difference. */
function sign(
  { vault }: StoreContext,
  target: Target,
  { delivery, body }: { delivery: q.Parked; body: Buffer },
) {
  const { delivery_id, no, tag, type } = delivery
  const signed = { target, no, tag, type, attempt: delivery.attempts + 1, body }
  const headers = headersOf({ vault, clock: systemClock }, signed)
  return { delivery_id, event_id: eventId(no, tag), type, headers }
}

/** A piece of a body that is too long for one answer, in base64; empty behind its end. */
export async function partOf(
  context: StoreContext,
  { endpoint, delivery_id, from }: { endpoint: string; delivery_id: number; from: number },
): Promise<{ part: string }> {
  const { db, store } = context
  const touched = await q.touchListener(db, store.id, { id: endpoint, silence_ms: SILENCE_MS })
  const endpointId = found(touched, 'Endpoint')
  const wanted = { endpointId, deliveryId: delivery_id }
  const row = found(await q.selectParkedPayload(db, store.id, wanted), 'Delivery')
  return {
    part: bodyOf(context, row)
      .subarray(from, from + BYTES_MAX)
      .toString('base64'),
  }
}
