import { sql } from 'kysely'
import type { App, Job } from '../app.ts'
import { onlyValue } from '../db/rows.ts'

/** Returns the milliseconds until a row of each job is due, by the machine's clock; negative if it is overdue. */
export async function selectTimeUntilDue(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  jobs: readonly Job[],
): Promise<number[]> {
  if (jobs.length === 0) return []
  const moments = jobs.map(({ due }) => sql`(extract(epoch from ${due}) * 1000)::float8`)
  const dueTimes = await onlyValue<(number | null)[]>(db)`
    select array[${sql.join(moments)}] as due`
  const now = clock.now()
  return dueTimes.map((due_ms) => (due_ms ?? Number.POSITIVE_INFINITY) - now)
}
