import { cutPage } from '../../../kernel/client-shapes.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { candidateHashes, openKey } from './key-hash.ts'
import { keyStatusOf } from './license.rules.ts'
import * as q from './queries/index.ts'
import type { LicenseKey, LicenseKeyQuery, ListedLicenseKey } from './schema.ts'

/** Converts a row to a key without its text. */
export function toListedKey({ now }: StoreContext, row: q.KeyRow): ListedLicenseKey {
  const { key_hmac, key_enc, ...key } = row
  return { ...key, status: keyStatusOf(row, now) }
}

/** Converts a row to a key with its text. */
export const toLicenseKey = (context: StoreContext, row: q.KeyRow): LicenseKey => ({
  ...toListedKey(context, row),
  key: openKey(context, row),
})

const rowOf = async ({ db, store }: StoreContext, id: number) =>
  requireRecord(await q.selectKey(db, store.id, id), 'Key')

export const getKey = async (context: StoreContext, id: number): Promise<LicenseKey> =>
  toLicenseKey(context, await rowOf(context, id))

export const getListedKey = async (context: StoreContext, id: number): Promise<ListedLicenseKey> =>
  toListedKey(context, await rowOf(context, id))

/** Returns a page of keys, newest first, without their texts. */
export async function listKeys(context: StoreContext, query: LicenseKeyQuery) {
  const { db, store, now } = context
  const lookup =
    query.key === undefined ? undefined : await lookupOf(context, query.key, query.app_id)
  const rows = await q.selectKeys(db, store.id, { ...query, now, lookup })
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { keys: page.map((row) => toListedKey(context, row)), next_cursor }
}

/** Returns the hashes of a text in one app or in all apps of the store. */
async function lookupOf(
  { db, store, vault }: StoreContext,
  text: string,
  appId: number | undefined,
): Promise<q.KeyLookup> {
  const appIds = appId === undefined ? await q.selectAppIds(db, store.id) : [appId]
  return { appIds, hmacs: appIds.flatMap((id) => candidateHashes(vault, id, text)) }
}
