import type { StoreContext } from '../../../store-context.ts'
import { momentsOf, type Period, periodOf, type RequestedPeriod } from './periods.rules.ts'
import * as q from './queries/index.ts'

/** Returns the requested period in days of the store's time zone. */
export async function findPeriod(
  { db, store, now }: Pick<StoreContext, 'db' | 'store' | 'now'>,
  requested: RequestedPeriod,
): Promise<Period> {
  return periodOf(requested, await q.selectDaysOf(db, momentsOf(requested, now), store.time_zone))
}
