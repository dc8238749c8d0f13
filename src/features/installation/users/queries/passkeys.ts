import type { Db, Tx } from '../../../../db/database.ts'

export interface PasskeyRow {
  id: number
  user_id: number
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  name: string
  created_at: string
  last_used_at: string | null
}

const COLUMNS = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'backed_up',
  'name',
  'created_at',
  'last_used_at',
] as const

export const selectPasskeys = (db: Db, userId: number): Promise<PasskeyRow[]> =>
  db
    .selectFrom('user_passkey')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

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

/** Locks the row, so that the second of two answers with the same count is refused. */
export const lockPasskey = (tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> =>
  tx
    .selectFrom('user_passkey')
    .select(COLUMNS)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()

/** Returns undefined if the credential is registered already. */
export const insertPasskey = (
  tx: Tx,
  row: Omit<PasskeyRow, 'id' | 'last_used_at'>,
): Promise<PasskeyRow | undefined> =>
  tx
    .insertInto('user_passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()

export async function usePasskey(
  tx: Tx,
  id: number,
  used: { counter: number; backed_up: boolean; last_used_at: string },
): Promise<void> {
  await tx.updateTable('user_passkey').set(used).where('id', '=', id).execute()
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
    .returning(COLUMNS)
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
    .returning(COLUMNS)
    .executeTakeFirst()

/** Returns false if the challenge was answered before. */
export async function useChallenge(
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
