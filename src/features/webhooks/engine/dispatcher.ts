import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { createSender } from '../../../sender/sender.ts'
import { type Meter, NO_METER } from '../metrics.ts'
import { createClaims } from './claims.ts'
import { createExecutor } from './executor.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { createLookout } from './lookout.ts'
import { createResultBuffer } from './result-buffer.ts'
import { sharedSlots, soleSlots } from './slots.ts'
import { createTargets } from './targets.ts'
import type { Try } from './try.ts'

/** Sends pending deliveries: first attempts of events, and due retries. */
export interface Dispatcher {
  /** Claims nothing more, lets running attempts end, and records their results. */
  stop(): Promise<void>
}

/** Deliveries that a crash would send once more: being sent, or not recorded yet. */
const IN_HAND_MAX = 2_000
/** Payloads under way; each is in memory three times, sealed, open and as a request. */
const BYTES_MAX = 64 * 1024 * 1024
/** How many begin before others have their turn, and requests leave. */
const AT_ONCE = 32
const STOP_WAIT_MS = 11 * SECOND_MS
const LANES_LOOK_MS = 5
const TOLD_EVERY_MS = 10 * SECOND_MS

interface Taken {
  claimed_at: number
  tries: readonly Try[]
}

const NOTHING: Taken = { claimed_at: 0, tries: [] }

export function startDispatcher(app: App, meter: Meter = NO_METER): Dispatcher {
  const noted = createFailureLog(app)
  const sender = createSender({ allowedHosts: app.config.webhookAllowedHosts })
  const lookout = createLookout(app, noted)
  const buffer = createResultBuffer(app, { meter, onWritten: lookout.ring })
  const lanes = createLanes(IN_HAND_MAX, lookout.ring)
  const room = () => (lanes.bytes() < BYTES_MAX ? IN_HAND_MAX - lanes.size() - buffer.size() : 0)
  const slots = app.config.databaseUrl ? sharedSlots(app.db, lanes) : soleSlots(app.db)
  const claims = createClaims(app, { lanes, room, meter, noted, slots })
  const targets = createTargets(app.db)
  const executor = createExecutor(app, { sender, targets, lanes, buffer, meter, noted, slots })
  let stopped = false

  app.ledger.onRecorded(lookout.ring)
  meter.watch(sender.stats)
  const looped = loop()

  async function loop() {
    let taken = NOTHING
    while (!stopped || taken.tries.length > 0) {
      // While many begin, the database already looks for more.
      const next = taken.tries.length > AT_ONCE ? take(taken.tries.length) : undefined
      await begin(taken).catch(noted)
      taken = await (next ?? take(0))
      if (taken.tries.length > 0) continue
      await slots.save().catch(noted)
      if (!stopped) await lookout.untilDue()
    }
  }

  /** `unbegun` were taken before and are still to begin. */
  async function take(unbegun: number): Promise<Taken> {
    if (stopped || buffer.isBehind()) return NOTHING
    const claimed_at = performance.now()
    const tries = (await claims.take(unbegun).catch(noted)) ?? []
    if (tries.length > 0) {
      meter.claimed()
      lookout.found()
    }
    return { claimed_at, tries }
  }

  async function begin({ tries, claimed_at }: Taken) {
    if (tries.length === 0) return
    const read_at = performance.now()
    const known = await targets.read(new Set(tries.map((item) => item.endpoint_id))).catch(noted)
    for (const [at, one] of tries.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await turn()
      if (known && !stopped)
        executor.begin(one, { claimed_at, read_at, target: known.get(one.endpoint_id) })
      else executor.giveBack(one)
    }
  }

  return {
    async stop() {
      stopped = true
      lookout.ring()
      await looped
      lanes.empty()
      // Running attempts end by their own deadline; a queued attempt finds the sender closed.
      const closed = sender.close()
      await untilEmpty(lanes, () => slots.save().catch(noted))
      await closed
      await buffer.close()
      await slots.save().catch(noted)
    },
  }
}

/** Other processes get each slot as soon as its request has ended. */
async function untilEmpty(lanes: Lanes, saveSlots: () => Promise<void>): Promise<void> {
  const until = performance.now() + STOP_WAIT_MS
  while (lanes.size() > 0 && performance.now() < until) {
    await saveSlots()
    await pause(LANES_LOOK_MS)
  }
}

/** Tells the log what went wrong; that the database is away is told now and then, not at each look. */
function createFailureLog({ log }: App): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (!isUnavailable(error)) return log.error({ err: error }, 'webhooks could not be sent')
    const now = performance.now()
    if (now - toldAt < TOLD_EVERY_MS) return
    toldAt = now
    log.warn({ reason: (error as Error).message }, 'webhooks wait for the database')
  }
}
