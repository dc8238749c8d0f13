import type pg from 'pg'
import { PLAN_FOR_VALUES, PLAN_ONCE } from './session.ts'

/**
 * Calls the listener for every statement of a connection, including `begin` and `commit` (decision 35). The settings of the
 * planner before and after a statement are a part of the statement (decision 67).
 */
export function onStatement(client: pg.PoolClient, listener: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: string | { text: string }, ...args: unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text
    if (text !== PLAN_ONCE && text !== PLAN_FOR_VALUES) listener(text)
    return query(statement, ...args)
  }) as typeof client.query
}
