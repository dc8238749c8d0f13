import type { Clock } from './time.ts'

/** Remembers what was looked up, and shares a look-up that is under way. */
export interface Cache<K, V> {
  get(key: K, find: () => Promise<V>): Promise<V>
}

export interface Caches {
  /** A cache whose entries live `ttl` milliseconds. It forgets its oldest entries beyond `max`. */
  open<K, V>(ttl: number | ((value: V) => number), max?: number): Cache<K, V>
  /** Forgets everything: whoever changes what is cached calls it. */
  clear(): void
}

const MAX = 10_000

export function createCaches(clock: Clock): Caches {
  const all: Map<unknown, unknown>[] = []

  return {
    open<K, V>(ttl: number | ((value: V) => number), max = MAX): Cache<K, V> {
      const entries = new Map<K, { value: Promise<V>; until: number }>()
      all.push(entries)

      return {
        get(key, find) {
          const known = entries.get(key)
          if (known && clock.now() < known.until) return known.value
          const entry = { value: find(), until: Number.POSITIVE_INFINITY }
          entries.delete(key)
          entries.set(key, entry)
          const [oldest] = entries.keys()
          if (entries.size > max && oldest !== undefined) entries.delete(oldest)
          entry.value.then(
            (value) => {
              entry.until = clock.now() + (typeof ttl === 'number' ? ttl : ttl(value))
            },
            () => entries.delete(key),
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
