import type { DatabaseOptions } from '../../src/db/database.ts'

/** A deadlock, and a lock that was waited for in vain. */
const CODES = ['40P01', '55P03']

/** Notes statements that PostgreSQL ended because of their locks, although their work is repeated. */
export const deadlocksInto =
  (found: string[]): DatabaseOptions['onConnect'] =>
  (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const answer = query(...args)
      if (answer instanceof Promise) {
        answer.catch(({ code = '' }: { code?: string }) => {
          if (CODES.includes(code)) found.push(String(args[0]))
        })
      }
      return answer
    }) as typeof client.query
  }
