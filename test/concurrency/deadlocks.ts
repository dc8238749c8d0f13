import type { DatabaseOptions } from '../../src/db/database.ts'

/** A deadlock, and a lock that was waited for in vain. */
const CODES = ['40P01', '55P03']

/** Notes statements that PostgreSQL ended because of their locks, although their work is repeated. */
export const deadlocksInto =
  (found: string[]): DatabaseOptions['onConnect'] =>
  (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
      const answer = query(statement, ...rest)
      if (answer instanceof Promise) {
        answer.catch(({ code = '' }: { code?: string }) => {
          const text = typeof statement === 'string' ? statement : statement.text
          if (CODES.includes(code)) found.push(`${code} ${text}`)
        })
      }
      return answer
    }) as typeof client.query
  }
