import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { KeyKind } from '../../../kernel/api-key.ts'

export interface ApiKey {
  id: number
  account_id: number
  kind: KeyKind
  livemode: boolean
  last4: string
  name: string
  permissions: string[]
  allowed_ips: string[]
  /** Null: all stores of the account on the key's side. */
  store_ids: number[] | null
  rate_limit: number
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  created_at: string
}

const COLUMNS = [
  'id',
  'account_id',
  'kind',
  'livemode',
  'last4',
  'name',
  'permissions',
  'allowed_ips',
  'store_ids',
  'rate_limit',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'created_at',
] as const

export const selectKeyByHash = (db: Db, hash: Buffer): Promise<ApiKey | undefined> =>
  db.selectFrom('api_key').select(COLUMNS).where('hash', '=', hash).executeTakeFirst() as Promise<
    ApiKey | undefined
  >

export type NewKeyRow = Omit<ApiKey, 'id' | 'last_used_at' | 'revoked_at'> & { hash: Buffer }

export async function insertKey(db: Db, row: NewKeyRow): Promise<number> {
  const { id } = await db
    .insertInto('api_key')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Keys that open a store, revoked ones too. */
export async function selectKeysOfStore(
  db: Db,
  store: { id: number; account_id: number; livemode: boolean },
): Promise<ApiKey[]> {
  return (await db
    .selectFrom('api_key')
    .select(COLUMNS)
    .where('account_id', '=', store.account_id)
    .where('livemode', '=', store.livemode)
    .where(sql<boolean>`(store_ids is null or ${store.id} = any(store_ids))`)
    .orderBy('id')
    .execute()) as ApiKey[]
}

export type RevokedKey = Pick<ApiKey, 'account_id' | 'livemode' | 'store_ids'> & {
  revoked_at: string
}

/** Revokes a key. If it was revoked before, the first time of revocation stays. */
export async function revokeKey(tx: Tx, id: number, now: string): Promise<RevokedKey | undefined> {
  const { rows } = await sql<RevokedKey>`
    update api_key set revoked_at = coalesce(revoked_at, ${now})
     where id = ${id}
    returning account_id, livemode, store_ids, revoked_at`.execute(tx)
  return rows[0]
}

/** When keys were last used: at most one write a minute and key. */
export async function touchKeys(db: Db, ids: readonly number[], now: string): Promise<void> {
  await sql`update api_key set last_used_at = ${now} where id = any(${ids}::bigint[])`.execute(db)
}

/** Locks a key that opens a store, revoked or not. */
export async function lockKeyOfStore(
  tx: Tx,
  store: { id: number; account_id: number; livemode: boolean },
  id: number,
): Promise<ApiKey | undefined> {
  return (await tx
    .selectFrom('api_key')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('account_id', '=', store.account_id)
    .where('livemode', '=', store.livemode)
    .where(sql<boolean>`(store_ids is null or ${store.id} = any(store_ids))`)
    .forUpdate()
    .executeTakeFirst()) as ApiKey | undefined
}

export async function updateKey(
  tx: Tx,
  id: number,
  fields: Partial<Pick<ApiKey, 'name' | 'permissions' | 'allowed_ips' | 'expires_at'>>,
): Promise<void> {
  await tx.updateTable('api_key').set(fields).where('id', '=', id).execute()
}
