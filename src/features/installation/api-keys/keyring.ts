import type { App } from '../../../app.ts'
import { isApiKey, type KeyKind } from '../../../kernel/api-key.ts'
import { iso, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { type ApiKey, selectKeyByHash, touchKeys } from './queries.ts'

const TTL_MS = 5 * SECOND_MS
const FAMILIAR_MAX = 10_000

/** Finds keys by their text; remembers them for a few seconds, so that a warm key costs no statement. */
export interface Keyring {
  /**
   * Returns a key that is still valid. Before a statement is spent on a text that is unknown, or was no
   * key at its last lookup, `onStrange` is called; it refuses by throwing.
   */
  find(kind: KeyKind, text: string, onStrange: () => Promise<void>): Promise<ApiKey | undefined>
  /** Records the keys that were used since the last call. */
  flush(): Promise<void>
}

export const hashKey = ({ vault }: Pick<App, 'vault'>, text: string): Buffer =>
  vault.hmac('api_key', text)

export function openKeyring(app: App): Keyring {
  const cache = app.caches.open<string, ApiKey | undefined>(TTL_MS)
  /** Keys that were valid when they were last looked up, the latest last. */
  const familiar = new Set<string>()
  const usedAt = new Map<number, number>()
  let flushedAt = app.clock.now()

  return {
    async find(kind, text, onStrange) {
      const hash = isApiKey(kind, text) ? hashKey(app, text) : undefined
      const name = hash?.toString('base64') ?? ''
      if (!familiar.has(name)) await onStrange()
      if (!hash) return undefined
      const key = await cache.get(name, () => selectKeyByHash(app.db, hash))
      familiar.delete(name)
      if (!key || key.revoked_at !== null) return undefined
      familiar.add(name)
      const [oldest] = familiar
      if (familiar.size > FAMILIAR_MAX && oldest !== undefined) familiar.delete(oldest)
      usedAt.set(key.id, app.clock.now())
      return key
    },
    async flush() {
      const now = app.clock.now()
      // If the clock was set back, the last time lies ahead.
      if (usedAt.size === 0 || Math.abs(now - flushedAt) < MINUTE_MS) return
      const ids = [...usedAt.keys()]
      usedAt.clear()
      flushedAt = now
      await touchKeys(app.db, ids, iso(now))
    },
  }
}
