import { randomBy } from '../../concurrency/random.ts'

/** Choices that are the same for the same seed. */
export interface Chance {
  (): number
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

export function chanceBy(seed: number): Chance {
  const random = randomBy(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return Object.assign(() => random(), {
    below,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('There is nothing to pick from.')
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
