import { inTransaction, type Tx } from '../../../db/database.ts'
import { newApiKey, prefixOf } from '../../../kernel/api-key.ts'
import { checkStillToCome, found, invalid, invalidState } from '../../../kernel/errors.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import { HOUR_MS, iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { hashKey } from './keyring.ts'
import * as q from './queries.ts'
import type { CreateKey, KeyPatch, ListedKey, RollKey } from './schema.ts'

/** How long a rolled key still works in addition to its successor. */
const OVERLAP_MS = 24 * HOUR_MS
const RATE_LIMIT = 300

const nowOf = (context: StoreContext): string => iso(machineNow(context))

const shownKey = (key: q.ApiKey): ListedKey => {
  const { account_id: _, livemode, store_ids, ...shown } = key
  return {
    ...shown,
    prefix: prefixOf(key.kind, livemode),
    permissions: key.permissions,
    only_this_store: store_ids?.length === 1,
  }
}

/** The keys that open this store, the newest first; revoked ones too. */
export async function listKeys({ db, store }: StoreContext): Promise<ListedKey[]> {
  const keys = await q.selectKeysOfStore(db, store)
  return keys.map(shownKey).reverse()
}

function checkPermissions({ kind, permissions }: Pick<CreateKey, 'kind' | 'permissions'>): void {
  const known: readonly string[] = permissionsOf(kind)
  const stranger = permissions.findIndex((item) => !known.includes(item))
  if (stranger === -1) return
  throw invalid(`permissions[${stranger}]`, 'There is no such permission.', {
    allowed: [...known],
  })
}

type Fields = Pick<q.ApiKey, 'kind' | 'name' | 'permissions' | 'allowed_ips' | 'expires_at'>

async function insertKey(
  tx: Tx,
  context: StoreContext,
  fields: Fields,
  rate_limit: number,
): Promise<{ api_key: ListedKey; key: string }> {
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
    created_at: nowOf(context),
  }
  const id = await q.insertKey(tx, { ...row, hash: hashKey({ vault }, key) })
  return { api_key: shownKey({ ...row, id, last_used_at: null, revoked_at: null }), key }
}

/** Creates a key for this store alone. It is shown now and never again. */
export function createStoreKey(
  context: StoreContext,
  body: CreateKey,
): Promise<{ api_key: ListedKey; key: string }> {
  checkPermissions(body)
  checkStillToCome(body.expires_at, nowOf(context))
  return inTransaction(context.db, (tx) => insertKey(tx, context, body, RATE_LIMIT))
}

/** Refuses a key that opens other stores: a user of this one may have no role there. */
async function lockOwnKey(tx: Tx, context: StoreContext, id: number): Promise<q.ApiKey> {
  const key = found(await q.lockKeyOfStore(tx, context.store, id), 'API key')
  if (key.revoked_at !== null) throw invalidState('revoked', 'This API key was revoked.')
  if (key.store_ids?.length === 1) return key
  throw invalidState(
    'shared',
    'This API key opens several stores. Change it with `tradepost keys revoke`, or replace it.',
  )
}

/** Renames or narrows a key; permissions can be taken away, and never added. */
export function updateKey(context: StoreContext, id: number, patch: KeyPatch): Promise<ListedKey> {
  return inTransaction(context.db, async (tx) => {
    const key = await lockOwnKey(tx, context, id)
    const { permissions = key.permissions } = patch
    const added = permissions.findIndex((item) => !key.permissions.includes(item))
    if (added !== -1) {
      throw invalid(`permissions[${added}]`, 'A key can only be narrowed. Create another one.', {
        allowed: key.permissions,
      })
    }
    if (patch.expires_at !== undefined) checkStillToCome(patch.expires_at, nowOf(context))
    const changed = {
      name: patch.name ?? key.name,
      permissions: [...new Set(permissions)],
      allowed_ips: patch.allowed_ips ?? key.allowed_ips,
      expires_at: patch.expires_at === undefined ? key.expires_at : patch.expires_at,
    }
    await q.updateKey(tx, id, changed)
    context.audit.changed(key, changed)
    return shownKey({ ...key, ...changed })
  })
}

/** Replaces a key by one with the same fields; the old one ends now or in 24 hours. */
export function rollKey(
  context: StoreContext,
  id: number,
  { mode }: RollKey,
): Promise<{ api_key: ListedKey; key: string }> {
  return inTransaction(context.db, async (tx) => {
    const old = await lockOwnKey(tx, context, id)
    if (mode === 'now') await q.revokeKey(tx, id, nowOf(context))
    else await q.updateKey(tx, id, { expires_at: endOf(old, machineNow(context) + OVERLAP_MS) })
    return insertKey(tx, context, old, old.rate_limit)
  })
}

const endOf = ({ expires_at }: q.ApiKey, end: number): string =>
  iso(expires_at === null ? end : Math.min(end, Date.parse(expires_at)))

/** Ends a key; every process refuses it within 5 s. */
export function revokeStoreKey(context: StoreContext, id: number): Promise<ListedKey> {
  return inTransaction(context.db, async (tx) => {
    const key = await lockOwnKey(tx, context, id)
    const revoked_at = nowOf(context)
    await q.revokeKey(tx, id, revoked_at)
    context.audit.changed({ revoked_at: null }, { revoked_at })
    return shownKey({ ...key, revoked_at })
  })
}
