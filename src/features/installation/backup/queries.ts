import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, allValues, onlyValue } from '../../../db/rows.ts'

/** The number of rows of one read. A row may have 100 KB of text. */
const ROWS = 500

/** The table of applied migrations. It is not copied, because the target database has its own rows. */
const MIGRATIONS = 'migration'

export async function selectMigrations(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Counts the stores. Each has a live and a test side, and the live one is counted. */
export const countStores = (db: Db) =>
  onlyValue<number>(db)`select count(*) from store where livemode`

export const selectTables = (db: Db) =>
  allValues<string>(db)`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> ${MIGRATIONS}
     order by 1`

/** Yields the rows of a table in pages, as texts of its composite type. */
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

interface Sequence {
  name: string
  value: string
}

/** Returns the sequences that have been used, with their last values. */
export const selectSequences = (db: Db) =>
  allRows<Sequence>(db)`
    select sequencename as name, last_value::text as value
      from pg_sequences
     where schemaname = 'public' and last_value is not null
     order by 1`

/** Returns the ids of the uploaded files in the storage. */
export async function selectBlobIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('blob').select('id').distinct().orderBy('id').execute()
  return rows.map(({ id }) => id)
}

interface ForeignKey {
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

/** Restores the foreign keys. PostgreSQL then checks all rows. */
export async function addForeignKeys(tx: Tx, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      tx,
    )
  }
}

/** Returns the tables with triggers. The triggers count the rows of their table in other tables. */
export const selectTablesWithTriggers = (db: Db) =>
  allValues<string>(db)`
    select distinct c.relname as name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
     order by 1`

/**
 * Turns the triggers of tables on or off. They are off while rows are restored, because the backup contains
 * the counts that the triggers would change.
 */
export async function switchTriggers(
  tx: Tx,
  tables: readonly string[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx)
  }
}

export const emptyTables = (tx: Tx, tables: readonly string[]) =>
  sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)

/** Returns the columns of each table, without generated columns. */
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

export interface BackupRow {
  /** The name of the file, without its folder. */
  file: string
  bytes: number
  sha256: string
  made_at: string
}

/** Replaces the record of the newest backup, which is the only one that is shown. */
export async function recordBackup(db: Db, { file, bytes, sha256, made_at }: BackupRow) {
  await sql`
    with earlier as (delete from backup_record)
    insert into backup_record (file, bytes, sha256, made_at)
    values (${file}, ${bytes}, ${sha256}, ${made_at})`.execute(db)
}

export const selectNewestBackup = (db: Db): Promise<BackupRow | undefined> =>
  db
    .selectFrom('backup_record')
    .select(['file', 'bytes', 'sha256', 'made_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
