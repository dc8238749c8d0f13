import { sql } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import type { App } from '../../src/app.ts'

/** Another transaction, held open in the middle until it is released. */
export async function meanwhile(app: App, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.config.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

/** Waits until so many statements, or more, wait for a lock. */
export const areWaiting = ({ db }: Pick<App, 'db'>, count: number): Promise<void> =>
  expect
    .poll(
      async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows[0]?.n
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThanOrEqual(count)
