import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { checkOrder } from './order.ts'

function fieldOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.field
    throw error
  }
  return undefined
}

describe('a new sort order', () => {
  const field = (existing: number[], ids: number[]) => fieldOf(() => checkOrder(existing, ids))

  test('lists each id once', () => {
    const ids = fc.uniqueArray(fc.nat(), { maxLength: 20 })
    const shuffled = ids.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([existing, order]) => {
        expect(field(existing, order)).toBeUndefined()
      }),
    )
  })

  test('with a missing, repeated or unknown id is refused, and the error names its position', () => {
    expect(field([1, 2, 3], [3, 1])).toBe('ids')
    expect(field([1, 2, 3], [])).toBe('ids')
    expect(field([1, 2, 3], [3, 1, 3])).toBe('ids[2]')
    expect(field([1, 2, 3], [1, 9, 2, 3])).toBe('ids[1]')
  })
})
