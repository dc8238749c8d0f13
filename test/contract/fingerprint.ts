import { sql } from 'kysely'
import type { Tradepost } from '../harness.ts'

type Fingerprint = Record<string, string>

/** The last fingerprint of each Tradepost, and the transactions that it saw. */
const fingerprints = new WeakMap<Tradepost, { key: string; print: Fingerprint }>()

/**
 * A fingerprint of every row, of one store or of all. A call without effect does not change it.
 * A store's fingerprint leaves out stored answers and keys, which belong to the caller.
 */
export async function rows(tradepost: Tradepost, storeHash?: string): Promise<Fingerprint> {
  const seen = await settledTransactions(tradepost)
  const key = `${seen} ${storeHash}`
  const last = fingerprints.get(tradepost)
  // Without a transaction that wrote, no row has changed.
  if (seen !== undefined && last?.key === key) return last.print
  const print = await fingerprint(tradepost, storeHash)
  if (seen !== undefined) fingerprints.set(tradepost, { key, print })
  return print
}

/** Names the transactions that have written so far; undefined while one is running. */
async function settledTransactions({ db }: Tradepost): Promise<string | undefined> {
  const { rows: read } = await sql<{ seen: string; settled: boolean }>`
    select s::text as seen, pg_snapshot_xmin(s) = pg_snapshot_xmax(s) as settled
      from pg_current_snapshot() s`.execute(db)
  return read[0]?.settled ? read[0].seen : undefined
}

async function fingerprint(tradepost: Tradepost, storeHash?: string): Promise<Fingerprint> {
  const inStore =
    storeHash === undefined
      ? sql``
      : sql`where store_id = (select id from store where hash = ${storeHash})`
  const prints = (await tablesOf(tradepost)).flatMap(({ name, of_store }) =>
    storeHash === undefined || of_store
      ? sql`
      select ${sql.lit(name)} as name,
             count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as print
        from ${sql.table(name)} t
       ${inStore}`
      : [],
  )
  // Only statements with a value are prepared, and planning this one takes longer than running it.
  const all = await sql<{ name: string; print: string }>`
    select * from (${sql.join(prints, sql` union all `)}) p where ${true} order by 1`.execute(
    tradepost.db,
  )
  return Object.fromEntries(all.rows.map(({ name, print }) => [name, print]))
}

interface Table {
  name: string
  of_store: boolean
}

/** Cached for each Tradepost: the query is slower than the fingerprints. */
const tables = new WeakMap<Tradepost, Promise<Table[]>>()

function tablesOf(tradepost: Tradepost): Promise<Table[]> {
  const known = tables.get(tradepost) ?? selectTables(tradepost)
  tables.set(tradepost, known)
  return known
}

const selectTables = async ({ db }: Tradepost): Promise<Table[]> =>
  (
    await sql<Table>`
      select t.table_name as name, count(c.column_name) > 0 as of_store
        from information_schema.tables t
        left join information_schema.columns c
          on (c.table_schema, c.table_name, c.column_name)
           = (t.table_schema, t.table_name, 'store_id')
           -- A row of lists is of many stores.
           and c.data_type <> 'ARRAY'
       where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
       group by 1
       order by 1`.execute(db)
  ).rows
