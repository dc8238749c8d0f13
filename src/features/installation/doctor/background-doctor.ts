import type { App } from '../../../app.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { Invariant } from '../../../db/invariant.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { diagnose } from './examine.ts'
import * as q from './queries.ts'
import type { Checkup } from './schema.ts'

/** The age up to which a result is returned without another run. */
const FRESH_AGE_MAX_MS = MINUTE_MS

/** By the caches, which all copies of an App with another `db` share. */
const checkups = new WeakMap<App['caches'], Checkup>()

/**
 * Returns the last result of this process, and starts a run in the background if it is older than a
 * minute. Only one run is under way at a time. A slow check is cancelled.
 */
export function latestCheckup(app: App): Checkup {
  const last = checkups.get(app.caches)
  if (last && (last.running || isFresh(last, app.clock.now()))) return last
  const newCheckup = { checked_at: null, ok: true, findings: [], ...last, running: true }
  checkups.set(app.caches, newCheckup)
  void runChecks(app, newCheckup)
  return newCheckup
}

/** A result from the future, after the clock was set back, is not fresh. */
const isFresh = ({ checked_at }: Checkup, now: number): boolean =>
  checked_at !== null && Math.abs(now - Date.parse(checked_at)) < FRESH_AGE_MAX_MS

async function runChecks(app: App, newCheckup: Checkup): Promise<void> {
  try {
    const { ok, findings } = await diagnose(app, countWithTimeout)
    const checked_at = iso(app.clock.now())
    checkups.set(app.caches, { running: false, checked_at, ok, findings })
  } catch (err) {
    app.log.warn({ err }, 'The checks of the dashboard did not finish')
    checkups.set(app.caches, { ...newCheckup, running: false })
  }
}

/** Runs a check. Returns undefined if it was cancelled: a slow check would delay calls of the database. */
async function countWithTimeout(db: Db, count: Invariant['count']): Promise<number | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await q.limitStatements(tx)
      return count(tx)
    })
  } catch (error) {
    if (q.isCancelled(error)) return undefined
    throw error
  }
}
