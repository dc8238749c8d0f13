import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '../../../db/database.ts'
import { eventId } from '../../../events/event-id.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { SECOND_MS, steadyClock, systemClock } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { headersOf } from '../engine/headers.ts'
import { selectTarget, type WebhookTarget } from '../queries/claim.ts'
import * as q from '../queries/listeners.ts'
import { addStats } from '../queries/stats.ts'
import { openPayload } from '../sealed.ts'
import { sumStats } from '../stats.rules.ts'
import { LISTENER_TIMEOUT_MS } from './open-listener.ts'
import { BATCH_MAX, type ListenerDelivery, type PollAnswer, type RelayResult } from './schema.ts'

const WAIT_S = 5
const POLL_MS = 200
/** The maximum size of the bodies in one response. JSON may double it, and a response has at most 1 MiB. */
export const BYTES_MAX = 384 * 1024

export interface NextRequest {
  endpoint: string
  relayed: readonly RelayResult[]
}

interface PollOptions {
  wait_s: number
  /** The maximum size of the bodies. Longer ones are null, or the only one of the answer. */
  bytes_max: number
  long: 'null' | 'alone'
}

/** The limits of an answer through the control socket. */
const LOCAL_POLL: PollOptions = { wait_s: WAIT_S, bytes_max: BYTES_MAX, long: 'null' }
/** The maximum size of the bodies in one answer of the API, unless a single body is longer. */
const REMOTE_BYTES_MAX = 4 * 1024 * 1024

/**
 * Records the results of the previous deliveries, and returns the deliveries that are parked for the listener.
 * If there are none, waits for up to 5 s, because the listener polls again at once.
 */
export const pollDeliveries = (context: StoreContext, request: NextRequest, signal: AbortSignal) =>
  poll(context, { ...LOCAL_POLL, ...request }, signal)

/** Like `pollDeliveries`, for a listener that calls the API. Every body is in the answer. */
export async function pollRemotely(
  context: StoreContext,
  request: NextRequest & { wait_s: number },
  signal: AbortSignal,
) {
  const options = { ...request, bytes_max: REMOTE_BYTES_MAX, long: 'alone' } as const
  const { deliveries } = await poll(context, options, signal)
  return { deliveries: deliveries?.map(({ body, ...item }) => ({ ...item, body: body ?? '' })) }
}

async function poll(
  context: StoreContext,
  { endpoint, relayed, wait_s, ...limits }: NextRequest & PollOptions,
  signal: AbortSignal,
): Promise<PollAnswer> {
  const { db, store } = context
  const id = await q.touchListener(db, store.id, { id: endpoint, timeout_ms: LISTENER_TIMEOUT_MS })
  if (id === undefined) return {}
  await recordRelayed(context, id, relayed)
  const deadline = steadyClock.now() + wait_s * SECOND_MS
  for (;;) {
    const parkedDeliveries = await q.selectParked(db, store.id, {
      endpointId: id,
      limit: BATCH_MAX,
    })
    if (parkedDeliveries.length > 0)
      return { deliveries: await signParked(context, id, { parkedDeliveries, ...limits }) }
    if (signal.aborted || steadyClock.now() >= deadline) return { deliveries: [] }
    await pause(POLL_MS)
  }
}

/** Records the results of relayed deliveries. */
export async function recordRelayed(
  { db, store, now }: StoreContext,
  endpointId: number,
  rows: readonly RelayResult[],
): Promise<void> {
  if (rows.length === 0) return
  await inTransaction(db, async (tx) => {
    const endedDeliveries = await q.recordRelayed(tx, store.id, { endpointId, rows, at: now })
    const stat = { store_id: store.id, endpoint_id: endpointId, at: now }
    await addStats(tx, sumStats(endedDeliveries.map((item) => ({ ...item, ...stat }))))
  })
}

async function signParked(
  context: StoreContext,
  id: number,
  {
    parkedDeliveries,
    bytes_max,
    long,
  }: Omit<PollOptions, 'wait_s'> & { parkedDeliveries: readonly q.ParkedDelivery[] },
): Promise<ListenerDelivery[]> {
  const target = requireRecord(await selectTarget(context.db, id), 'Endpoint')
  const deliveries: ListenerDelivery[] = []
  let bytes = 0
  for (const delivery of parkedDeliveries) {
    const body = openPayload(context, delivery.tag, delivery.payload_enc)
    const isLong = long === 'null' && body.length > bytes_max
    if (!isLong) bytes += body.length
    if (bytes > bytes_max && deliveries.length > 0) break
    deliveries.push({
      ...sign(context, target, { delivery, body }),
      body: isLong ? null : body.toString(),
    })
  }
  return deliveries
}

/** Signs a delivery with the same headers as the sender. */
function sign(
  { vault }: StoreContext,
  target: WebhookTarget,
  { delivery, body }: { delivery: q.ParkedDelivery; body: Buffer },
) {
  const { delivery_id, no, tag, type } = delivery
  const headerInput = {
    target,
    no,
    tag,
    type,
    attempt: delivery.attempts + 1,
    body,
    at_ms: systemClock.now(),
  }
  const headers = headersOf({ vault }, headerInput)
  return { delivery_id, event_id: eventId(no, tag), type, headers }
}

/** Returns a part of a body that is too long for one response, in base64; empty after the end. */
export async function readBodyPart(
  context: StoreContext,
  { endpoint, delivery_id, from }: { endpoint: string; delivery_id: number; from: number },
): Promise<{ part: string }> {
  const { db, store } = context
  const id = await q.touchListener(db, store.id, {
    id: endpoint,
    timeout_ms: LISTENER_TIMEOUT_MS,
  })
  const endpointId = requireRecord(id, 'Endpoint')
  const key = { endpointId, deliveryId: delivery_id }
  const row = requireRecord(await q.selectParkedPayload(db, store.id, key), 'Delivery')
  return {
    part: openPayload(context, row.tag, row.payload_enc)
      .subarray(from, from + BYTES_MAX)
      .toString('base64'),
  }
}
