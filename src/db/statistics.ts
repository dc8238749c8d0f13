import { sql } from 'kysely'
import { type Db, inBackground } from './database.ts'
import { allValues } from './rows.ts'

/** The size in pages up to which tables are not analyzed, because every plan is equally good. */
const SMALL_PAGES = 8

/**
 * Analyzes tables that have doubled since they were last analyzed, and returns their names. Otherwise the
 * plans of a new store assume empty tables, and a lookup by key may read every order. The embedded engine
 * has no autovacuum, and a server runs it only once a minute.
 */
export async function analyzeGrownTables(db: Db): Promise<string[]> {
  const names = await allValues<string>(db)`
    select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = current_schema()
       and pg_relation_size(c.oid) / current_setting('block_size')::int
             > greatest(c.relpages, ${SMALL_PAGES / 2}) * 2
     order by c.relname`
  for (const name of names) {
    await inBackground(db, (tx) => sql`analyze ${sql.raw(name)}`.execute(tx))
  }
  return names
}
