import { setTimeout as pause } from 'node:timers/promises'
import { type App, type ClockMove, storeContextOf, storeNow } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { CommandError, SILENT } from '../../../command.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { later, SECOND_MS } from '../../../kernel/time.ts'
import { addClockOffset, type CachedStore } from '../stores/index.ts'

/**
 * Twice the lease of a delivery: work of a crashed process is claimed again and ends well within
 * it.
 */
const PATIENCE_MS = 60 * SECOND_MS
/** Other processes read the offset from a cache that is at most a second old (decision 41). */
const OTHERS_MS = SECOND_MS + 100

export interface Waiting {
  /** The time after which the move fails if no work has ended. */
  patience_ms?: number
  /** Aborted when the caller has left. */
  signal?: AbortSignal
}

/** A clock that is being moved. */
interface Advance extends ClockMove {
  readonly app: App
  store: CachedStore
  left_ms: number
  /** The first step writes the audit event of all of them. */
  isAudited: boolean
}

/**
 * Moves the clock of a test side. It steps from one due moment to the next, runs what is due at each,
 * and returns when all of it has run (decision 51). It throws if nothing comes to an end any more.
 */
export async function advanceClock(
  app: App,
  store: CachedStore,
  by_ms: number,
  { patience_ms = PATIENCE_MS, signal = SILENT.signal }: Waiting = {},
): Promise<string> {
  const advance: Advance = {
    app,
    store,
    left_ms: by_ms,
    patience_ms,
    signal,
    isAudited: false,
    stopped: (reason) => new CommandError(`${reason} ${whereItStands(advance)}`),
  }
  await runDue(advance)
  while (advance.left_ms > 0) {
    await moveBy(advance, Math.min(advance.left_ms, await untilNextDue(advance)))
    await runDue(advance)
  }
  for (const follower of app.clockFollowers) await follower.finish?.(app, advance.store)
  if (app.config.databaseUrl) await pause(OTHERS_MS)
  return storeNow(app, advance.store)
}

async function moveBy(advance: Advance, step_ms: number): Promise<void> {
  const { app, store } = advance
  for (const follower of app.clockFollowers) await follower.beforeStep?.(app, advance)
  const clock_offset_ms = await inTransaction(app.db, async (tx) => {
    for (const follower of app.clockFollowers) await follower.step?.(tx, store.id, step_ms)
    if (!advance.isAudited) await auditAdvance(tx, advance)
    return addClockOffset(tx, store.id, step_ms)
  })
  app.caches.clear()
  advance.isAudited = true
  advance.store = { ...store, clock_offset_ms }
  advance.left_ms -= step_ms
}

async function auditAdvance(tx: Tx, { app, store, left_ms }: Advance): Promise<void> {
  const from = storeNow(app, store)
  const changes = changesOf({ now: from }, { now: later(from, left_ms / SECOND_MS) })
  const act = { action: 'store.advance_clock', object: 'store', object_id: store.hash, changes }
  await storeContextOf(app, store, tx).audit.record(tx, [act])
}

/** Milliseconds until something of the store becomes due; infinite if nothing will. */
async function untilNextDue({ app, store }: Advance): Promise<number> {
  let next_ms = Number.POSITIVE_INFINITY
  for (const follower of app.clockFollowers) {
    const due = await follower.nextDue?.(app, store)
    if (due !== undefined) next_ms = Math.min(next_ms, Date.parse(due))
  }
  return Math.max(1, next_ms - Date.parse(storeNow(app, store)))
}

async function runDue(advance: Advance): Promise<void> {
  for (const follower of advance.app.clockFollowers) await follower.runDue?.(advance.app, advance)
}

function whereItStands({ app, store, left_ms }: Advance): string {
  const it = `It is ${storeNow(app, store)} in ${store.hash}`
  if (left_ms <= 0) return `${it}, as was asked, but not all that became due has run.`
  return `${it}; ${Math.ceil(left_ms / SECOND_MS)}s are left of the way.`
}
