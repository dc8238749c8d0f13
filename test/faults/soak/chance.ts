import { randomBy } from '../../concurrency/random.ts'

/** Random choices, which are the same for the same seed. */
export interface Chance {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  (): number
  /** Returns a whole number from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

export function createChance(seed: number): Chance {
  const random = randomBy(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return Object.assign(() => random(), {
    below,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('The list is empty.')
      return items[below(items.length)] as T
    },
    shuffle<T>(items: readonly T[]): T[] {
      return items
        .map((item) => ({ item, position: random() }))
        .sort((left, right) => left.position - right.position)
        .map(({ item }) => item)
    },
  })
}
