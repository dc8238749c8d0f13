import type { App } from '../../../app.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { Sender } from '../../../sender/sender.ts'
import type { Meter } from '../metrics.ts'
import type { WebhookTarget } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { isExhausted } from '../result.rules.ts'
import { attemptDelivery, unsentResult } from './attempt.ts'
import type { EndpointQueues } from './endpoint-queues.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import type { AttemptResult } from './record-results.ts'
import type { ResultBuffer } from './result-buffer.ts'
import { localSlots, type Slots } from './slots.ts'
import type { Targets } from './targets.ts'

/** Sends, parks or ends claimed deliveries. */
export interface Executor {
  begin(delivery: LeasedDelivery, state: ClaimTimes): void
  /** Makes the delivery due again at once. */
  release(delivery: LeasedDelivery): void
}

/** The moments of a claim by `performance.now()`, and the endpoint that was read then. */
interface ClaimTimes {
  claimed_at: number
  /** Undefined if the endpoint does not exist. */
  target: WebhookTarget | undefined
  read_at: number
}

interface ExecutorOptions {
  sender: Sender
  targets: Targets
  queues: EndpointQueues
  buffer: ResultBuffer
  meter: Meter
  logFailure: (error: unknown) => void
  slots?: Slots
}

/**
 * The latest start of an attempt after its claim. A later attempt could outlast its lease of 30 s: it may wait
 * 5 s for a connection and 10 s for the response, and its result must then be recorded.
 */
const BEGIN_MAX_MS = 10 * SECOND_MS
/** The maximum age of a target. An older one is read again. */
const TARGET_MAX_MS = 100

export function createExecutor(app: App, options: ExecutorOptions): Executor {
  const { sender, targets, queues, buffer, meter, logFailure, slots = localSlots(app.db) } = options
  const { vault } = app
  const dependencies = { sender, signer: { vault, secretCache: new WeakMap() } }
  const release = (item: LeasedDelivery) =>
    finish(item, unsentResult(app, item, { status: 'pending', wait_ms: 0 }))

  function finish(item: LeasedDelivery, result: AttemptResult) {
    slots.free(item)
    buffer.add(result)
  }

  /** Checks the endpoint again after a wait for a connection, because it may have changed (decision 53). */
  const recheck =
    (item: LeasedDelivery, { url }: WebhookTarget) =>
    () =>
      targets.reread(item.endpoint_id).then(
        (target) => target?.url === url && blockedStatus(item, target) === undefined,
        () => false,
      )

  async function send(item: LeasedDelivery, target: WebhookTarget): Promise<Outcome | undefined> {
    try {
      const input = { delivery: item, target, recheck: recheck(item, target) }
      const { result, outcome } = await attemptDelivery(app, dependencies, input)
      if (result.isSent) meter.recordAttempt(outcome)
      finish(item, result)
      return outcome
    } catch (error) {
      slots.free(item)
      logFailure(error)
      return undefined
    }
  }

  /** Sends a delivery that was queued, unless its endpoint was turned off or deleted (decision 53). */
  async function sendQueued(item: LeasedDelivery): Promise<Outcome | undefined> {
    try {
      const target = await targets.reread(item.endpoint_id)
      const status = blockedStatus(item, target)
      if (target && !status) return await send(item, target)
      endUnsent(item, status)
    } catch (error) {
      logFailure(error)
      release(item)
    }
    return undefined
  }

  const endUnsent = (item: LeasedDelivery, status: ResultRow['status'] = 'cancelled') =>
    finish(item, unsentResult(app, item, { status, wait_ms: null }))

  return {
    release,
    begin(delivery, { claimed_at, target, read_at }) {
      const status = blockedStatus(delivery, target)
      if (!target || status) return endUnsent(delivery, status)
      queues.add({
        store_id: delivery.store_id,
        endpoint_id: delivery.endpoint_id,
        bytes: delivery.event.payload_enc.length,
        run() {
          const now = performance.now()
          if (now - claimed_at <= BEGIN_MAX_MS && !buffer.isFailing()) {
            return now - read_at <= TARGET_MAX_MS ? send(delivery, target) : sendQueued(delivery)
          }
          release(delivery)
          return Promise.resolve(undefined)
        },
        release: () => release(delivery),
      })
    },
  }
}

/** Returns the new status of a delivery that cannot be sent to this target; undefined if it can be sent. */
function blockedStatus(
  item: LeasedDelivery,
  target: WebhookTarget | undefined,
): ResultRow['status'] | undefined {
  if (!target || target.deleted) return 'cancelled'
  if (!target.enabled) return 'pending'
  return isExhausted(item.progress) ? 'failed' : undefined
}
