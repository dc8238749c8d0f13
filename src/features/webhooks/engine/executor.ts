import type { App } from '../../../app.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { Sender } from '../../../sender/sender.ts'
import type { Meter } from '../metrics.ts'
import type { Target } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { isSpent } from '../result.rules.ts'
import { attempt, untried } from './attempt.ts'
import type { Lanes } from './lanes.ts'
import type { Result } from './record-results.ts'
import type { ResultBuffer } from './result-buffer.ts'
import { type Slots, soleSlots } from './slots.ts'
import type { Targets } from './targets.ts'
import type { Try } from './try.ts'

/** Decides what happens to a delivery that was taken: it is sent, it waits, or it is over. */
export interface Executor {
  begin(one: Try, state: Beginning): void
  /** It was not tried, and is due at once. */
  giveBack(one: Try): void
}

/** Moments by `performance.now()`. */
export interface Beginning {
  claimed_at: number
  /** Without one there is nobody to send to. */
  target: Target | undefined
  read_at: number
}

export interface ExecutorOptions {
  sender: Sender
  targets: Targets
  lanes: Lanes
  buffer: ResultBuffer
  meter: Meter
  noted: (error: unknown) => void
  slots?: Slots
}

/**
 * Latest start of an attempt. A later one could outlast its lease of 30 s: it may wait 5 s for a
 * connection and 10 s for the response, and its result must then be recorded.
 */
const BEGIN_MAX_MS = 10 * SECOND_MS
/** For how long a target is taken to be as it was read. */
const READ_MAX_MS = 100

export function createExecutor(app: App, options: ExecutorOptions): Executor {
  const { sender, targets, lanes, buffer, meter, noted } = options
  const { slots = soleSlots(app.db) } = options
  const { vault, clock } = app
  const signing = { sender, signer: { vault, clock, opened: new WeakMap() } }
  const giveBack = (item: Try) => add(item, untried(app, item, { status: 'pending', wait_ms: 0 }))

  function add(item: Try, result: Result) {
    slots.free(item)
    buffer.add(result)
  }

  /** A wait for a connection is one too: its endpoint may have moved, or be gone, by its end (decision 53). */
  const stillDue =
    (item: Try, { url }: Target) =>
    () =>
      targets.readAgain(item.endpoint_id).then(
        (target) => target?.url === url && hindrance(item, target) === undefined,
        () => false,
      )

  async function send(one: Try, target: Target): Promise<Outcome | undefined> {
    try {
      const asked = { one, target, stillDue: stillDue(one, target) }
      const { result, outcome } = await attempt(app, signing, asked)
      if (result.sent) meter.attempted(outcome)
      add(one, result)
      return outcome
    } catch (error) {
      slots.free(one)
      noted(error)
      return undefined
    }
  }

  /** A delivery that had to queue: its endpoint may have moved, or be gone, by now (decision 53). */
  async function sendLater(item: Try): Promise<Outcome | undefined> {
    try {
      const target = await targets.readAgain(item.endpoint_id)
      const status = hindrance(item, target)
      if (target && !status) return await send(item, target)
      end(item, status)
    } catch (error) {
      noted(error)
      giveBack(item)
    }
    return undefined
  }

  const end = (item: Try, status: ResultRow['status'] = 'cancelled') =>
    add(item, untried(app, item, { status, wait_ms: null }))

  return {
    giveBack,
    begin(one, { claimed_at, target, read_at }) {
      const status = hindrance(one, target)
      if (!target || status) return end(one, status)
      lanes.enter({
        store_id: one.store_id,
        endpoint_id: one.endpoint_id,
        bytes: one.event.payload_enc.length,
        run() {
          const now = performance.now()
          if (now - claimed_at <= BEGIN_MAX_MS && !buffer.isBehind()) {
            return now - read_at <= READ_MAX_MS ? send(one, target) : sendLater(one)
          }
          giveBack(one)
          return Promise.resolve(undefined)
        },
        giveBack: () => giveBack(one),
      })
    },
  }
}

/** Why a delivery is not sent to a target as it is now; nothing where it is. */
function hindrance(item: Try, target: Target | undefined): ResultRow['status'] | undefined {
  if (!target || target.deleted) return 'cancelled'
  if (!target.enabled) return 'pending'
  return isSpent(item.progress) ? 'failed' : undefined
}
