import type { App } from '../../../app.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { Invariant } from '../../../db/invariant.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { diagnose, type Finding } from './examine.ts'
import { isCancelled, limitStatements } from './queries.ts'

/** The result of the last run. */
export interface Checkup {
  /** True while a run is under way. */
  running: boolean
  /** Null before the first run has ended. */
  checked_at: string | null
  ok: boolean
  findings: Finding[]
}

/** How old a result may be before the next look starts another run. */
const FRESH_MS = MINUTE_MS

const checkups = new WeakMap<App['caches'], Checkup>()

/**
 * Returns the last result of this process, and starts a run in the background if it is older than a
 * minute. There are never two runs at once, and a check that takes long is given up.
 */
export function checkUp(app: App): Checkup {
  const last = checkups.get(app.caches)
  const age_ms = last?.checked_at ? app.clock.now() - Date.parse(last.checked_at) : undefined
  if (last?.running || (age_ms !== undefined && age_ms < FRESH_MS)) return last as Checkup
  const started = { checked_at: null, ok: true, findings: [], ...last, running: true }
  checkups.set(app.caches, started)
  void run(app, started)
  return started
}

async function run(app: App, before: Checkup): Promise<void> {
  try {
    const { ok, findings } = await diagnose(app, countBriefly)
    const checked_at = iso(app.clock.now())
    checkups.set(app.caches, { running: false, checked_at, ok, findings })
  } catch (err) {
    app.log.warn({ err }, 'The checks of the dashboard did not finish')
    checkups.set(app.caches, { ...before, running: false })
  }
}

/** Undefined if the check takes longer than its share: other calls wait for the same database. */
async function countBriefly(db: Db, count: Invariant['count']): Promise<number | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await limitStatements(tx)
      return count(tx)
    })
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}
