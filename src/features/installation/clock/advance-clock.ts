import { setTimeout as pause } from 'node:timers/promises'
import { type App, type ClockMove, storeContextOf, storeNow } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { CommandError, SILENT } from '../../../command.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { addSeconds, SECOND_MS } from '../../../kernel/time.ts'
import { addClockOffset, type StoreRow } from '../stores/index.ts'

/**
 * Twice the lease of a webhook delivery. Within this time another process claims and ends the work of a
 * crashed process.
 */
const STALL_TIMEOUT_MS = 60 * SECOND_MS
/** Other processes read the offset from a cache that is at most a second old (decision 41). */
const CACHE_EXPIRY_MS = SECOND_MS + 100

export interface AdvanceOptions {
  /** The time after which the move fails if no work has ended. */
  stallTimeout_ms?: number
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal
}

/** A clock that is being moved. */
interface Advance extends ClockMove {
  readonly app: App
  store: StoreRow
  remaining_ms: number
  /** True after the first step, which writes the audit event of the whole advance. */
  isAudited: boolean
}

/**
 * Moves the clock of a test side, and returns its new time. The clock steps from one due moment to the
 * next; all due work runs before the next step (decision 51). Throws if due work does not end in time.
 */
export async function advanceClock(
  app: App,
  store: StoreRow,
  by_ms: number,
  { stallTimeout_ms = STALL_TIMEOUT_MS, signal = SILENT.signal }: AdvanceOptions = {},
): Promise<string> {
  const advance: Advance = {
    app,
    store,
    remaining_ms: by_ms,
    stallTimeout_ms,
    signal,
    isAudited: false,
    stopError: (reason) => new CommandError(`${reason} ${statusText(advance)}`),
  }
  await runDueWork(advance)
  while (advance.remaining_ms > 0) {
    stopIfLeft(advance)
    await moveClock(advance, Math.min(advance.remaining_ms, await timeUntilNextDue(advance)))
    await runDueWork(advance)
  }
  for (const clockFollower of app.clockFollowers) await clockFollower.finish?.(app, advance.store)
  if (app.config.databaseUrl) await pause(CACHE_EXPIRY_MS)
  return storeNow(app, advance.store)
}

async function moveClock(advance: Advance, step_ms: number): Promise<void> {
  const { app, store } = advance
  for (const clockFollower of app.clockFollowers) await clockFollower.beforeStep?.(app, advance)
  const clock_offset_ms = await inTransaction(app.db, async (tx) => {
    for (const clockFollower of app.clockFollowers)
      await clockFollower.step?.(tx, store.id, step_ms)
    if (!advance.isAudited) await auditAdvance(tx, advance)
    return addClockOffset(tx, store.id, step_ms)
  })
  app.caches.clear()
  advance.isAudited = true
  advance.store = { ...store, clock_offset_ms }
  advance.remaining_ms -= step_ms
}

async function auditAdvance(tx: Tx, { app, store, remaining_ms }: Advance): Promise<void> {
  const from = storeNow(app, store)
  const changes = changesOf({ now: from }, { now: addSeconds(from, remaining_ms / SECOND_MS) })
  const event = { action: 'store.advance_clock', object: 'store', object_id: store.hash, changes }
  await storeContextOf(app, store, tx).audit.record(tx, [event])
}

/** Returns the milliseconds until the next work of the store becomes due, or infinity. */
async function timeUntilNextDue({ app, store }: Advance): Promise<number> {
  let next_ms = Number.POSITIVE_INFINITY
  for (const clockFollower of app.clockFollowers) {
    const dueAt = await clockFollower.nextDue?.(app, store)
    if (dueAt !== undefined) next_ms = Math.min(next_ms, Date.parse(dueAt))
  }
  return Math.max(1, next_ms - Date.parse(storeNow(app, store)))
}

async function runDueWork(advance: Advance): Promise<void> {
  for (const clockFollower of advance.app.clockFollowers) {
    stopIfLeft(advance)
    await clockFollower.runDue?.(advance.app, advance)
  }
}

/** Stops the advance if its caller has disconnected, because it may take hours. The due work that has not run is the first of the next advance. */
function stopIfLeft({ signal, stopError }: Advance): void {
  if (signal.aborted) throw stopError('Stopped.')
}

function statusText({ app, store, remaining_ms }: Advance): string {
  const time = `It is ${storeNow(app, store)} in ${store.hash}`
  if (remaining_ms <= 0)
    return `${time}, as requested, but not all due work has run. Check that a worker is running.`
  const seconds = Math.ceil(remaining_ms / SECOND_MS)
  return `${time}; ${seconds} s of the requested advance remain. Repeat the command with ${seconds}s.`
}
