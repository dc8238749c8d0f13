import { z } from 'zod'
import { list } from './bounded.ts'
import { invalid } from './errors.ts'

/** The body of `PUT …/order`: every id of a list, once (decision 44). */
export const NewOrderOf = (max: number) =>
  z.strictObject({
    ids: list(z.int().positive(), { max, error: `List at most ${max} ids.` }).describe(
      'All ids, each once, in the new order.',
    ),
  })

/** Refuses a list with a repeated, unknown or missing id. */
export function checkOrder(own: readonly number[], sorted: readonly number[]): void {
  const missing = new Set(own)
  for (const [at, id] of sorted.entries()) {
    if (missing.delete(id)) continue
    const why = own.includes(id) ? 'List each id once.' : 'No record has this id; remove it.'
    throw invalid(`ids[${at}]`, why)
  }
  if (missing.size > 0) throw invalid('ids', `List all ids; ${[...missing].join(', ')} missing.`)
}
