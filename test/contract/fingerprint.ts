import { sql } from 'kysely'
import type { Tradepost } from '../harness.ts'

type Fingerprint = Record<string, string>

/** The last fingerprint of each Tradepost, and the snapshot of transactions that it includes. */
const fingerprints = new WeakMap<Tradepost, { key: string; print: Fingerprint }>()

/**
 * Returns a fingerprint of the rows of each table, of one store or of all stores. A call without effect
 * does not change it. The fingerprint of one store leaves out stored answers and keys, which belong to
 * the caller.
 */
export async function fingerprintRows(
  tradepost: Tradepost,
  storeHash?: string,
): Promise<Fingerprint> {
  const snapshot = await selectSnapshot(tradepost)
  const key = `${snapshot} ${storeHash}`
  const last = fingerprints.get(tradepost)
  // If no transaction wrote, no row has changed.
  if (snapshot !== undefined && last?.key === key) return last.print
  const print = await fingerprint(tradepost, storeHash)
  if (snapshot !== undefined) fingerprints.set(tradepost, { key, print })
  return print
}

/** Identifies the transactions that have written so far. Undefined while one is running. */
async function selectSnapshot({ db }: Tradepost): Promise<string | undefined> {
  const { rows: snapshots } = await sql<{ snapshot: string; is_settled: boolean }>`
    select s::text as snapshot, pg_snapshot_xmin(s) = pg_snapshot_xmax(s) as is_settled
      from pg_current_snapshot() s`.execute(db)
  return snapshots[0]?.is_settled ? snapshots[0].snapshot : undefined
}

async function fingerprint(tradepost: Tradepost, storeHash?: string): Promise<Fingerprint> {
  const inStore =
    storeHash === undefined
      ? sql``
      : sql`where store_id = (select id from store where hash = ${storeHash})`
  const queries = (await tablesOf(tradepost)).flatMap(({ name, of_store }) =>
    storeHash === undefined || of_store
      ? sql`
      select ${sql.lit(name)} as name,
             count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as print
        from ${sql.table(name)} t
       ${inStore}`
      : [],
  )
  // Only statements with a value are prepared, and planning this one takes longer than running it.
  const result = await sql<{ name: string; print: string }>`
    select * from (${sql.join(queries, sql` union all `)}) p where ${true} order by 1`.execute(
    tradepost.db,
  )
  return Object.fromEntries(result.rows.map(({ name, print }) => [name, print]))
}

interface Table {
  name: string
  of_store: boolean
}

/** The tables of each Tradepost. They are cached because their query is slower than a fingerprint. */
const tables = new WeakMap<Tradepost, Promise<Table[]>>()

export function tablesOf(tradepost: Tradepost): Promise<Table[]> {
  const tableNames = tables.get(tradepost) ?? selectTables(tradepost)
  tables.set(tradepost, tableNames)
  return tableNames
}

const selectTables = async ({ db }: Tradepost): Promise<Table[]> =>
  (
    await sql<Table>`
      select t.table_name as name, count(c.column_name) > 0 as of_store
        from information_schema.tables t
        left join information_schema.columns c
          on (c.table_schema, c.table_name, c.column_name)
           = (t.table_schema, t.table_name, 'store_id')
           -- A row with an array of store ids belongs to many stores.
           and c.data_type <> 'ARRAY'
       where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
       group by 1
       order by 1`.execute(db)
  ).rows
