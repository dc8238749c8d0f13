import type { App } from '../../../app.ts'
import { watchCommits } from '../../../db/commit-watch.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { selectNextAttempt } from '../queries/next-attempt.ts'

/** Decides when the dispatcher next looks for deliveries. */
export interface Lookout {
  /** Waits until it is rung, or a delivery is due. An idle look costs at most one short statement. */
  untilDue(): Promise<void>
  /** Ends a wait. A ring without a wait ends the next one. */
  ring(): void
  /** The last look found deliveries. */
  found(): void
}

/**
 * How often it looks for due deliveries if nothing woke it: at most, and at least. While it found some in
 * the last second, other processes may have more. A worker sends what other processes write. Only this
 * process writes to an embedded database.
 */
const LOOK_MS = {
  embedded: { idle: 5 * SECOND_MS, due: SECOND_MS, busy: SECOND_MS },
  server: { idle: 900, due: 200, busy: 50 },
  worker: { idle: 200, due: 200, busy: 50 },
}
/** The next due time is read again after this time even if nothing was committed: a lease may have ended. */
const REREAD_MS = 5 * SECOND_MS

export function createLookout(
  { config: { databaseUrl, role }, db, writes }: App,
  noted: (error: unknown) => void,
): Lookout {
  const look = LOOK_MS[!databaseUrl ? 'embedded' : role === 'worker' ? 'worker' : 'server']
  const bell = createBell()
  const hasCommits = watchCommits({ db, writes }, Boolean(databaseUrl))
  let foundAt = Number.NEGATIVE_INFINITY
  /** When the next delivery is due, and when that is read again, by `performance.now()`. */
  let dueAt = 0
  let rereadAt = 0

  /** In how many milliseconds the next delivery is due; reads it only if it may have changed. */
  async function nextTry(): Promise<number> {
    const changed = await hasCommits()
    const now = performance.now()
    if (!changed && now < Math.min(dueAt, rereadAt)) return dueAt - now
    rereadAt = 0
    const due_ms = (await selectNextAttempt(db)) ?? Number.POSITIVE_INFINITY
    dueAt = now + due_ms
    rereadAt = now + REREAD_MS
    return due_ms
  }

  /** Due deliveries that were not claimed have no free slot, or another process holds them. */
  function wait_ms(due_ms: number): number {
    if (performance.now() - foundAt < SECOND_MS) return look.busy
    return due_ms <= 0 ? look.due : Math.min(look.idle, due_ms)
  }

  return {
    async untilDue() {
      for (;;) {
        const due_ms = (await nextTry().catch(noted)) ?? Number.POSITIVE_INFINITY
        const waited_ms = wait_ms(due_ms)
        if ((await bell.wait(waited_ms)) || due_ms <= waited_ms) return
      }
    },
    ring: bell.ring,
    found() {
      foundAt = performance.now()
    },
  }
}

/** Ends a wait early; one ring without a wait is remembered. A wait returns true if it was rung. */
function createBell() {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(ms: number): Promise<boolean> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      const wasRung = rung
      rung = false
      wake = undefined
      return wasRung
    },
  }
}
