/** Random numbers that are determined by a seed, so that pictures and tests do not change. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number
  /** Returns a whole number from `from` to `to`, both inclusive. */
  whole(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Picks by weight. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
}

/** Creates the generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function itemAt<T>(items: readonly T[], index: number): T {
    if (items.length === 0) throw new Error('There is nothing to pick from.')
    return items[Math.min(index, items.length - 1)] as T
  }

  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => itemAt(items, Math.floor(next() * items.length)),
    weighted(items) {
      let remaining = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      const index = items.findIndex(([, weight]) => {
        remaining -= weight
        return remaining < 0
      })
      return itemAt(items, index < 0 ? items.length - 1 : index)[0]
    },
  }
}
