import { sql } from 'kysely'
import { atLeisure, type Db } from './database.ts'

/** Up to here every plan is as good as another. */
const SMALL_PAGES = 8

/**
 * Looks for tables that doubled since the planner last counted them, counts them anew, and names them.
 * Why not wait for autovacuum: the embedded engine has none, and a server's comes by once a minute. Until
 * then a new shop's plans are made for empty tables, and a lookup by key may read every order.
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
    await atLeisure(db, (tx) => sql`analyze ${sql.raw(name)}`.execute(tx))
  }
  return rows.map((row) => row.name)
}
