import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { checkListsEachId } from './sorted-ids.ts'

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
  const refusedField = (existing: number[], ids: number[]) =>
    fieldOf(() => checkListsEachId(existing, ids))

  test('that lists each id once is accepted', () => {
    const ids = fc.uniqueArray(fc.nat(), { maxLength: 20 })
    const shuffled = ids.chain((existing) =>
      fc.tuple(
        fc.constant(existing),
        fc.shuffledSubarray(existing, { minLength: existing.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([existing, order]) => {
        expect(refusedField(existing, order)).toBeUndefined()
      }),
    )
  })

  test('with a missing, repeated or unknown id is refused, and the error names the list or the position', () => {
    expect(refusedField([1, 2, 3], [3, 1])).toBe('ids')
    expect(refusedField([1, 2, 3], [])).toBe('ids')
    expect(refusedField([1, 2, 3], [3, 1, 3])).toBe('ids[2]')
    expect(refusedField([1, 2, 3], [1, 9, 2, 3])).toBe('ids[1]')
  })
})
