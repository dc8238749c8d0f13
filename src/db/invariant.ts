import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A promise of ours as a query: the rows that break it. */
export interface Invariant {
  check: string
  promise: string
  /** The remedy, if a command repairs the rows. */
  cure?: string
  count(db: Db): Promise<number>
}

export const breaking = (
  check: string,
  promise: string,
  query: ReturnType<typeof sql>,
  cure?: string,
): Invariant => ({
  check,
  promise,
  ...(cure !== undefined && { cure }),
  async count(db) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from (${query}) broken`.execute(db)
    return rows[0]?.count ?? 0
  },
})
