import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { onlyRow, onlyValue } from '../../../../db/rows.ts'
import type { DaysOfMoments, momentsOf } from '../periods.rules.ts'

// Only the database converts between moments and days of a time zone, because the rules of Node may be of another year
// (decision 446).

const dayOf = (moment: string | null, timeZone: string) =>
  sql`(${moment}::timestamptz at time zone ${timeZone})::date::text`

/** Returns the calendar day of a moment in a time zone. */
export const selectDay = (db: Db, moment: string, timeZone: string): Promise<string> =>
  onlyValue<string>(db)`select ${dayOf(moment, timeZone)} as day`

/** Returns the calendar days of the moments of a request in a time zone. */
export const selectDaysOf = (
  db: Db,
  { now, from, to }: ReturnType<typeof momentsOf>,
  timeZone: string,
): Promise<DaysOfMoments> =>
  onlyRow<DaysOfMoments>(db)`
    select ${dayOf(now, timeZone)} as now, ${dayOf(from, timeZone)} as "from",
           ${dayOf(to, timeZone)} as "to"`
