import { sql } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import type { App } from '../../src/app.ts'

/** Runs a statement in another transaction. Returns a function that ends the transaction. */
export async function holdTransaction(
  app: App,
  statement: string,
  end: 'rollback' | 'commit' = 'rollback',
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query(end)
    await client.end()
  }
}

/** Waits until at least this many statements wait for a lock. */
export const untilWaiting = ({ db }: Pick<App, 'db'>, statementCount: number): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count
    })
    .toBeGreaterThanOrEqual(statementCount)
