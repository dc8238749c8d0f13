import type { z } from 'zod'
import { BrokenAnswer } from './errors.rules.ts'

/** Checks an answer of Stripe. One in another form is treated like no answer. */
export function readAnswer<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  const paths = result.error.issues.map(({ path }) => path.join('.'))
  throw new BrokenAnswer(`Stripe answered in another form: ${paths.join(', ')}`)
}
