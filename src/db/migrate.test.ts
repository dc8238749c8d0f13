import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'

test('a dry run lists the migrations to apply, and writes nothing', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const tables = async () =>
    (await db.introspection.getTables())
      .filter(({ schema }) => schema === 'public')
      .map(({ name }) => name)
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
    'has a migration of a newer version',
    sql`insert into migration (name) values ('9999-later.sql')`,
    '9999-later',
  ],
  [
    'was migrated with another text of a migration',
    sql`update migration set digest = 'other' where name like '0003%'`,
    '0003-catalogue.sql was different',
  ],
])(
  'a database that %s is refused, and the error names what to start instead',
  async (_, change, says) => {
    const { db, close } = await openTestDatabase()
    onTestFinished(close)
    await change.execute(db)
    for (const dryRun of [true, false]) {
      const refused = migrate(db, { dryRun })
      await expect(refused).rejects.toThrow(says)
      await expect(refused).rejects.toThrow('Start that version, or restore a backup')
    }
  },
)

test('a database without migration digests is accepted', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  await sql`alter table migration drop column digest`.execute(db)
  for (const dryRun of [true, false]) {
    expect(await migrate(db, { dryRun })).toMatchObject({ applied: [] })
  }
})
