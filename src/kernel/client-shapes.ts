import { z } from 'zod'
import {
  Characters,
  DOT_NAME,
  IdText,
  isNoDotName,
  LIST_LIMIT_MAX,
  PageQuery,
  PathId,
} from './shapes.ts'

/** Shapes shared by the Client Security API. */

export const RecordPath = z.object({ id: PathId.describe('The id of the record.') })

/** The text that an action returns with its record. */
export const Message = z.string().describe('The result of the action, for people.')

export const AppId = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The id of the app.')
export const NewAppId = AppId.optional().describe('The id of the app. Default: the default app.')

/** The parameters of a list with a cursor. `cursor` is the `next_cursor` of the previous page. */
export const CursorQuery = {
  limit: PageQuery.limit,
  cursor: IdText('Use next_cursor of the previous page.')
    .optional()
    .describe('The `next_cursor` of the previous page.'),
}

export const NextCursor = z
  .int()
  .nullable()
  .describe('The cursor of the next page; null on the last page.')

/** Returns the page of rows that were read with one record more than the limit, and the next cursor. */
export function cutPage<T extends { id: number }>(
  rows: readonly T[],
  limit: number = LIST_LIMIT_MAX,
): { page: T[]; next_cursor: number | null } {
  const page = rows.slice(0, limit)
  return { page, next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const LEVEL_MAX = 1_000
export const Level = z.int().min(0, 'Use 0 to 1000.').max(LEVEL_MAX, 'Use 0 to 1000.')

export const Status = z.enum(['active', 'inactive'])

export const Access = z.enum(['licensed', 'session', 'public'])
export type Access = z.output<typeof Access>

export const ACCESS_TEXT =
  'The sessions that may read the record. `licensed`: sessions whose license has `min_level`. `session`: all sessions of a license. `public`: also public sessions.'

/** The name by which a client program requests a string or a file. */
export const HandleName = Characters(
  128,
  /^[A-Za-z0-9_.:-]{1,128}$/,
  'Use 1 to 128 of A-Z, a-z, 0-9, _ . : and -.',
).refine(isNoDotName, DOT_NAME)

/** Returns true if the level fits the access. Only licenses have a level, so other access needs level 0. */
export const isLevelAllowed = ({ access, min_level }: { access: Access; min_level: number }) =>
  access === 'licensed' || min_level === 0

export const LEVEL_NEEDS_LICENSE = 'Use 0, or the access licensed: only a license has a level.'
