import pg from 'pg'
import { expect, test } from 'vitest'
import { migratedDatabase, openPostgres, postgresOrSkip } from './real-postgres.ts'
import { createInstallation } from './spawn-server.ts'

test('a command that waits in vain for tables that a restore has locked names this cause', async (context) => {
  const database = await migratedDatabase(postgresOrSkip(context, await openPostgres()))
  const installation = await createInstallation({ DATABASE_URL: database.url })
  const restore = new pg.Client({ connectionString: database.url })
  await restore.connect()
  try {
    await restore.query('begin; lock table store in access exclusive mode')
    expect(await installation.run(['stores', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The database did not answer in time\. .*another process, such as a migration or a restore, locks its tables\./m,
      ),
    })
  } finally {
    await restore.end()
    await installation.close()
    await database.drop()
  }
})
