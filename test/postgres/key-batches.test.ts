import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { putOnSale } from '../concurrency/put-on-sale.ts'
import { sharedDatabase } from '../concurrency/shared-database.ts'
import { ask } from '../database.ts'
import { until } from '../until.ts'

const MIGRATIONS = ['0108-key-batches.sql', '0109-count-key-batches.sql']

const FOLDER = new URL('../../src/db/migrations/', import.meta.url)
const DROP = [
  'drop table stock_key_batch',
  'drop function count_added_keys(), count_changed_keys(), count_deleted_keys() cascade',
]

const database = sharedDatabase()

/** Adds keys as a process of the previous release does. */
const addKeys = (variantId: number, importId: string | null, from: number, count: number) => `
  insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at, import_id)
  select store_id, id, '', decode(md5(n::text), 'hex'), 'available', now(), ${importId ? `'${importId}'` : 'null'}
    from variant, generate_series(${from}, ${from + count - 1}) n
   where id = ${variantId}`

const BATCHES = `
  select import_id, count::int, available::int, sold::int from stock_key_batch where count > 0 order by 1`

/** Sells the oldest available keys of an import. */
const sellKeys = (importId: string, count: number) => `
  update stock_key set status = 'sold'
   where id in (select id from stock_key where import_id = '${importId}' and status = 'available'
                 order by id limit ${count})`

const DELETE_OLDEST = 'delete from stock_key where id = (select min(id) from stock_key)'

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

test('the migrations of key batches include the changes of a process of the previous release before, during and after them', async (context) => {
  const tradepost = await database.openStore(context)
  const { app } = tradepost
  const url = app.config.databaseUrl ?? ''
  const { variantId } = await putOnSale(tradepost, [])
  for (const statement of [
    ...DROP,
    `delete from migration where name in ('${MIGRATIONS.join("', '")}')`,
    addKeys(variantId, null, 0, 10),
    addKeys(variantId, 'import-a', 10, 10),
  ]) {
    await ask(url, statement)
  }
  // The first migration waits for this change, because its triggers would not count it.
  const previousRelease = await connect(url)
  await previousRelease.query('begin')
  await previousRelease.query(sellKeys('import-a', 1))
  const waits: (string | null)[] = []
  const migrating = migrate(app.db, { onWait: ({ migration }) => void waits.push(migration) })
  await until(() => waits.length > 0)
  await previousRelease.query('commit')
  expect((await migrating).applied).toEqual(MIGRATIONS)

  // The first migration is run again, and reads no key while sales wait for it. The second one has counted the keys
  // when it waits for the counts that this change holds.
  for (const statement of DROP) await ask(url, statement)
  await ask(url, await readFile(new URL(MIGRATIONS[0] ?? '', FOLDER), 'utf8'))
  expect(await ask(url, 'select from stock_key_batch')).toEqual([])
  await ask(url, `delete from migration where name = '${MIGRATIONS[1]}'`)
  await ask(url, sellKeys('import-a', 1))
  await previousRelease.query('begin')
  await previousRelease.query(sellKeys('import-a', 2))
  await previousRelease.query(addKeys(variantId, 'import-b', 20, 5))
  await previousRelease.query(DELETE_OLDEST)
  const counting = migrate(app.db)
  await until(async () => {
    const waiting = await ask(
      url,
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%full join stock_key_batch%'`,
    )
    return waiting.length > 0
  })
  await previousRelease.query('commit')
  expect((await counting).applied).toEqual([MIGRATIONS[1]])
  await previousRelease.query(sellKeys('import-b', 3))
  await previousRelease.query(DELETE_OLDEST)
  await previousRelease.end()
  expect(await ask(url, BATCHES)).toEqual([
    { import_id: '', count: 8, available: 8, sold: 0 },
    { import_id: 'import-a', count: 10, available: 6, sold: 4 },
    { import_id: 'import-b', count: 5, available: 2, sold: 3 },
  ])
  const batchesWithWrongTimes = await ask(
    url,
    `select b.import_id from stock_key_batch b
      where count > 0 and not exists (
        select from stock_key k where coalesce(k.import_id, '') = b.import_id
                   having max(k.id) = b.last_id and min(k.created_at) = b.added_at)`,
  )
  expect(batchesWithWrongTimes).toEqual([])
})
