import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Deletes the rows of a store from every table that has them, except from those that are kept. Tables
 * come before the tables that they refer to.
 */
export async function deleteRecords(
  tx: Tx,
  storeId: number,
  kept: readonly string[],
): Promise<void> {
  for (const table of await tablesOfStores(tx, kept)) {
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}`.execute(tx)
  }
}

interface Reference {
  from: string
  to: string
}

async function tablesOfStores(tx: Tx, kept: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id'
                       and a.atttypid = 'int8'::regtype
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
       and c.relname <> all(${kept}::text[])
     order by c.relname`.execute(tx)
  const { rows: references } = await sql<Reference>`
    select distinct f.relname as from, t.relname as to
      from pg_constraint k
      join pg_class f on f.oid = k.conrelid
      join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and f.oid <> t.oid
       and f.relnamespace = current_schema()::regnamespace`.execute(tx)
  return sorted(
    tables.map(({ name }) => name),
    references,
  )
}

/** Every table before those that it refers to. */
function sorted(tables: readonly string[], references: readonly Reference[]): string[] {
  const left = new Set(tables)
  const order: string[] = []
  while (left.size > 0) {
    const next = [...left].filter(
      (table) => !references.some(({ from, to }) => to === table && left.has(from)),
    )
    if (next.length === 0) throw new Error(`Tables refer to each other: ${[...left].join(', ')}.`)
    for (const table of next) left.delete(table)
    order.push(...next)
  }
  return order
}
