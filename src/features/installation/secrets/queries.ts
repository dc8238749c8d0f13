import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { SealedColumn, SealedRow } from '../../../db/sealed-column.ts'

const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** A batch of values after this row that are sealed with another key, sorted by the primary key. */
export async function selectSealedOtherwise(
  db: Db,
  { table, column, key, also = [] }: SealedColumn,
  { kid, after, limit }: { kid: string; after: readonly unknown[] | undefined; limit: number },
): Promise<SealedRow[]> {
  const beyond = after ? sql`and (${list(key)}) > (${sql.join(after)})` : sql``
  const { rows } = await sql<SealedRow>`
    select ${list([...key, ...also])}, ${sql.ref(column)} as sealed
      from ${sql.table(table)}
     where ${sql.ref(column)} is not null
       and substring(${sql.ref(column)} from 2 for 4) <> decode(${kid}, 'hex') ${beyond}
     order by ${list(key)}
     limit ${limit}`.execute(db)
  return rows
}

/** Replaces a value, unless another process replaced it meanwhile. */
export async function updateSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  sealed: Buffer,
): Promise<void> {
  const same = key.map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
     where ${sql.join(same, sql` and `)} and ${sql.ref(column)} = ${row.sealed}`.execute(db)
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

/** Nothing is sealed with any other key any more. */
export async function keepOnlyKid(db: Db, kid: string): Promise<void> {
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
