import { Refusal } from '../src/kernel/errors.ts'

/** Returns the refusal with which the work ends; undefined if it ends normally. Throws any other error. */
export function refusalOf(work: () => unknown): Refusal | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return undefined
}

/** Returns the field that the refusal of the work names. */
export const refusedField = (work: () => unknown) => refusalOf(work)?.details?.field
