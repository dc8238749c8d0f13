import type pg from 'pg'

/**
 * Calls the listener for every statement of a connection, including `begin` and `commit` (decision 35).
 */
export function onStatement(client: pg.PoolClient, listener: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: string | { text: string }, ...args: unknown[]) => {
    listener(typeof statement === 'string' ? statement : statement.text)
    return query(statement, ...args)
  }) as typeof client.query
}
