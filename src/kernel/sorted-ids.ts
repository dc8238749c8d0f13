import { z } from 'zod'
import { list } from './bounded.ts'
import { invalid } from './errors.ts'

/** Creates the shape of the body of `PUT …/order`, which lists every id once (decision 44). */
export const SortedIds = (max: number) =>
  z.strictObject({
    ids: list(z.int().positive(), { max, error: `List at most ${max} ids.` }).describe(
      'All ids, each once, in the new order.',
    ),
  })

/** Refuses a list with a repeated, unknown or missing id. */
export function checkListsEachId(
  existingIds: readonly number[],
  sortedIds: readonly number[],
): void {
  const missing = new Set(existingIds)
  for (const [index, id] of sortedIds.entries()) {
    if (missing.delete(id)) continue
    const isRepeated = existingIds.includes(id)
    throw invalid(
      `ids[${index}]`,
      isRepeated ? 'List each id once.' : `There is no record ${id}. Remove it.`,
      isRepeated ? { rule: 'unique' } : {},
    )
  }
  if (missing.size > 0) throw invalid('ids', `List all ids. Missing: ${[...missing].join(', ')}.`)
}
