import { sql } from 'kysely'
import { type Db, inBackground } from './database.ts'

/** For smaller tables every plan is equally good. */
const SMALL_PAGES = 8

/**
 * Analyzes tables that doubled since the last count, and returns their names. Autovacuum is not
 * enough: the embedded engine has none, and a server runs it once a minute. Until then, plans of a
 * new store assume empty tables, and a lookup by key may read every order.
 */
export async function analyzeGrown(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = current_schema()
       and pg_relation_size(c.oid) / current_setting('block_size')::int
             > greatest(c.relpages, ${SMALL_PAGES / 2}) * 2
     order by c.relname`.execute(db)
  for (const { name } of rows) {
    await inBackground(db, (tx) => sql`analyze ${sql.raw(name)}`.execute(tx))
  }
  return rows.map((row) => row.name)
}
