import { DatabaseBusyError } from './connection-queue.ts'

/**
 * SQLSTATE classes and codes that say "not now": connection, resources, limits, shutdown, lost races. So do
 * a server that became a read-only standby, and one that lets us in no more or lost our database: the shop
 * was open there before.
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
/** What `pg` says without a code when a connection is gone, or none came in time. */
const GONE =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|The embedded database|Cannot use a pool after)|not queryable/i

/** Whether the database could not serve this now, as opposed to a statement that is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBusyError) return true
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (NOT_NOW.test(code) || NO_ROUTE.includes(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return GONE.test(error.message)
}

/** The unique index that a write ran into, and the value in its last column. */
export function uniqueViolation(error: unknown): { index: string; value: string } | undefined {
  const { code, constraint, detail } = (error ?? {}) as Record<string, string | undefined>
  if (code !== '23505' || constraint === undefined) return undefined
  // "Key (store_id, sku)=(7, ABC) already exists.": store ids have no comma, values may have.
  const value = /\)=\(\d+, (.*)\) already exists/s.exec(detail ?? '')?.[1] ?? ''
  return { index: constraint, value }
}
