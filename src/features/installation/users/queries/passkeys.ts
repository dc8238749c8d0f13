import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Tables } from '../../../../db/tables.gen.ts'

export type PasskeyRow = Selectable<Tables['user_passkey']>

export const selectPasskeys = (db: Db, userId: number): Promise<PasskeyRow[]> =>
  db.selectFrom('user_passkey').selectAll().where('user_id', '=', userId).orderBy('id').execute()

export const selectPasskeyOwner = (
  db: Db,
  credentialId: string,
): Promise<{ user_id: number; email: string } | undefined> =>
  db
    .selectFrom('user_passkey')
    .innerJoin('dashboard_user', 'dashboard_user.id', 'user_passkey.user_id')
    .select(['user_passkey.user_id', 'dashboard_user.email'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()

/** Locks the row, so that the second of two concurrent answers with the same counter is refused. */
export const lockPasskey = (tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> =>
  tx
    .selectFrom('user_passkey')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()

/** Returns undefined if the credential is already registered. */
export const insertPasskey = (
  tx: Tx,
  row: Omit<PasskeyRow, 'id' | 'last_used_at'>,
): Promise<PasskeyRow | undefined> =>
  tx
    .insertInto('user_passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()

export async function recordPasskeyUse(
  tx: Tx,
  id: number,
  fields: { counter: number; backed_up: boolean; last_used_at: string },
): Promise<void> {
  await tx.updateTable('user_passkey').set(fields).where('id', '=', id).execute()
}

export const renamePasskey = (
  tx: Tx,
  userId: number,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> =>
  tx
    .updateTable('user_passkey')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deletePasskey = (
  tx: Tx,
  userId: number,
  id: number,
): Promise<PasskeyRow | undefined> =>
  tx
    .deleteFrom('user_passkey')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Records that a challenge was answered. Returns false if it was answered before. */
export async function recordUsedChallenge(
  tx: Tx,
  challenge_hash: Buffer,
  expires_at: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_challenge')
    .values({ challenge_hash, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
