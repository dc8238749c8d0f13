import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'

test('a dry run says what would be applied, and writes nothing', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const tables = async () => (await db.introspection.getTables()).map(({ name }) => name)
  expect(await migrate(db, { dryRun: true })).toMatchObject({ applied: [] })
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)

  const planned = await migrate(db, { dryRun: true })
  expect(planned.from).toBe(0)
  expect(planned.applied).toHaveLength(planned.to)
  expect(await tables()).toEqual([])

  expect(await migrate(db)).toEqual(planned)
  expect(await tables()).toContain('migration')
})
