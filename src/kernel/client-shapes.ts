import { z } from 'zod'
import { IdText, LIST_LIMIT_MAX, PageQuery, PathId } from './shapes.ts'

/** Shapes shared by the Client Security API. */

export const RecordPath = z.object({ id: PathId.describe('The record.') })

/** The text that an action returns with its record. */
export const Message = z.string().describe('The result of the action, for people.')

export const AppId = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The app.')
export const NewAppId = AppId.optional().describe('The app; if omitted, the default app.')

/** A page after a record: `cursor` takes `next_cursor` of the previous page. */
export const CursorQuery = {
  limit: PageQuery.limit,
  cursor: IdText('Use next_cursor of the page before.')
    .optional()
    .describe('`next_cursor` of the page before.'),
}

export const NextCursor = z.int().nullable().describe('The next page; null at the end.')

/** Cuts a list that was read with one record more than the page, and returns the next cursor. */
export function cutPage<T extends { id: number }>(
  rows: readonly T[],
  limit: number = LIST_LIMIT_MAX,
): { page: T[]; next_cursor: number | null } {
  const page = rows.slice(0, limit)
  return { page, next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const LEVEL_MAX = 1_000
export const Level = z.int().min(0, 'Use 0 to 1000.').max(LEVEL_MAX, 'Use 0 to 1000.')

export const STATUSES = ['active', 'inactive'] as const
export const Status = z.enum(STATUSES)

const ACCESSES = ['licensed', 'session', 'public'] as const
export const Access = z.enum(ACCESSES)
export type Access = z.output<typeof Access>

export const ACCESS_TEXT =
  '`licensed`: a session whose license has `min_level`; `session`: any session of a license; `public`: public sessions too.'

/** The name by which a client program requests a string or a file. */
export const HandleName = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'Use 1 to 128 of A-Z, a-z, 0-9, _ . : and -.')

/** Only licenses have a level. A level without `licensed` would protect nothing. */
export const holdsTogether = ({ access, min_level }: { access: Access; min_level: number }) =>
  access === 'licensed' || min_level === 0

export const LEVEL_NEEDS_LICENSE = 'Use 0, or the access licensed: only a license has a level.'
