import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { allRows } from '../../../db/rows.ts'
import type { SealedColumn, SealedRow } from '../../../db/sealed-column.ts'

const columnList = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/**
 * Returns a batch of values that are not sealed with the key `kid`, in the order of the primary key.
 * `after` is the primary key of the last row of the previous batch.
 */
export function selectSealedWithOtherKeys(
  db: Db,
  { table, column, key, contextColumns = [] }: SealedColumn,
  { kid, after, limit }: { kid: string; after: readonly unknown[] | undefined; limit: number },
) {
  const isAfter = after ? sql`and (${columnList(key)}) > (${sql.join(after)})` : sql``
  return allRows<SealedRow>(db)`
    select ${columnList([...key, ...contextColumns])}, ${sql.ref(column)} as sealed
      from ${sql.table(table)}
     where ${sql.ref(column)} is not null
       and substring(${sql.ref(column)} from 2 for 4) <> decode(${kid}, 'hex') ${isAfter}
     order by ${columnList(key)}
     limit ${limit}`
}

/** Replaces a value unless another process has replaced it since it was read. */
export async function updateSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  sealed: Buffer,
): Promise<void> {
  const isRow = key.map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
     where ${sql.join(isRow, sql` and `)} and ${sql.ref(column)} = ${row.sealed}`.execute(db)
}

export async function selectKids(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('secrets_key').select('kid').orderBy('created_at').execute()
  return rows.map((row) => row.kid)
}

export async function insertKid(db: Db, kid: string): Promise<void> {
  await db
    .insertInto('secrets_key')
    .values({ kid })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the names of all other keys, after no value is sealed with them. */
export async function deleteOtherKids(db: Db, kid: string): Promise<void> {
  await db.deleteFrom('secrets_key').where('kid', '<>', kid).execute()
}

export async function insertPepper(db: Db, value_enc: Buffer): Promise<void> {
  await db
    .insertInto('installation_secret')
    .values({ name: 'pepper', value_enc })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function selectPepper(db: Db): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('installation_secret')
    .select('value_enc')
    .where('name', '=', 'pepper')
    .executeTakeFirst()
  return row?.value_enc
}
