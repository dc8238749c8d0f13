import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { drawSymbol, hashOfMade, sealKey } from './key-hash.ts'
import { fillMask, formOf, newKeyText, previewOf } from './key-text.rules.ts'
import { endFrom } from './license.rules.ts'
import * as q from './queries/keys.ts'
import type { LicenseKey, NewKeys, NewTerms } from './schema.ts'
import { listed } from './show-keys.ts'

/** Creates up to 1,000 keys in one transaction. */
export function createKeys(
  context: StoreContext,
  actor: Actor,
  body: NewKeys,
): Promise<LicenseKey[]> {
  const { app_id, count, prefix, mask, ...terms } = body
  if (mask !== undefined && formOf(mask.replaceAll('*', '0')) !== 'other') {
    throw invalid(
      'mask',
      'Use another format: generated keys of five groups of five end in a check symbol.',
    )
  }
  return inTransaction(context.db, async (tx) => {
    const app = await appNamed(tx, context, app_id)
    const texts = new Set<string>()
    while (texts.size < count) {
      texts.add(mask ? fillMask(drawSymbol, mask) : newKeyText(drawSymbol, prefix))
    }
    return addKeys(tx, context, actor, {
      action: 'license_key.create',
      keys: await mapInSlices([...texts], (text) => ({
        text,
        key_hmac: hashOfMade(context.vault, app.id, text),
        app_id: app.id,
        order_item_id: null,
        terms,
      })),
    })
  })
}

export interface KeyToAdd {
  text: string
  key_hmac: Buffer
  app_id: number
  order_item_id: number | null
  terms: NewTerms
}

/** Inserts keys and returns them with their texts. Terms that start at creation start now. */
export async function addKeys(
  tx: Tx,
  context: StoreContext,
  actor: Actor,
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
  await refuseKnownKeys(tx, context, rows)
  const ids = await q.insertKeys(tx, store.id, rows)
  const created = await mapInSlices(keys, ({ text }, at) => {
    const { order_item_id: _, ...row } = rows[at] as q.NewKeyRow
    return {
      ...listed(context, { ...UNUSED, ...row, id: ids[at] ?? 0, updated_at: now }),
      key: text,
    }
  })
  await recordChanges(
    tx,
    context,
    actor,
    created.map((after) => ({ action, record_type: after.object, record_id: after.id, after })),
  )
  return created
}

/** The values of a key that was never used. */
const UNUSED = {
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

async function refuseKnownKeys(
  tx: Tx,
  { store }: StoreContext,
  rows: readonly q.NewKeyRow[],
): Promise<void> {
  const hmacs = rows.map((row) => row.key_hmac)
  const [first] = rows
  const known = first ? await q.selectTaken(tx, store.id, first.app_id, hmacs) : []
  if (known.length === 0) return
  const at = hmacs.findIndex((item) => known.some((other) => other.equals(item)))
  throw new Refusal(
    409,
    `keys[${at}].key: This key exists already, or was deleted. Use another key.`,
  )
}
