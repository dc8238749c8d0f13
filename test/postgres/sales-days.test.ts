import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { sharedDatabase } from '../concurrency/shared-database.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { until } from '../until.ts'

const QUARTERS = 35_040
const MIGRATION = '0091-sales-days.sql'

const database = sharedDatabase()

/** Opens a store that has sales of a year, in a database without the migration. */
async function openUnmigratedStore(context: TestContext) {
  const { app, storeId } = await database.openStore(context)
  const url = app.config.databaseUrl ?? ''
  const statements = [
    'drop trigger count_sales_of_day on sales_quarter',
    'drop function count_sales_of_day(), start_of_day(date, text)',
    'drop table sales_day',
    `delete from migration where name = '${MIGRATION}'`,
    `insert into sales_quarter (store_id, quarter, orders, gross_cents)
     select ${storeId}, quarter_of(timestamptz '2025-01-01T00:00:00Z' + n * interval '15 minutes'), n % 3, n
       from generate_series(0, ${QUARTERS - 1}) n`,
  ]
  for (const statement of statements) await ask(url, statement)
  return { app, storeId, url }
}

/** Returns the statement with which a process of the previous release counts orders. */
const addOrders = (storeId: number, orders: number) => `
  insert into sales_quarter as s (store_id, quarter, orders)
  values (${storeId}, '2025-06-01T12:00:00Z', ${orders}), (${storeId}, '2026-06-01T12:00:00Z', ${orders})
      on conflict (store_id, quarter) do update set orders = s.orders + excluded.orders`

test('the migration of daily sales includes sales that a process of the previous release adds before and after it', async (context) => {
  const { app, storeId, url } = await openUnmigratedStore(context)
  const previousRelease = new pg.Client({ connectionString: url })
  await previousRelease.connect()
  await previousRelease.query('begin')
  await previousRelease.query(addOrders(storeId, 1))
  const waits: (string | null)[] = []
  const migrating = migrate(app.db, { onWait: ({ migration }) => void waits.push(migration) })
  await until(() => waits.length > 0)
  await previousRelease.query('commit')
  expect((await migrating).applied).toEqual([MIGRATION])
  await previousRelease.query(addOrders(storeId, 10))
  await previousRelease.end()

  const sums = `sum(orders)::int as orders, sum(gross_cents)::bigint as gross_cents`
  const days = await ask(url, `select count(*)::int as days, ${sums} from sales_day`)
  const [quarters]: Json[] = await ask(url, `select ${sums} from sales_quarter`)
  expect(days).toEqual([{ days: 366, ...quarters }])
  const newDay = `select orders::int from sales_day where day = '2026-06-01'`
  expect(await ask(url, newDay)).toEqual([{ orders: 11 }])
  const differingDays = await ask(
    url,
    `select day from sales_day d
      where (orders, gross_cents) <> (select sum(orders), sum(gross_cents)
                                        from sales_quarter q where utc_day(q.quarter) = d.day)`,
  )
  expect(differingDays).toEqual([])
})
