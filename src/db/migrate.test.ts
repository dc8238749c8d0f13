import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, readDigests, readMigrations } from './migration-files.ts'

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
  'a database that %s is refused, and the error says which version to start',
  async (_, change, message) => {
    const { db, close } = await openTestDatabase()
    onTestFinished(close)
    await change.execute(db)
    for (const dryRun of [true, false]) {
      const refused = migrate(db, { dryRun })
      await expect(refused).rejects.toThrow(message)
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

test('a database that was migrated with a former text of a migration is accepted if accepted.sha256 has its digest', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  await sql`
    update migration set digest = '590dd2ace5f0a4dd13d499980a9d2abf60bb736b62d6f46191497b8bd64c117f'
     where name = '0108-key-batches.sql'`.execute(db)
  expect(await migrate(db)).toMatchObject({ applied: [] })
})

test('the digest of every migration is in accepted.sha256', async () => {
  const listedDigests = await readDigests(MIGRATIONS)
  for (const { name, digest } of await readMigrations(MIGRATIONS)) {
    expect(listedDigests.get(name), `${name}: run npm run db:types`).toContain(digest)
  }
})

// The comments of these migrations were edited after databases had been migrated with them.
test.each([
  [
    '0050-customers-and-blocklist.sql',
    'f27b2bb02b66cb5d7df0ce88e59fb0b827bd525a254377cc590f3e8e70c3c89d',
  ],
  ['0056-subscriptions.sql', 'e03fe96ca9e44afa428f74770fdafcb2ba97c59b5779bacbc114994eab12533b'],
  ['0067-users.sql', 'acf6f6c24cdbf3ee21827cf9c24efa52f0d0bc01cda3c890f024a2513c315aef'],
])('a database that has %s with its former comments is accepted', async (name, digest) => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  await sql`update migration set digest = ${digest} where name = ${name}`.execute(db)
  expect(await migrate(db)).toMatchObject({ applied: [] })
})
