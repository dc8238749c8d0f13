import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { lockAppOrDefault } from '../apps/index.ts'
import { drawNumber, hmacOfKeyText, sealKey } from './key-hash.ts'
import { fillMask, formOf, newKeyText, previewOf } from './key-text.rules.ts'
import { endFrom } from './license.rules.ts'
import * as q from './queries/index.ts'
import type { LicenseKey, NewLicenseKeys, NewTerms } from './schema.ts'
import { toListedKey } from './show-keys.ts'

/** Creates up to 1,000 keys in one transaction. */
export function createKeys(
  context: StoreContext,
  actor: KeyActor,
  body: NewLicenseKeys,
): Promise<LicenseKey[]> {
  const { app_id, count, prefix, mask, ...terms } = body
  if (mask !== undefined && formOf(mask.replaceAll('*', '0')) !== 'other') {
    throw invalid(
      'mask',
      'Five groups of five characters are the format of keys with a check symbol. Use another format.',
    )
  }
  return inTransaction(context.db, async (tx) => {
    const app = await lockAppOrDefault(tx, context, app_id)
    const keyTexts = new Set<string>()
    while (keyTexts.size < count) {
      keyTexts.add(mask ? fillMask(drawNumber, mask) : newKeyText(drawNumber, prefix))
    }
    return addKeys(tx, context, actor, {
      action: 'license_key.create',
      keys: await mapInSlices([...keyTexts], (text) => ({
        text,
        key_hmac: hmacOfKeyText(context.vault, app.id, text),
        app_id: app.id,
        order_item_id: null,
        terms,
      })),
    })
  })
}

interface KeyToAdd {
  text: string
  key_hmac: Buffer
  app_id: number
  order_item_id: number | null
  terms: NewTerms
}

/** Inserts keys and returns them with their texts. A duration that starts at creation starts now. */
export async function addKeys(
  tx: Tx,
  context: StoreContext,
  actor: KeyActor,
  { action, keys }: { action: string; keys: readonly KeyToAdd[] },
): Promise<LicenseKey[]> {
  const { store, now } = context
  const rows = await mapInSlices(keys, ({ text, key_hmac, app_id, order_item_id, terms }) => ({
    ...terms,
    expires_at: terms.expiry_basis === 'creation' ? endFrom(terms, now) : terms.expires_at,
    app_id,
    key_hmac,
    key_enc: sealKey(context, key_hmac, text),
    key_preview: previewOf(text),
    order_item_id,
    created_at: now,
  }))
  await refuseUsedKeys(tx, context, rows)
  const ids = await q.insertKeys(tx, store.id, rows)
  const createdKeys = await mapInSlices(keys, ({ text }, index) => {
    const { order_item_id, ...row } = rows[index] as q.NewLicenseKeyRow
    return {
      ...toListedKey(context, {
        ...UNUSED_KEY_FIELDS,
        ...row,
        id: ids[index] ?? 0,
        updated_at: now,
      }),
      key: text,
    }
  })
  await recordChanges(
    tx,
    context,
    actor,
    createdKeys.map((after) => ({ action, record_type: after.object, record_id: after.id, after })),
  )
  return createdKeys
}

/** The values of a key that was never used. */
const UNUSED_KEY_FIELDS = {
  object: 'license_key',
  ban_reason: null,
  public_ban_reason: null,
  banned_at: null,
  ban_expires_at: null,
  banned_by: null,
  suspended_at: null,
  suspend_reason: null,
  devices_count: 0,
  last_reset_at: null,
  first_activated_at: null,
  last_validated_at: null,
} as const

/** Refuses keys whose texts belong to an existing or a deleted key. All keys must be of one app. */
export async function refuseUsedKeys(
  tx: Tx,
  { store }: StoreContext,
  keys: readonly { app_id: number; key_hmac: Buffer }[],
): Promise<void> {
  const [firstKey] = keys
  if (!firstKey) return
  const hmacs = keys.map((key) => key.key_hmac)
  const usedHashes = await q.selectUsedHashes(tx, store.id, firstKey.app_id, hmacs)
  if (usedHashes.length === 0) return
  const index = hmacs.findIndex((hmac) => usedHashes.some((item) => item.equals(hmac)))
  throw new Refusal(
    409,
    `keys[${index}].key: This key exists already, or was deleted. Use another key.`,
  )
}
