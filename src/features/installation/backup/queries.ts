import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'

/** How many rows are read and written at once; one may have 100 KB of text. */
const ROWS = 500

/** The table that says which version made the database. */
const MIGRATIONS = 'migration'

export async function selectMigrations(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

export async function countStores(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from store`.execute(db)
  return rows[0]?.count ?? 0
}

export async function selectTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> ${MIGRATIONS}
     order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The rows of a table, as texts of its composite type, page by page. */
export async function* selectRows(tx: Tx, table: string): AsyncGenerator<string[]> {
  await sql`declare backup no scroll cursor for select t::text as row from ${sql.table(table)} t`.execute(
    tx,
  )
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS)} from backup`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < ROWS) break
  }
  await sql`close backup`.execute(tx)
}

export interface Sequence {
  name: string
  value: string
}

/** The sequences that have been used, with their last values. */
export async function selectSequences(db: Db): Promise<Sequence[]> {
  const { rows } = await sql<Sequence>`
    select sequencename as name, last_value::text as value
      from pg_sequences
     where schemaname = 'public' and last_value is not null
     order by 1`.execute(db)
  return rows
}

/** Uploaded files, by the ids that the storage knows. */
export async function selectBlobIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('blob').select('id').distinct().orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Removes every foreign key, so that tables can be filled in any order. */
export async function dropForeignKeys(tx: Tx): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
     order by 1, 2`.execute(tx)
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  }
  return rows
}

/** Checks all rows. */
export async function addForeignKeys(tx: Tx, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      tx,
    )
  }
}

/** The tables whose rows a trigger counts elsewhere. */
export async function selectTriggered(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
     order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Restored rows are counted already, so triggers must not run for them. */
export async function switchTriggers(
  tx: Tx,
  tables: readonly string[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx)
  }
}

export const empty = (tx: Tx, tables: readonly string[]) =>
  sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)

/** The columns of each table that hold values of their own, and are not computed from others. */
export async function selectColumns(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
       and not a.attisdropped and a.attgenerated = ''
     group by 1`.execute(db)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  const values = columns.map((column) => sql`(r.row).${sql.ref(column)}`)
  // Without the offset PostgreSQL would read the text again for each column.
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    overriding system value
    select ${sql.join(values)}
      from (select t.row::${sql.table(table)} as row
              from unnest(${rows}::text[]) t(row) offset 0) r`.execute(tx)
}

export const setSequence = (tx: Tx, { name, value }: Sequence) =>
  sql`select setval(${sql.lit(`public.${name}`)}::regclass, ${value}::bigint)`.execute(tx)
