import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { endSessions } from '../devices/index.ts'
import { changeKey, type KeyWork } from './change-keys.ts'
import { drawNumber, hmacOfKeyText, openKey, sealKey } from './key-hash.ts'
import { newKeyText, prefixOf, previewOf } from './key-text.rules.ts'
import * as q from './queries/index.ts'
import type { LicenseKey } from './schema.ts'
import { toLicenseKey } from './show-keys.ts'

/** Replaces the text of a key, except its prefix. The old text stops working, and the sessions end. */
export async function rotateKey(
  context: StoreContext,
  actor: KeyActor,
  id: number,
): Promise<LicenseKey> {
  const change = { id, action: 'license_key.rotate' }
  return toLicenseKey(context, await changeKey(context, actor, change, replaceTexts(context)))
}

const replaceTexts =
  (context: StoreContext): KeyWork =>
  async (tx, keys) => {
    const { store, vault, now } = context
    for (const key of keys) {
      const { id, app_id } = key
      const text = newKeyText(drawNumber, prefixOf(openKey(context, key)))
      const key_hmac = hmacOfKeyText(vault, app_id, text)
      await q.insertTombstones(tx, store.id, [id], now)
      await q.updateKeys(tx, store.id, [id], {
        key_hmac,
        key_enc: sealKey(context, key_hmac, text),
        key_preview: previewOf(text),
        updated_at: now,
      })
      await endSessions(tx, store.id, { keyIds: [id], now, reason: 'key_rotated' })
    }
    return true
  }
