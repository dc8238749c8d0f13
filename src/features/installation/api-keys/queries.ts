import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { execute, firstRow } from '../../../db/rows.ts'
import type { KeyKind } from '../../../kernel/api-key.ts'
import type { Store } from '../../../store-context.ts'

export interface ApiKey {
  id: number
  account_id: number
  kind: KeyKind
  livemode: boolean
  last4: string
  name: string
  permissions: string[]
  allowed_ips: string[]
  /** Null for all stores of the account on the key's side. */
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

type NewApiKeyRow = Omit<ApiKey, 'id' | 'last_used_at' | 'revoked_at'> & { hash: Buffer }

export async function insertKey(db: Db, row: NewApiKeyRow): Promise<number> {
  const { id } = await db
    .insertInto('api_key')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type StoreOfKey = Pick<Store, 'id' | 'account_id' | 'livemode'>

const keysOfStore = (db: Db, store: StoreOfKey) =>
  db
    .selectFrom('api_key')
    .select(COLUMNS)
    .where('account_id', '=', store.account_id)
    .where('livemode', '=', store.livemode)
    .where(sql<boolean>`(store_ids is null or ${store.id} = any(store_ids))`)

/** Returns the keys of a store, including revoked ones. */
export const selectKeysOfStore = (db: Db, store: StoreOfKey): Promise<ApiKey[]> =>
  keysOfStore(db, store).orderBy('id').execute() as Promise<ApiKey[]>

type RevokedKey = Pick<ApiKey, 'account_id' | 'livemode' | 'store_ids'> & {
  revoked_at: string
}

/** Revokes a key. A second revocation keeps the time of the first. */
export const revokeKey = (tx: Tx, id: number, now: string) =>
  firstRow<RevokedKey>(tx)`
    update api_key set revoked_at = coalesce(revoked_at, ${now})
     where id = ${id}
    returning account_id, livemode, store_ids, revoked_at`

/** Sets the time at which keys were last used. */
export const touchKeys = (db: Db, ids: readonly number[], now: string) =>
  execute(db)`update api_key set last_used_at = ${now} where id = any(${ids}::bigint[])`

/** Locks a key of a store, revoked or not. */
export const lockKeyOfStore = (
  tx: Tx,
  store: StoreOfKey,
  id: number,
): Promise<ApiKey | undefined> =>
  keysOfStore(tx, store).where('id', '=', id).forUpdate().executeTakeFirst() as Promise<
    ApiKey | undefined
  >

export async function updateKey(
  tx: Tx,
  id: number,
  fields: Partial<Pick<ApiKey, 'name' | 'permissions' | 'allowed_ips' | 'expires_at'>>,
): Promise<void> {
  await tx.updateTable('api_key').set(fields).where('id', '=', id).execute()
}
