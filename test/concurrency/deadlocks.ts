import type { DatabaseOptions } from '../../src/db/database.ts'

export const DEADLOCK = '40P01'
/** A statement waited for a lock for 3 s. Without an error in the code, only an overloaded machine causes it. */
export const LOCK_TIMEOUT = '55P03'

/** Records the statements that PostgreSQL cancelled because of locks, even if a retry succeeds. */
export const recordDeadlocks =
  (deadlocks: string[], codes: readonly string[]): DatabaseOptions['onConnect'] =>
  (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
      const answer = query(statement, ...rest)
      if (answer instanceof Promise) {
        answer.catch(({ code = '' }: { code?: string }) => {
          const text = typeof statement === 'string' ? statement : statement.text
          if (codes.includes(code)) deadlocks.push(`${code} ${text}`)
        })
      }
      return answer
    }) as typeof client.query
  }
