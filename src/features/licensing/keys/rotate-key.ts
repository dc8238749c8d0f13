import type { StoreContext } from '../../../store-context.ts'
import { endSessions } from '../devices/index.ts'
import type { KeyWork } from './change-keys.ts'
import { drawSymbol, hashOfMade, openKey, sealKey } from './key-hash.ts'
import { newKeyText, prefixOf, previewOf } from './key-text.rules.ts'
import * as q from './queries/keys.ts'

/** Replaces the text of a key and keeps its prefix. The old text stops working, and the sessions end. */
export const rotateKey =
  (context: StoreContext): KeyWork =>
  async (tx, keys) => {
    const { store, vault, now } = context
    for (const key of keys) {
      const { id, app_id } = key
      const text = newKeyText(drawSymbol, prefixOf(openKey(context, key)))
      const key_hmac = hashOfMade(vault, app_id, text)
      await q.insertTombstones(tx, store.id, [id], now)
      await q.updateKeys(tx, store.id, [id], {
        key_hmac,
        key_enc: sealKey(context, key_hmac, text),
        key_preview: previewOf(text),
        updated_at: now,
      })
      await endSessions(tx, store.id, { keyIds: [id], now, reason: 'key_rotated' })
    }
  }
