import type { App } from '../../../app.ts'
import { isApiKey, type KeyKind } from '../../../kernel/api-key.ts'
import { iso, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import * as q from './queries.ts'

const TTL_MS = 5 * SECOND_MS
const VALID_KEYS_MAX = 10_000

/** Finds keys by their text. Keys are cached for a few seconds, so most lookups need no statement. */
export interface Keyring {
  /**
   * Returns the key if it is valid. Unless this text was a valid key at its last lookup, `onUnknown` is
   * called before the database is read; it may refuse the call by throwing.
   */
  find(kind: KeyKind, text: string, onUnknown: () => Promise<void>): Promise<q.ApiKey | undefined>
  /** Saves the time of use of the keys that were used since the last flush. */
  flush(): Promise<void>
}

export const hashKey = ({ vault }: Pick<App, 'vault'>, text: string): Buffer =>
  vault.hmac('api_key', text)

export function openKeyring(app: App): Keyring {
  const cache = app.caches.open<string, q.ApiKey | undefined>(TTL_MS)
  /** The hashes of keys that were valid at their last lookup, the latest last. */
  const validHashes = new Set<string>()
  const usedAt = new Map<number, number>()
  let flushedAt = app.clock.now()

  return {
    async find(kind, text, onUnknown) {
      const hash = isApiKey(kind, text) ? hashKey(app, text) : undefined
      const hashText = hash?.toString('base64') ?? ''
      if (!validHashes.has(hashText)) await onUnknown()
      if (!hash) return undefined
      const key = await cache.get(hashText, () => q.selectKeyByHash(app.db, hash))
      validHashes.delete(hashText)
      if (!key || key.revoked_at !== null) return undefined
      validHashes.add(hashText)
      const [oldest] = validHashes
      if (validHashes.size > VALID_KEYS_MAX && oldest !== undefined) validHashes.delete(oldest)
      usedAt.set(key.id, app.clock.now())
      return key
    },
    async flush() {
      const now = app.clock.now()
      // `flushedAt` is in the future if the clock was set back.
      if (usedAt.size === 0 || Math.abs(now - flushedAt) < MINUTE_MS) return
      const ids = [...usedAt.keys()]
      usedAt.clear()
      flushedAt = now
      await q.touchKeys(app.db, ids, iso(now))
    },
  }
}
