import { cutPage } from '../../../kernel/client-shapes.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { hashesOf, openKey } from './key-hash.ts'
import { statusOf } from './license.rules.ts'
import * as q from './queries/keys.ts'
import type { KeyQuery, LicenseKey, ListedKey } from './schema.ts'

/** A key as lists show it: without its text. */
export function listed({ now }: StoreContext, row: q.KeyRow): ListedKey {
  const { key_hmac: _h, key_enc: _e, ...key } = row
  return { ...key, status: statusOf(row, now) }
}

/** A key with its text. */
export const shown = (context: StoreContext, row: q.KeyRow): LicenseKey => ({
  ...listed(context, row),
  key: openKey(context, row),
})

export const getKey = async (context: StoreContext, id: number): Promise<LicenseKey> =>
  shown(context, found(await q.selectKey(context.db, context.store.id, id), 'Key'))

/** A page of keys, newest first, without their texts. */
export async function listKeys(
  context: StoreContext,
  query: KeyQuery,
): Promise<{ keys: ListedKey[]; next_cursor: number | null }> {
  const { db, store, now } = context
  const hmacs =
    query.key === undefined ? undefined : await lookupHashes(context, query.key, query.app_id)
  const rows = await q.selectKeys(db, store.id, { ...query, now, hmacs })
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { keys: page.map((row) => listed(context, row)), next_cursor }
}

/** The hashes to look a key's text up by, in one app or in all apps of the store. */
async function lookupHashes(
  { db, store, vault }: StoreContext,
  text: string,
  appId: number | undefined,
) {
  const appIds = appId === undefined ? await q.selectAppIds(db, store.id) : [appId]
  return appIds.flatMap((id) => hashesOf(vault, id, text))
}
