import { sql } from 'kysely'
import type { App, Job } from '../app.ts'

/** In how many milliseconds a row of each job is due, by the machine's clock; negative if it is overdue. */
export async function selectDue(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  jobs: readonly Job[],
): Promise<number[]> {
  if (jobs.length === 0) return []
  const moments = jobs.map(({ due }) => sql`(extract(epoch from ${due}) * 1000)::float8`)
  const { rows } = await sql<{ due: (number | null)[] }>`
    select array[${sql.join(moments)}] as due`.execute(db)
  const now = clock.now()
  return (rows[0]?.due ?? []).map((due) => (due ?? Number.POSITIVE_INFINITY) - now)
}
