import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { selectTargets, type Target } from '../queries/claim.ts'
import { createSender } from '../sending/sender.ts'
import { attempt, untried } from './attempt.ts'
import { createLanes } from './lanes.ts'
import { createResultBuffer } from './result-buffer.ts'
import { CLAIM_MAX, claimRetries, createEventClaims, type Try } from './try.ts'

/** Sends what waits: first tries of events, and retries that are due. */
export interface Dispatcher {
  /** Takes nothing more, lets running tries end, and writes down what they brought. */
  stop(): Promise<void>
}

const IN_FLIGHT_MAX = 1_000
/** How often it looks when nothing woke it: nobody else writes to an embedded database. */
const LOOK_MS = { server: 200, embedded: SECOND_MS }
const STOP_WAIT_MS = 11 * SECOND_MS

export function startDispatcher(app: App): Dispatcher {
  const sender = createSender({ allowedHosts: app.config.webhookAllowedHosts })
  const buffer = createResultBuffer(app)
  const bell = createBell()
  const lanes = createLanes(bell.ring)
  const claimEvents = createEventClaims(app)
  const look_ms = app.config.databaseUrl ? LOOK_MS.server : LOOK_MS.embedded
  let stopped = false

  app.ledger.onRecorded(bell.ring)
  const ended = loop()

  async function loop() {
    while (!stopped) {
      const claimed = await claimSome().catch(noted)
      if (claimed === 0) await bell.wait(look_ms)
    }
  }

  async function claimSome(): Promise<number> {
    if (IN_FLIGHT_MAX - lanes.size() < CLAIM_MAX) return 0
    // What was claimed is begun, even if the other lane cannot be claimed now.
    const first = await claimEvents().catch(nothing)
    const tries = [...first, ...(await claimRetries(app, lanes.room()).catch(nothing))]
    if (tries.length === 0) return 0
    const ids = new Set(tries.map((one) => one.endpoint_id))
    const targets = await selectTargets(app.db, [...ids])
    for (const one of tries) begin(one, targets.get(one.endpoint_id))
    return tries.length
  }

  function begin(one: Try, target: Target | undefined) {
    if (!target || target.deleted) {
      return buffer.add(untried(app, one, { status: 'cancelled', wait_ms: null }))
    }
    if (!target.enabled) {
      return buffer.add(untried(app, one, { status: 'pending', wait_ms: null }))
    }
    const work = () => attempt(app, sender, { one, target }).then(buffer.add, noted)
    const giveBack = () => buffer.add(untried(app, one, { status: 'pending', wait_ms: 0 }))
    if (!lanes.enter(one.endpoint_id, work, giveBack)) giveBack()
  }

  function nothing(error: unknown): Try[] {
    noted(error)
    return []
  }

  function noted(error: unknown) {
    app.log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'webhooks could not be sent')
    return 0
  }

  return {
    async stop() {
      stopped = true
      bell.ring()
      await ended
      lanes.empty()
      const until = Date.now() + STOP_WAIT_MS
      while (lanes.size() > 0 && Date.now() < until) await pause(20)
      await buffer.close()
      await sender.close()
    },
  }
}

/** Ends a wait early; one ring while nobody waits is remembered. */
function createBell() {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(ms: number) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
      wake = undefined
    },
  }
}
