import type { App } from '../../../app.ts'
import { watchCommits } from '../../../db/commit-watch.ts'
import { createAlarm } from '../../../jobs/alarm.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { selectNextAttempt } from '../queries/next-attempt.ts'

/** Decides when the dispatcher next claims deliveries. */
export interface Poller {
  /**
   * Waits until `wake` is called or a delivery is due; returns true if one is due. Each idle check costs at most one
   * short statement.
   */
  waitUntilDue(): Promise<boolean>
  /** Ends a wait. If there is none, the next wait ends at once. */
  wake(): void
  /** Records that a claim has searched for all deliveries that are due, so that the next due time is read again. */
  recordSearch(): void
  /** Records that the last claim found deliveries. */
  recordNonEmptyClaim(): void
}

/**
 * The pauses between checks for due deliveries: `idle` if none is due, `due` if some are due but could not be
 * claimed, `busy` if some were found in the last second. A worker checks often, because other processes write
 * its deliveries. Only this process writes to an embedded database.
 */
const PAUSES_MS = {
  embedded: { idle: 5 * SECOND_MS, due: SECOND_MS, busy: SECOND_MS },
  server: { idle: 900, due: 200, busy: 50 },
  worker: { idle: 200, due: 200, busy: 50 },
}
/** The next due time is read again after this time even without a commit, because a lease may have expired. */
const REREAD_MS = 5 * SECOND_MS
/** The shortest time between two checks, however often a wait is ended. */
const CHECK_PAUSE_MS = 50

export function createPoller(
  { config: { databaseUrl, role }, db, writes }: App,
  logFailure: (error: unknown) => void,
): Poller {
  const serverPauses = role === 'worker' ? PAUSES_MS.worker : PAUSES_MS.server
  const pauses = databaseUrl ? serverPauses : PAUSES_MS.embedded
  const alarm = createAlarm()
  const hasCommits = watchCommits({ db, writes }, Boolean(databaseUrl))
  let lastNonEmptyClaimAt = Number.NEGATIVE_INFINITY
  /** The times at which the next delivery is due and is read again, by `performance.now()`. */
  let dueAt = 0
  let rereadAt = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  let searchedAt = Number.NEGATIVE_INFINITY

  /** Returns the milliseconds until the next delivery is due. Reads them only if they may have changed. */
  async function timeUntilNextDelivery(): Promise<number> {
    const hasNewCommits = await hasCommits()
    const now = performance.now()
    if (!hasNewCommits && now < Math.min(dueAt, rereadAt)) return dueAt - now
    // If the statement fails, the next check reads again.
    rereadAt = 0
    const due_ms = (await selectNextAttempt(db)) ?? Number.POSITIVE_INFINITY
    dueAt = now + due_ms
    rereadAt = now + REREAD_MS
    return due_ms
  }

  async function check(): Promise<number> {
    const due_ms = (await timeUntilNextDelivery().catch(logFailure)) ?? Number.POSITIVE_INFINITY
    checkedAt = performance.now()
    return due_ms
  }

  /** Deliveries that are due but were not claimed have no free slot, or another process has leased them. */
  function pauseAfter(due_ms: number): number {
    if (performance.now() - lastNonEmptyClaimAt < SECOND_MS) return pauses.busy
    return due_ms <= 0 ? pauses.due : Math.min(pauses.idle, due_ms)
  }

  return {
    async waitUntilDue() {
      for (;;) {
        const nextCheck_ms = checkedAt + CHECK_PAUSE_MS - performance.now()
        const due_ms = nextCheck_ms > 0 ? dueAt - performance.now() : await check()
        const pause_ms = Math.min(
          pauseAfter(due_ms),
          nextCheck_ms > 0 ? nextCheck_ms : Number.POSITIVE_INFINITY,
        )
        if (await alarm.wait(pause_ms))
          return performance.now() >= Math.max(dueAt, searchedAt + pauses.busy)
        if (due_ms <= pause_ms) return true
      }
    },
    wake: () => alarm.wake(0),
    recordSearch() {
      searchedAt = performance.now()
      dueAt = Number.POSITIVE_INFINITY
      rereadAt = 0
    },
    recordNonEmptyClaim() {
      lastNonEmptyClaimAt = performance.now()
    },
  }
}
