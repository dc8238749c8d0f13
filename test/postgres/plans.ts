import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import pg from 'pg'
import { isPlannedForValues } from '../../src/db/session.ts'
import type { Json } from '../harness.ts'

/** A statement that was sent on a connection. */
export interface Statement {
  text: string
  values: unknown[]
}

/** A call that is being measured, with the statements that it caused. */
interface MeasuredCall {
  id: string
  statements: Statement[]
}

/** The header that a measured call sends, so that the server in this process knows whose statements it runs. */
const MEASURED_CALL_HEADER = 'x-measured-call'
const measuredCalls = new Map<string, MeasuredCall>()
const measuredCall = new AsyncLocalStorage<MeasuredCall | undefined>()

subscribe('undici:request:create', (message) => {
  const call = measuredCall.getStore()
  if (call) (message as { request: Dispatched }).request.addHeader(MEASURED_CALL_HEADER, call.id)
})
subscribe('http.server.request.start', (message) => {
  const id = (message as { request: IncomingMessage }).request.headers[MEASURED_CALL_HEADER]
  measuredCall.enterWith(measuredCalls.get(String(id)))
})

interface Dispatched {
  addHeader(name: string, value: string): void
}

/**
 * Makes a call, over a socket or not, and returns its result with the statements that it caused. What the process
 * does meanwhile for itself, such as writing its request log, belongs to no call.
 */
export async function statementsOfCall<T>(
  makeCall: () => Promise<T>,
): Promise<{ result: T; statements: Statement[] }> {
  const call: MeasuredCall = { id: `${measuredCalls.size + 1}`, statements: [] }
  measuredCalls.set(call.id, call)
  const result = await measuredCall.run(call, makeCall)
  return { result, statements: call.statements }
}

/** For `onConnect`: every statement with parameters is recorded with the call that runs it. */
export function recordStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: string | Statement, ...rest: unknown[]) => {
    if (typeof statement !== 'string' && statement.values?.length)
      measuredCall.getStore()?.statements.push(statement)
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
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
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
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    const plans: Plan[] = []
    for (const statement of statements) {
      const answer: Json = isPlannedForValues(statement.text)
        ? await client.query(EXPLAIN + statement.text, statement.values)
        : await explainPrepared(client, statement)
      plans.push(answer.rows[0]['QUERY PLAN'][0].Plan)
    }
    return plans
  } finally {
    await client.end()
  }
}

const EXPLAIN = 'explain (analyze, buffers, timing off, format json) '

/** Explains the plan for all values, with which a session runs a frequent statement (decision 67). */
async function explainPrepared(client: pg.Client, { text, values }: Statement) {
  await client.query('deallocate all')
  await client.query(`prepare frequent as ${text}`)
  return client.query(`${EXPLAIN} execute frequent(${values.map(literalOf).join()})`)
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : text)
}

/** Returns the number of rows of the node that read the most. */
export const maxRowsRead = (plan: Plan | undefined): number =>
  plan ? Math.max(...nodesOf(plan).map(rowsRead)) : 0

/**
 * Returns the number of pages that a statement read. Unlike its rows, they include the entries of an index that a
 * condition of the scan passed over.
 */
export const pagesRead = (plan: Plan): number =>
  (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

/**
 * The time of the newest record. The statements that fill a table and the calls that ask for some of its records take
 * the same time, so nothing depends on how long the filling took.
 */
export const NEWEST_AT = new Date().toISOString()

/** Returns SQL for the time of a record that is this many minutes older than the newest one. */
export const minutesBefore = (minutes: string): string =>
  `timestamptz '${NEWEST_AT}' - (${minutes}) * interval '1 minute'`

/** Returns a time between two records: half a minute more than these minutes before the newest one. */
export const timeBetween = (minutesAgo: number): string =>
  new Date(Date.parse(NEWEST_AT) - minutesAgo * 60_000 - 30_000).toISOString()

/** Returns the filter of a list for this many minutes, of which the first is `firstMinutesAgo` minutes ago. */
export const createdDuring = (firstMinutesAgo: number, minutes: number): string =>
  `created_from=${timeBetween(firstMinutesAgo)}&created_to=${timeBetween(firstMinutesAgo - minutes)}`
