import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { allRows, allValues, execute } from './rows.ts'

/**
 * Deletes the rows of a store from every table except `keptTables`. Rows are deleted before the rows that
 * they refer to.
 */
export async function deleteRecords(
  tx: Tx,
  storeId: number,
  keptTables: readonly string[],
): Promise<void> {
  for (const table of await tablesOfStores(tx, keptTables)) {
    await execute(tx)`delete from ${sql.table(table)} where store_id = ${storeId}`
  }
}

interface ForeignReference {
  from: string
  to: string
}

async function tablesOfStores(tx: Tx, keptTables: readonly string[]): Promise<string[]> {
  const tables = await allValues<string>(tx)`
    select class.relname as name
      from pg_class class
      join pg_attribute attribute on attribute.attrelid = class.oid
                       and attribute.attname = 'store_id' and attribute.atttypid = 'int8'::regtype
     where class.relkind = 'r' and class.relnamespace = current_schema()::regnamespace
       and class.relname <> all(${keptTables}::text[])
     order by class.relname`
  const references = await allRows<ForeignReference>(tx)`
    select distinct source.relname as from, target.relname as to
      from pg_constraint reference
      join pg_class source on source.oid = reference.conrelid
      join pg_class target on target.oid = reference.confrelid
     where reference.contype = 'f' and source.oid <> target.oid
       and source.relnamespace = current_schema()::regnamespace`
  return sortByReferences(tables, references)
}

/** Sorts the tables so that each precedes the tables that it refers to. */
function sortByReferences(
  tables: readonly string[],
  references: readonly ForeignReference[],
): string[] {
  const remaining = new Set(tables)
  const sortedTables: string[] = []
  while (remaining.size > 0) {
    const next = [...remaining].filter(
      (table) => !references.some(({ from, to }) => to === table && remaining.has(from)),
    )
    if (next.length === 0) {
      throw new Error(`Tables refer to each other: ${[...remaining].join(', ')}.`)
    }
    for (const table of next) remaining.delete(table)
    sortedTables.push(...next)
  }
  return sortedTables
}
