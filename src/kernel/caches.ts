import { LRUCache } from 'lru-cache'
import type { Clock } from './time.ts'

/** Remembers what was looked up, and shares a look-up that is under way. */
export interface Cache<K, V> {
  get(key: K, find: () => Promise<V>): Promise<V>
}

export interface Caches {
  /** A cache whose entries live `ttl` milliseconds. Beyond `max` it evicts the least recently used. */
  open<K extends {}, V>(ttl: number | ((value: V) => number), max?: number): Cache<K, V>
  /** Forgets everything: whoever changes what is cached calls it. */
  clear(): void
}

const MAX = 10_000

interface Entry<V> {
  value: Promise<V>
  /** Infinite while the look-up is under way. */
  until: number
}

export function createCaches(clock: Clock): Caches {
  const all: { clear(): void }[] = []

  return {
    open<K extends {}, V>(ttl: number | ((value: V) => number), max = MAX): Cache<K, V> {
      // The cache's own ttl is not used: it would read another clock than ours.
      const entries = new LRUCache<K, Entry<V>>({ max })
      all.push(entries)

      return {
        get(key, find) {
          const known = entries.get(key)
          if (known && clock.now() < known.until) return known.value
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
