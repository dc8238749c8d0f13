import { type App, storeContextOf, storeNow } from '../../../app.ts'
import type { Actor, Origin } from '../../../audit/origin.ts'
import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { LINK_MS, openLink, signLink } from '../../../storage/link.rules.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectStoreById } from '../../installation/index.ts'
import { lineOf } from './csv.rules.ts'
import * as q from './queries/index.ts'
import type { KeyExport } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'

const PURPOSE = 'key_export'
const BATCH = 1_000
const COLUMNS = ['id', 'value', 'status', 'order_id', 'sold_at', 'created_at'] as const

/**
 * Returns a URL from which all keys of a variant can be downloaded as CSV. It is valid for 15
 * minutes.
 */
export async function exportKeys(
  { db, vault, store, publicUrl, now, audit }: StoreContext,
  productRef: string,
  variantId: number,
): Promise<{ export: KeyExport }> {
  requireRecord(await q.selectVariant(db, store.id, productRef, variantId), 'Variant')
  const sign = (text: string) => vault.hmac(PURPOSE, text)
  const signedMs = Date.parse(now)
  const { type, id } = audit.origin.actor
  const link = signLink(`${store.id}-${variantId}-${type}-${id ?? ''}`, signedMs, sign)
  return {
    export: { url: `${publicUrl}/key-exports/${link}`, expires_at: iso(signedMs + LINK_MS) },
  }
}

/**
 * Returns the file name of an export and its CSV lines, which are read in batches. Returns undefined
 * if the link is invalid or has expired. Each download is audited as an action of the actor that
 * created the link.
 */
export async function openExport(
  app: App,
  signedLink: string,
  request: Pick<Origin, 'address' | 'request_id'>,
): Promise<{ name: string; lines: AsyncIterable<string> } | undefined> {
  const link = openLink(signedLink, (text) => app.vault.hmac(PURPOSE, text))
  const [storeId, variantId, type, id] = link?.target.split('-') ?? []
  if (!link || storeId === undefined || variantId === undefined) return undefined
  const store = await selectStoreById(app.db, Number(storeId))
  if (!store || Date.parse(storeNow(app, store)) >= link.expires_ms) return undefined
  const actor = { type: (type ?? 'system') as Actor['type'], id: id || null, name: null }
  const { audit } = storeContextOf({ ...app, origin: { ...request, actor } }, store)
  const event = { action: 'stock.download_export', object: 'variant', object_id: variantId }
  await inTransaction(app.db, (tx) => audit.record(tx, [{ ...event, changes: {} }]))
  return {
    name: `stock-keys-${variantId}.csv`,
    lines: linesOf(app, Number(storeId), Number(variantId)),
  }
}

async function* linesOf({ db, vault }: App, storeId: number, variantId: number) {
  yield lineOf(COLUMNS)
  for (let after = 0; ; ) {
    const keys = await q.selectKeysAfter(db, storeId, variantId, { after, limit: BATCH })
    const lines = keys.map(({ value_enc, value_hmac, ...key }) => {
      const value = vault.open(stockKeySealContext(storeId, value_hmac), value_enc).toString()
      return lineOf(COLUMNS.map((name) => (name === 'value' ? value : key[name])))
    })
    yield lines.join('')
    if (keys.length < BATCH) return
    after = keys.at(-1)?.id ?? after
  }
}
