import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import { inTransaction } from '../../../db/database.ts'
import { eventId } from '../../../events/event-id.ts'
import { payloadPlace } from '../../../events/ledger.ts'
import { iso } from '../../../kernel/time.ts'
import { secretPlace } from '../create-webhook.ts'
import * as claim from '../queries/claim.ts'
import { recordLostRetries, type ResultRow, salvageEvents } from '../queries/record.ts'
import { type Progress, resultOf } from '../result.rules.ts'
import { createSender, type Sender } from '../sending/sender.ts'
import { signatureHeader } from '../sending/signature.ts'
import { createLanes, PLACES } from './lanes.ts'
import type { Result } from './record-results.ts'
import { createResultBuffer } from './result-buffer.ts'

/** Sends what waits: first tries of events, and retries that are due. */
export interface Dispatcher {
  /** Takes nothing more, lets running tries end, and writes down what they brought. */
  stop(): Promise<void>
}

const IN_FLIGHT_MAX = 256
const EVENTS_PER_STORE = 12
const CLAIM_MAX = 64
const IDLE_MS = 200
const STOP_WAIT_MS = 11_000

/** One delivery that a lease of ours covers. */
interface Try {
  lane: Result['lane']
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  progress: Progress
  event: { no: number; tag: number; type: string }
  payload_enc: Buffer
  created_at: string
  clock_offset_ms: number
  finished?: () => Result['finished']
}

export function startDispatcher(app: App): Dispatcher {
  const sender = createSender({ allowedHosts: app.allowedHosts })
  const buffer = createResultBuffer(app)
  const lanes = createLanes(wake)
  let stopped = false
  let wakeUp: (() => void) | undefined
  let woken = false
  let lastStore = 0

  app.ledger.onRecorded(wake)
  const ended = loop()

  function wake() {
    woken = true
    wakeUp?.()
  }

  async function loop() {
    while (!stopped) {
      woken = false
      const claimed = await claimSome().catch(noted)
      if (claimed === 0 && !woken) await sleep()
    }
  }

  function noted(error: unknown): number {
    app.log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'webhooks could not be claimed')
    return 0
  }

  function sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function claimSome(): Promise<number> {
    const free = IN_FLIGHT_MAX - lanes.size()
    if (free < CLAIM_MAX) return 0
    const first = await claimFirstTries()
    const retries = await claimRetries()
    const tries = [...first, ...retries]
    if (tries.length === 0) return 0
    const targets = await claim.selectTargets(app.db, [...new Set(tries.map((one) => one.endpoint_id))])
    for (const one of tries) begin(one, targets.get(one.endpoint_id))
    return tries.length
  }

  async function claimFirstTries(): Promise<Try[]> {
    const options = { perStore: EVENTS_PER_STORE, limit: CLAIM_MAX }
    let events = await claim.claimEvents(app.db, { afterStore: lastStore, ...options })
    if (events.length === 0 && lastStore > 0) {
      events = await claim.claimEvents(app.db, { afterStore: 0, ...options })
    }
    lastStore = events.length < CLAIM_MAX ? 0 : (events.at(-1)?.store_id ?? 0)
    const lost = events.filter((event) => event.lost)
    if (lost.length > 0) await inTransaction(app.db, (tx) => salvageEvents(tx, lost))
    return events.filter((event) => !event.lost).flatMap(firstTries)
  }

  async function claimRetries(): Promise<Try[]> {
    const rows = await claim.claimRetries(app.db, {
      room: lanes.room(),
      roomOfOthers: PLACES,
      limit: CLAIM_MAX,
    })
    const lost = rows.filter((row) => row.lost_now)
    if (lost.length > 0) await inTransaction(app.db, (tx) => recordLostRetries(tx, lost))
    return rows.map(asRetry)
  }

  function begin(one: Try, target: claim.Target | undefined) {
    if (!target || target.deleted) return put(one, { status: 'cancelled', wait_ms: null })
    if (!target.enabled) return put(one, { status: 'pending', wait_ms: null })
    const work = () => attempt(one, target).catch((error) => void noted(error))
    if (!lanes.enter(one.endpoint_id, work)) put(one, { status: 'pending', wait_ms: 0 })
  }

  /** Writes down a delivery that was not tried: it waits, or has nobody to go to. */
  function put(one: Try, waiting: Pick<ResultRow, 'status' | 'wait_ms'>) {
    const { attempts, step } = one.progress
    const untried = { status_code: null, error: null, duration_ms: null, response_body: null }
    const row = { ...base(one), ...untried, attempts, step, ...waiting }
    buffer.add({ lane: one.lane, row, sent: false, finished: one.finished?.() })
  }

  async function attempt(one: Try, target: claim.Target) {
    const body = app.vault.open(payloadPlace(one.store_id, one.event.tag), one.payload_enc)
    const outcome = await sender.send(requestOf(app, { one, target, body }))
    const chance = one.clock_offset_ms > 0 ? 0 : Math.random()
    const { ok: _, error_code: _code, ...answer } = outcome
    const row = { ...base(one), ...answer, ...resultOf(one.progress, outcome, chance) }
    buffer.add({ lane: one.lane, row, sent: true, finished: one.finished?.() })
  }

  const base = ({ store_id, delivery_id, endpoint_id, token, created_at, clock_offset_ms }: Try) => ({
    store_id,
    delivery_id,
    endpoint_id,
    token,
    created_at,
    at: iso(app.clock.now() + clock_offset_ms),
  })

  return {
    async stop() {
      stopped = true
      wake()
      await ended
      await drained(lanes.size, STOP_WAIT_MS)
      await buffer.close()
      await sender.close()
    },
  }
}

/** The deliveries of an event, whose fan-out goes with the last of them. */
function firstTries(claimed: claim.ClaimedEvent): Try[] {
  const { store_id, no, tag, type, token, endpoint_ids } = claimed
  const positions = endpoint_ids.flatMap((endpoint_id, place) => (endpoint_id === 0 ? [] : [{ endpoint_id, place }]))
  let left = positions.length
  return positions.map(({ endpoint_id, place }) => ({
    ...claimed,
    lane: 'first',
    endpoint_id,
    delivery_id: no * 32 + place,
    progress: { attempts: 0, step: 0, lost: 0 },
    event: { no, tag, type },
    finished: () => (--left === 0 ? { store_id, no, token } : undefined),
  }))
}

const asRetry = ({ no, tag, type, attempts, step, lost, lost_now, ...row }: claim.ClaimedRetry): Try => ({
  ...row,
  lane: 'retry',
  progress: { attempts: attempts + (lost_now ? 1 : 0), step, lost },
  event: { no, tag, type },
})

type Sent = Parameters<Sender['send']>[0]

/** The request as it goes out (specification, "Request headers"). */
function requestOf(
  app: App,
  { one, target, body }: { one: Try; target: claim.Target; body: Buffer },
): Sent {
  const t = Math.floor(app.clock.now() / 1_000)
  return {
    url: target.url,
    body,
    headers: {
      'Service-Signature': signatureHeader(secretsOf(app, target), t, body),
      'Service-Event-Id': eventId(one.event.no, one.event.tag),
      'Service-Event-Type': one.event.type,
      'Service-Delivery-Attempt': String(one.progress.attempts + 1),
    },
  }
}

/** While a rolled secret overlaps, both sign; the new one comes last (decision 19). */
function secretsOf(app: App, target: claim.Target): string[] {
  const place = secretPlace(target.store_id, target.public_id)
  const current = app.vault.open(place, target.secret_enc).toString()
  const { prev_secret_enc, prev_secret_until } = target
  const overlaps = prev_secret_until !== null && Date.parse(prev_secret_until) > app.clock.now()
  if (!prev_secret_enc || !overlaps) return [current]
  return [app.vault.open(place, prev_secret_enc).toString(), current]
}

async function drained(size: () => number, wait_ms: number): Promise<void> {
  const until = Date.now() + wait_ms
  while (size() > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
}
