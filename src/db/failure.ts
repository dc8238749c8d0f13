import { DatabaseBusyError } from './connection-queue.ts'

/**
 * SQLSTATE classes and codes of temporary failures: connection, resources, limits, shutdown, lost
 * races. Also a server that became a read-only standby, and one that now refuses us or lost our
 * database, because both worked when the process started.
 */
const NOT_NOW = /^(08|28|53|57|58)|^(25006|25P0[23]|3D000|40001|40P01|55P03)$/
const NO_ROUTE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]
/** Messages of `pg` without a code, for connections that closed or could not be opened in time. */
const GONE =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|The embedded database|Cannot use a pool after)|not queryable/i

/** True if the database was temporarily unavailable; false if the statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBusyError) return true
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (NOT_NOW.test(code) || NO_ROUTE.includes(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return GONE.test(error.message)
}

/** The unique index that a write violated, and the value of its last column. */
export function uniqueViolation(error: unknown): { index: string; value: string } | undefined {
  const { code, constraint, detail } = (error ?? {}) as Record<string, string | undefined>
  if (code !== '23505' || constraint === undefined) return undefined
  // "Key (store_id, sku)=(7, ABC) already exists.": store ids contain no comma, values may.
  const value = /\)=\(\d+, (.*)\) already exists/s.exec(detail ?? '')?.[1] ?? ''
  return { index: constraint, value }
}
