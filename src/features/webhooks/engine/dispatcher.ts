import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { createSender } from '../../../sender/sender.ts'
import { type Meter, NO_METER } from '../metrics.ts'
import { createClaimer } from './claimer.ts'
import { createClaims } from './claims.ts'
import { createEndpointQueues, type EndpointQueues } from './endpoint-queues.ts'
import { createExecutor, type Executor } from './executor.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import { createPoller } from './poller.ts'
import { createResultBuffer } from './result-buffer.ts'
import { createSlots } from './slots.ts'
import { createTargets, type Targets } from './targets.ts'

/** Sends pending deliveries: first attempts of events, and due retries. */
export interface Dispatcher {
  /** Stops claiming, waits for running attempts, and records their results. */
  stop(): Promise<void>
}

/** The maximum number of deliveries that are being sent or not recorded yet. A crash would send them twice. */
const IN_PROGRESS_MAX = 2_000
/** The maximum size of their payloads. Each payload is in memory three times: sealed, open and as a request. */
const BYTES_MAX = 64 * 1024 * 1024
/** The attempts that start before the event loop runs and sends their requests. */
const STARTS_PER_TURN = 32
/** The wait for running attempts when the dispatcher stops: a second more than the deadline of an attempt. */
const STOP_WAIT_MS = 11 * SECOND_MS
/** The interval at which the queues are checked during that wait. */
const QUEUES_POLL_MS = 5
const LOG_EVERY_MS = 10 * SECOND_MS

interface ClaimedBatch {
  claimed_at: number
  deliveries: readonly LeasedDelivery[]
}

const NO_BATCH: ClaimedBatch = { claimed_at: 0, deliveries: [] }

export function startDispatcher(app: App, meter: Meter = NO_METER): Dispatcher {
  const logFailure = createFailureLog(app)
  const sender = createSender({ allowedHosts: app.config.webhookAllowedHosts })
  const poller = createPoller(app, logFailure)
  const buffer = createResultBuffer(app, {
    meter,
    onWritten: (results) => claimer.onWritten(results),
  })
  const queues = createEndpointQueues(IN_PROGRESS_MAX, (storeId) => claimer.onFree(storeId))
  const capacity = () => (isFull(queues) ? 0 : IN_PROGRESS_MAX - queues.size() - buffer.size())
  const slots = createSlots(app, queues, poller.wake)
  const shared = { queues, meter, logFailure, slots }
  const claims = createClaims(app, { ...shared, capacity })
  const claimer = createClaimer(app.ledger, { claims, poller, capacity })
  const targets = createTargets(app.db)
  const executor = createExecutor(app, { ...shared, sender, targets, buffer })
  let isStopped = false
  const starting = { targets, executor, logFailure, isStopped: () => isStopped }

  meter.watch(sender.stats)
  const loopEnded = loop()

  async function loop() {
    let batch = NO_BATCH
    while (!isStopped || batch.deliveries.length > 0) {
      // While a large batch starts, the database already claims the next one.
      const count = batch.deliveries.length
      const next = count > STARTS_PER_TURN ? claim(count) : undefined
      await beginBatch(batch, starting).catch(logFailure)
      batch = await (next ?? claim(0))
      if (batch.deliveries.length > 0) continue
      await slots.save().catch(logFailure)
      if (!isStopped && (await poller.waitUntilDue())) claimer.searchNext()
    }
  }

  async function claim(unstartedCount: number): Promise<ClaimedBatch> {
    if (isStopped || buffer.isFailing()) return NO_BATCH
    const claimed_at = performance.now()
    const deliveries = (await claimer.claim(unstartedCount).catch(logFailure)) ?? []
    if (deliveries.length > 0) {
      meter.recordClaim()
      poller.recordNonEmptyClaim()
    }
    return { claimed_at, deliveries }
  }

  return {
    async stop() {
      isStopped = true
      poller.wake()
      await loopEnded
      queues.clear()
      // Running attempts end at their deadline. The closed sender refuses queued attempts.
      const senderClosed = sender.close()
      await waitUntilEmpty(queues, () => slots.saveLast().catch(logFailure))
      await senderClosed
      await buffer.close()
      await slots.saveLast().catch(logFailure)
    },
  }
}

interface BatchDependencies {
  targets: Targets
  executor: Executor
  logFailure: (error: unknown) => void
  isStopped: () => boolean
}

async function beginBatch(
  { deliveries, claimed_at }: ClaimedBatch,
  { targets, executor, logFailure, isStopped }: BatchDependencies,
) {
  if (deliveries.length === 0) return
  const read_at = performance.now()
  const byId = await targets.read(endpointsOf(deliveries)).catch(logFailure)
  for (const [index, delivery] of deliveries.entries()) {
    if (index % STARTS_PER_TURN === STARTS_PER_TURN - 1) await nextTurn()
    const target = byId?.get(delivery.endpoint_id)
    if (byId && !isStopped()) executor.begin(delivery, { claimed_at, read_at, target })
    else executor.release(delivery)
  }
}

const endpointsOf = (deliveries: readonly LeasedDelivery[]): ReadonlySet<number> =>
  new Set(deliveries.map((item) => item.endpoint_id))

const isFull = (queues: EndpointQueues): boolean => queues.bytes() >= BYTES_MAX

/** Waits for the running attempts. Saves the slots often, so that other processes can use each freed slot. */
async function waitUntilEmpty(
  queues: EndpointQueues,
  saveSlots: () => Promise<void>,
): Promise<void> {
  const until = performance.now() + STOP_WAIT_MS
  while (queues.size() > 0 && performance.now() < until) {
    await saveSlots()
    await pause(QUEUES_POLL_MS)
  }
}

/** Logs errors. While the database is unavailable, logs only every 10 s. */
function createFailureLog({ log }: App): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (!isUnavailable(error)) return log.error({ err: error }, 'webhooks could not be sent')
    const now = performance.now()
    if (now - loggedAt < LOG_EVERY_MS) return
    loggedAt = now
    log.warn({ reason: (error as Error).message }, 'webhooks wait for the database')
  }
}
