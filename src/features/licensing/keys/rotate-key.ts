import type { StoreContext } from '../../../store-context.ts'
import { endSessions } from '../devices/index.ts'
import type { Work } from './change-keys.ts'
import { drawSymbol, hashOfMade, openKey, sealKey } from './key-hash.ts'
import { newKeyText, prefixOf, previewOf } from './key-text.rules.ts'
import * as q from './queries/keys.ts'

/**
 * Gives a key another text with the prefix that it had. The old one stops in the same moment, and its
 * sessions end.
 */
export const rotateKey =
  (context: StoreContext): Work =>
  async (tx, keys) => {
    const { store, vault, now } = context
    for (const key of keys) {
      const { id, app_id } = key
      const text = newKeyText(drawSymbol, prefixOf(openKey(context, key)))
      const key_hmac = hashOfMade(vault, app_id, text)
      await q.buryKeys(tx, store.id, [id], now)
      await q.updateKeys(tx, store.id, [id], {
        key_hmac,
        key_enc: sealKey(context, key_hmac, text),
        key_preview: previewOf(text),
        updated_at: now,
      })
      await endSessions(tx, store.id, { keyIds: [id], now, reason: 'key_rotated' })
    }
  }
