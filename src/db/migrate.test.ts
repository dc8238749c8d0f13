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

test.each([
  [
    'a newer version added to',
    sql`insert into migration (name) values ('9999-later.sql')`,
    '9999-later',
  ],
  [
    'was made with another text of a migration',
    sql`update migration set digest = 'other' where name like '0003%'`,
    '0003-catalogue.sql was not the same',
  ],
])('a database that %s is refused, with what to start instead', async (_, change, says) => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  await change.execute(db)
  for (const dryRun of [true, false]) {
    const refused = migrate(db, { dryRun })
    await expect(refused).rejects.toThrow(says)
    await expect(refused).rejects.toThrow('Start that version, or restore a backup')
  }
})

test('a database from before digests were kept is taken as it is', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  await sql`alter table migration drop column digest`.execute(db)
  for (const dryRun of [true, false]) {
    expect(await migrate(db, { dryRun })).toMatchObject({ applied: [] })
  }
})
