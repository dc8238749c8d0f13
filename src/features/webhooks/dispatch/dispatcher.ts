import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { type Meter, NO_METER } from '../metrics.ts'
import { createSender } from '../sending/sender.ts'
import { createClaims } from './claims.ts'
import { createExecutor } from './executor.ts'
import { createLanes } from './lanes.ts'
import { createResultBuffer } from './result-buffer.ts'
import { createTargets } from './targets.ts'

/** Sends what waits: first tries of events, and retries that are due. */
export interface Dispatcher {
  /** Takes nothing more, lets running tries end, and writes down what they brought. */
  stop(): Promise<void>
}

/** Sent, or about to be, or not written down yet: what a crash would send once more. */
const IN_HAND_MAX = 2_000
/** How often it looks when nothing woke it: nobody else writes to an embedded database. */
const LOOK_MS = { server: 200, embedded: SECOND_MS }
const STOP_WAIT_MS = 11 * SECOND_MS
const LANES_LOOK_MS = 5

export function startDispatcher(app: App, meter: Meter = NO_METER): Dispatcher {
  const sender = createSender({ allowedHosts: app.config.webhookAllowedHosts })
  const bell = createBell()
  const buffer = createResultBuffer(app, { meter, onWritten: bell.ring })
  const lanes = createLanes(IN_HAND_MAX, bell.ring)
  const room = () => IN_HAND_MAX - lanes.size() - buffer.size()
  const claims = createClaims(app, { lanes, room, meter, noted })
  const targets = createTargets(app.db)
  const executor = createExecutor(app, { sender, targets, lanes, buffer, meter, noted })
  const look_ms = LOOK_MS[app.config.databaseUrl ? 'server' : 'embedded']
  let stopped = false

  app.ledger.onRecorded(bell.ring)
  meter.watch(sender.stats)
  const ended = loop()

  async function loop() {
    while (!stopped) {
      const claimed = await claimSome().catch(noted)
      if (claimed === 0) await bell.wait(look_ms)
    }
  }

  async function claimSome(): Promise<number> {
    if (buffer.isBehind()) return 0
    const claimed_at = performance.now()
    const tries = await claims.take()
    if (tries.length === 0) return 0
    meter.claimed()
    try {
      const known = await targets.read(new Set(tries.map((one) => one.endpoint_id)))
      for (const one of tries) executor.begin(one, claimed_at, known.get(one.endpoint_id))
    } catch (error) {
      for (const one of tries) executor.giveBack(one)
      throw error
    }
    return tries.length
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
      // What runs ends by its own deadline; a queued try that is only now read again finds it closed.
      await sender.close()
      const until = Date.now() + STOP_WAIT_MS
      while (lanes.size() > 0 && Date.now() < until) await pause(LANES_LOOK_MS)
      await buffer.close()
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
