import pg from 'pg'
import type { Json } from '../harness.ts'

/** A statement that was sent on a connection. */
export interface Statement {
  text: string
  values: unknown[]
}

/** Returns a function for `onConnect` that records every statement with parameters. */
export const recordStatements =
  (statements: Statement[]) =>
  (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((statement: string | Statement, ...rest: unknown[]) => {
      if (typeof statement !== 'string') statements.push(statement)
      return query(statement, ...rest)
    }) as typeof client.query
  }

/** A node of an executed plan, with the nodes from which it reads. */
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

/** Returns the number of rows that a node returned or discarded. */
export function rowsRead(node: Plan): number {
  const discarded =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + discarded) * node['Actual Loops']
}

/** Runs statements again with `explain`, and returns the plan of each. */
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

/** Returns the number of rows of the node that read the most. */
export const maxRowsRead = (plan: Plan | undefined): number =>
  plan ? Math.max(...nodesOf(plan).map(rowsRead)) : 0

/** Returns the filter of a list for this many minutes, of which the first is `firstMinutesAgo` minutes ago. */
export function createdDuring(firstMinutesAgo: number, minutes: number): string {
  const timeAgo = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  return `created_from=${timeAgo(firstMinutesAgo)}&created_to=${timeAgo(firstMinutesAgo - minutes)}`
}
