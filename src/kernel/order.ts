import { z } from 'zod'
import { list } from './bounded.ts'
import { invalid } from './errors.ts'

/** The body of `PUT …/order`: all of a list, each once (decision 44). */
export const NewOrderOf = (max: number) =>
  z.strictObject({
    ids: list(z.int().positive(), { max, error: `Name at most ${max}.` }).describe(
      'All of them, each once, in their new order.',
    ),
  })

/** Refuses an order that repeats one, names a stranger, or leaves one out. */
export function checkOrder(own: readonly number[], sent: readonly number[]): void {
  const missing = new Set(own)
  for (const [at, id] of sent.entries()) {
    if (missing.delete(id)) continue
    const why = own.includes(id) ? 'Name each once.' : 'There is none with this id; remove it.'
    throw invalid(`ids[${at}]`, why)
  }
  if (missing.size > 0)
    throw invalid('ids', `Name all of them; ${[...missing].join(', ')} missing.`)
}
