import { LRUCache } from 'lru-cache'
import type { Clock } from './time.ts'

/** Caches lookups, and shares a lookup that is running. */
export interface Cache<K, V> {
  get(key: K, find: () => Promise<V>): Promise<V>
}

export interface Caches {
  /**
   * Opens a cache whose entries live `ttl` milliseconds. Beyond `max` it evicts the least recently
   * used.
   */
  open<K extends {}, V>(ttl: number | ((value: V) => number), max?: number): Cache<K, V>
  /** Empties all caches; to be called after a change of cached data. */
  clear(): void
}

const MAX = 10_000

interface Entry<V> {
  value: Promise<V>
  /** Infinite while the lookup runs. */
  until: number
}

export function createCaches(clock: Clock): Caches {
  const all: { clear(): void }[] = []

  return {
    open<K extends {}, V>(ttl: number | ((value: V) => number), max = MAX): Cache<K, V> {
      // LRUCache's own ttl is not used, because it would not read `clock`.
      const entries = new LRUCache<K, Entry<V>>({ max })
      all.push(entries)

      return {
        get(key, find) {
          const cached = entries.get(key)
          if (cached && clock.now() < cached.until) return cached.value
          const entry: Entry<V> = { value: find(), until: Number.POSITIVE_INFINITY }
          entries.set(key, entry)
          entry.value.then(
            (value) => {
              entry.until = clock.now() + (typeof ttl === 'number' ? ttl : ttl(value))
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
      for (const entries of all) entries.clear()
    },
  }
}
