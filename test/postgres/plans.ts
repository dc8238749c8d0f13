import pg from 'pg'
import type { Json } from '../harness.ts'

/** A statement as a connection sent it. */
export interface Heard {
  text: string
  values: unknown[]
}

/** Notes every statement that carries values, for `onConnect`. */
export const listenInto =
  (heard: Heard[]) =>
  (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((statement: string | Heard, ...rest: unknown[]) => {
      if (typeof statement !== 'string') heard.push(statement)
      return query(statement, ...rest)
    }) as typeof client.query
  }

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** The most rows that any node of a plan gave or threw away. */
function lookedAt(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': lost = 0 } = plan
  const own = (plan['Actual Rows'] + filtered + lost) * plan['Actual Loops']
  return Math.max(own, ...(plan.Plans ?? []).map(lookedAt))
}

/** Runs statements anew, and says for each how many rows it looked at. */
export async function rowsOf(url: string, statements: readonly Heard[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const rows: number[] = []
    for (const { text, values } of statements) {
      const plans: Json = await client.query(`explain (analyze, format json) ${text}`, values)
      rows.push(lookedAt(plans.rows[0]['QUERY PLAN'][0].Plan))
    }
    return rows
  } finally {
    await client.end()
  }
}
