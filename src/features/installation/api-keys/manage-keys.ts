import { inTransaction, type Tx } from '../../../db/database.ts'
import { newApiKey, prefixOf } from '../../../kernel/api-key.ts'
import { checkInFuture, invalid, invalidState, requireRecord } from '../../../kernel/errors.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { DEFAULT_RATE_LIMIT } from './create-key.ts'
import { hashKey } from './keyring.ts'
import * as q from './queries.ts'
import type { ApiKeyPatch, CreateKey, ListedApiKey, RollKey } from './schema.ts'

/** The time for which a rolled key keeps working next to the new key. */
const OVERLAP_MS = 24 * HOUR_MS

const machineNowIso = (context: StoreContext): string => iso(machineNow(context))

const toListedKey = (key: q.ApiKey): ListedApiKey => {
  const { account_id, livemode, store_ids, ...fields } = key
  return {
    ...fields,
    prefix: prefixOf(key.kind, livemode),
    only_this_store: store_ids?.length === 1,
  }
}

/** Returns the keys of this store, newest first, including revoked ones. */
export async function listKeys({ db, store }: StoreContext): Promise<ListedApiKey[]> {
  const keys = await q.selectKeysOfStore(db, store)
  return keys.map(toListedKey).reverse()
}

function checkPermissions({ kind, permissions }: Pick<CreateKey, 'kind' | 'permissions'>): void {
  const allowed: readonly string[] = permissionsOf(kind)
  const unknownIndex = permissions.findIndex((item) => !allowed.includes(item))
  if (unknownIndex === -1) return
  throw invalid(
    `permissions[${unknownIndex}]`,
    'This permission does not exist. Use one of those in details.allowed.',
    {
      allowed: [...allowed],
    },
  )
}

type Fields = Pick<q.ApiKey, 'kind' | 'name' | 'permissions' | 'allowed_ips' | 'expires_at'>

async function issueKey(
  tx: Tx,
  context: StoreContext,
  fields: Fields,
  rate_limit: number,
): Promise<{ api_key: ListedApiKey; key: string }> {
  const { vault, store } = context
  const { kind, name, permissions, allowed_ips, expires_at } = fields
  const key = newApiKey(kind, store.livemode)
  const row = {
    kind,
    name,
    allowed_ips,
    expires_at,
    permissions: [...new Set(permissions)],
    rate_limit,
    account_id: store.account_id,
    livemode: store.livemode,
    store_ids: [store.id],
    last4: key.slice(-4),
    created_at: machineNowIso(context),
  }
  const id = await q.insertKey(tx, { ...row, hash: hashKey({ vault }, key) })
  return { api_key: toListedKey({ ...row, id, last_used_at: null, revoked_at: null }), key }
}

/** Creates a key for this store alone. Its text is returned once and cannot be read again. */
export function createStoreKey(
  context: StoreContext,
  body: CreateKey,
): Promise<{ api_key: ListedApiKey; key: string }> {
  checkPermissions(body)
  checkInFuture(body.expires_at, machineNowIso(context))
  return inTransaction(context.db, (tx) => issueKey(tx, context, body, DEFAULT_RATE_LIMIT))
}

/** Locks a key to change it. A key that is valid for other stores too is refused: the user may have no role there. */
async function lockChangeableKey(tx: Tx, context: StoreContext, id: number): Promise<q.ApiKey> {
  const key = requireRecord(await q.lockKeyOfStore(tx, context.store, id), 'API key')
  if (key.revoked_at !== null)
    throw invalidState('revoked', 'This API key was revoked and cannot change. Create another one.')
  if (key.store_ids?.length === 1) return key
  throw invalidState(
    'shared',
    'This API key is valid for several stores. Revoke it with `tradepost keys revoke`, and create a key for each store.',
  )
}

/** Changes the name, the addresses, the expiry or the permissions of a key. Permissions cannot be added. */
export function updateKey(
  context: StoreContext,
  id: number,
  patch: ApiKeyPatch,
): Promise<ListedApiKey> {
  return inTransaction(context.db, async (tx) => {
    const key = await lockChangeableKey(tx, context, id)
    const { permissions = key.permissions } = patch
    const addedIndex = permissions.findIndex((item) => !key.permissions.includes(item))
    if (addedIndex !== -1) {
      throw invalid(
        `permissions[${addedIndex}]`,
        'Permissions of a key can only be removed. Create another key.',
        {
          allowed: key.permissions,
        },
      )
    }
    if (patch.expires_at !== undefined) checkInFuture(patch.expires_at, machineNowIso(context))
    const changedKey = {
      name: patch.name ?? key.name,
      permissions: [...new Set(permissions)],
      allowed_ips: patch.allowed_ips ?? key.allowed_ips,
      expires_at: patch.expires_at === undefined ? key.expires_at : patch.expires_at,
    }
    await q.updateKey(tx, id, changedKey)
    context.audit.reportChange(key, changedKey)
    return toListedKey({ ...key, ...changedKey })
  })
}

/**
 * Replaces a key with a new one that has the same fields. The old key ends now or in 24 hours. An expired key
 * is refused, because the new key would have the same expiry.
 */
export function rollKey(
  context: StoreContext,
  id: number,
  { mode }: RollKey,
): Promise<{ api_key: ListedApiKey; key: string }> {
  return inTransaction(context.db, async (tx) => {
    const old = await lockChangeableKey(tx, context, id)
    if (old.expires_at !== null && old.expires_at <= machineNowIso(context)) {
      throw invalidState('expired', 'This API key has expired. Create another one.')
    }
    if (mode === 'now') await q.revokeKey(tx, id, machineNowIso(context))
    else
      await q.updateKey(tx, id, {
        expires_at: earlierExpiry(old, machineNow(context) + OVERLAP_MS),
      })
    return issueKey(tx, context, old, old.rate_limit)
  })
}

const earlierExpiry = ({ expires_at }: q.ApiKey, end: number): string =>
  iso(expires_at === null ? end : Math.min(end, Date.parse(expires_at)))

/** Revokes a key. Every process refuses it within 5 s. */
export function revokeStoreKey(context: StoreContext, id: number): Promise<ListedApiKey> {
  return inTransaction(context.db, async (tx) => {
    const key = await lockChangeableKey(tx, context, id)
    const revoked_at = machineNowIso(context)
    await q.revokeKey(tx, id, revoked_at)
    context.audit.reportChange({ revoked_at: null }, { revoked_at })
    return toListedKey({ ...key, revoked_at })
  })
}
