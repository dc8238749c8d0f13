import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

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

/** Ids of the master keys that encrypt rows here. */
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

const SEEDING_LOCK = 4101

/** Of two processes that start with a demo store on one database, one opens it. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEEDING_LOCK})`.execute(tx)
}
