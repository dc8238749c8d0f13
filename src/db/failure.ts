import { DatabaseBusyError } from './connection-queue.ts'

/**
 * The SQLSTATE classes and codes of temporary failures: connection, resources, limits, shutdown and
 * conflicts. A server that became read-only, refuses this process or lost the database also counts as
 * temporary, because it worked when the process started.
 */
const TEMPORARY_SQLSTATES = /^(08|28|53|57|58)|^(25006|25P0[23]|3D000|40001|40P01|55000|55P03)$/
const UNREACHABLE_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]
/** The messages of `pg` without a code, for connections that closed or could not be opened in time. */
const CONNECTION_LOST_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|The embedded database|Cannot use a pool after)|not queryable/i

/** Returns true if the database was temporarily unavailable, and false if the statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBusyError || isStalePlan(error)) return true
  const { code } = error as { code?: unknown }
  if (
    typeof code === 'string' &&
    (TEMPORARY_SQLSTATES.test(code) || UNREACHABLE_CODES.includes(code))
  )
    return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return CONNECTION_LOST_MESSAGES.test(error.message)
}

/**
 * Returns true if a prepared statement does not match its migrated table. It always fails on its connection. The code
 * has other causes too, and the message is in the language of the server.
 */
export const isStalePlan = (error: Error): boolean =>
  (error as { routine?: string }).routine === 'RevalidateCachedQuery'

/** The messages and codes of connections that broke while a statement may have been running. */
const BROKEN_MESSAGES =
  /^(Connection terminated unexpectedly|Query read timeout|Client has encountered)/
const BROKEN_CODES = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT']

/** Returns true if the statement may have been committed, because its connection broke before the answer. */
export function mayBeCommitted(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    BROKEN_MESSAGES.test(error.message) ||
    BROKEN_CODES.includes(String((error as { code?: unknown }).code))
  )
}

/** Returns the unique index that a write violated, and the value of its last column. */
export function uniqueViolation(error: unknown): { index: string; value: string } | undefined {
  const { code, constraint, detail } = (error ?? {}) as Record<string, string | undefined>
  if (code !== '23505' || constraint === undefined) return undefined
  // The detail is "Key (store_id, sku)=(7, ABC) already exists.". Values may contain commas, ids do not.
  const value = /\)=\(\d+, (.*)\) already exists/s.exec(detail ?? '')?.[1] ?? ''
  return { index: constraint, value }
}

/** Runs work, and throws the refusal if it violates this unique index. */
export async function refuseDuplicates<T>(
  index: string,
  work: () => Promise<T>,
  refusal: () => Error,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw uniqueViolation(error)?.index === index ? refusal() : error
  }
}
