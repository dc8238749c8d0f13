import pg from 'pg'
import type { Json } from '../harness.ts'

/** A statement as a connection sent it. */
export interface Statement {
  text: string
  values: unknown[]
}

/** Notes every statement that carries values, for `onConnect`. */
export const listenInto =
  (statements: Statement[]) =>
  (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((statement: string | Statement, ...rest: unknown[]) => {
      if (typeof statement !== 'string') statements.push(statement)
      return query(statement, ...rest)
    }) as typeof client.query
  }

/** A node of a plan as it was run, with those that it reads from. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The rows that a node gave or threw away. */
export function lookedAt(node: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': lost = 0 } = node
  const { 'Rows Removed by Join Filter': unmatched = 0 } = node
  return (node['Actual Rows'] + filtered + lost + unmatched) * node['Actual Loops']
}

/** Runs statements anew, and gives the plan of each. */
export async function plansOf(url: string, statements: readonly Statement[]): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const plans: Plan[] = []
    for (const { text, values } of statements) {
      const explain = `explain (analyze, timing off, format json) ${text}`
      const answer: Json = await client.query(explain, values)
      plans.push(answer.rows[0]['QUERY PLAN'][0].Plan)
    }
    return plans
  } finally {
    await client.end()
  }
}

/** How many rows the busiest node of a plan looked at. */
export const busiest = (plan: Plan | undefined): number =>
  plan ? Math.max(...nodesOf(plan).map(lookedAt)) : 0
