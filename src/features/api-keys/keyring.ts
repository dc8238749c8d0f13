import type { App } from '../../app.ts'
import { isApiKey, type KeyKind } from '../../kernel/api-key.ts'
import { iso, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts'
import { type ApiKey, selectKeyByHash, touchKeys } from './queries.ts'

const TTL_MS = 5 * SECOND_MS

/** Finds keys by their text; remembers them for a few seconds, so that a warm key costs no statement. */
export interface Keyring {
  find(kind: KeyKind, text: string): Promise<ApiKey | undefined>
  /** Writes down which keys were used since the last time. */
  flush(): Promise<void>
}

export const hashKey = ({ vault }: Pick<App, 'vault'>, text: string): Buffer =>
  vault.hmac('api_key', text)

export function openKeyring(app: App): Keyring {
  const cache = app.caches.open<string, ApiKey | undefined>(TTL_MS)
  const usedAt = new Map<number, number>()
  let flushedAt = app.clock.now()

  return {
    async find(kind, text) {
      if (!isApiKey(kind, text)) return undefined
      const hash = hashKey(app, text)
      const key = await cache.get(hash.toString('base64'), () => selectKeyByHash(app.db, hash))
      if (key) usedAt.set(key.id, app.clock.now())
      return key
    },
    async flush() {
      const now = app.clock.now()
      if (usedAt.size === 0 || now - flushedAt < MINUTE_MS) return
      const ids = [...usedAt.keys()]
      usedAt.clear()
      flushedAt = now
      await touchKeys(app.db, ids, iso(now))
    },
  }
}
