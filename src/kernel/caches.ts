import { LRUCache } from 'lru-cache'
import type { Clock } from './time.ts'

/** A cache of lookups. Concurrent lookups of a key share one result. */
export interface Cache<K, V> {
  get(key: K, find: () => Promise<V>): Promise<V>
}

export interface Caches {
  /**
   * Opens a cache whose entries expire after `ttl` milliseconds. Beyond `max` entries, the least recently
   * used one is evicted.
   */
  open<K extends {}, V>(ttl: number | ((value: V) => number), max?: number): Cache<K, V>
  /** Empties all caches. Call it after a change of cached data. */
  clear(): void
}

const ENTRIES_MAX = 10_000

interface CacheEntry<V> {
  value: Promise<V>
  /** The time of expiry; infinite while the lookup runs. */
  expiresAt: number
}

export function createCaches(clock: Clock): Caches {
  const entryCaches: { clear(): void }[] = []

  return {
    open<K extends {}, V>(ttl: number | ((value: V) => number), max = ENTRIES_MAX): Cache<K, V> {
      // LRUCache's own ttl is not used, because it would not read `clock`.
      const entries = new LRUCache<K, CacheEntry<V>>({ max })
      entryCaches.push(entries)

      return {
        get(key, find) {
          const existingEntry = entries.get(key)
          if (existingEntry && clock.now() < existingEntry.expiresAt) return existingEntry.value
          const entry: CacheEntry<V> = { value: find(), expiresAt: Number.POSITIVE_INFINITY }
          entries.set(key, entry)
          entry.value.then(
            (value) => {
              entry.expiresAt = clock.now() + (typeof ttl === 'number' ? ttl : ttl(value))
            },
            () => {
              if (entries.peek(key) === entry) {
                entries.delete(key)
              }
            },
          )
          return entry.value
        },
      }
    },
    clear() {
      for (const entries of entryCaches) entries.clear()
    },
  }
}
