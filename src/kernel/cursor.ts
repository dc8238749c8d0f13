import { invalid } from './errors.ts'
import { type Page, pagination } from './page.ts'
import { openSigned, type Sign, signText } from './signed-text.ts'

/** The place in a sorted list after which the next page begins. */
export interface Position {
  /** The value of the sorted field in the last record of the page; null if it has none. */
  value: string | number | null
  id: string | number
  /** The number of records up to this place. */
  skipped: number
}

/** A list, and what makes two pages parts of the same list: the store, the filters and the sort. */
type Scope = Readonly<Record<string, unknown>>

const CURSOR_LENGTH_MAX = 512

/** Returns an opaque text for a place in a list. Its signature binds it to the list (decision 487). */
export const cursorOf = ({ value, id, skipped }: Position, scope: Scope, sign: Sign): string =>
  signText(
    Buffer.from(JSON.stringify([value, id, skipped])).toString('base64url'),
    signIn(scope, sign),
  )

/** Returns the place of a cursor. Refuses one that was changed, or made for another list. */
function readCursor(cursor: string, scope: Scope, sign: Sign): Position {
  const text =
    cursor.length <= CURSOR_LENGTH_MAX ? openSigned(cursor, signIn(scope, sign)) : undefined
  if (text === undefined) {
    const message =
      'The cursor was changed, or belongs to a list with other filters or another sort. Send it with the parameters of the page that returned it, or begin without it.'
    throw invalid('cursor', message)
  }
  const [value, id, skipped] = JSON.parse(Buffer.from(text, 'base64url').toString())
  return { value, id, skipped }
}

const signIn =
  (scope: Scope, sign: Sign): Sign =>
  (text) =>
    sign(`${scopeText(scope)}\n${text}`)

/** Undefined filters are left out, and the sequence of the parameters does not matter. */
const scopeText = (scope: Scope): string =>
  JSON.stringify(
    Object.entries(scope)
      .filter(([, value]) => value !== undefined)
      .sort(([first], [second]) => (first < second ? -1 : 1)),
  )

/** The parameters of a list that takes an offset or a cursor; all others are filters, and the sort. */
interface CursorQuery {
  limit: number
  offset?: number | undefined
  cursor?: string | undefined
}

/** A page of a list: what to read, and how to answer it. */
export interface CursorPage<Row> {
  /** `limit` is one more than the page has after a cursor, so that `has_more` needs no count. */
  read: Page & { after: Position | undefined }
  answer(rows: readonly Row[], total: number): { rows: Row[]; pagination: CursorPagination }
}

interface CursorPagination extends ReturnType<typeof pagination> {
  next_cursor: string | null
}

interface CursorList<Row> {
  /** The name of the list and the id of its store. */
  scope: { list: string; store: number }
  sign: Sign
  /** Returns the value of the sorted field, and the id. */
  placeOf(row: Row): Pick<Position, 'value' | 'id'>
}

/** Reads the offset or the cursor of a query. */
export function openCursorPage<Row>(
  { limit, offset, cursor, ...filters }: CursorQuery,
  { scope: list, sign, placeOf }: CursorList<Row>,
): CursorPage<Row> {
  if (cursor !== undefined && offset !== undefined)
    throw invalid('cursor', 'Send either cursor or offset. A cursor already has its place.')
  const scope = { ...filters, ...list }
  const after = cursor === undefined ? undefined : readCursor(cursor, scope, sign)
  const skipped = after?.skipped ?? offset ?? 0
  return {
    read: { limit: after ? limit + 1 : limit, offset: after ? 0 : skipped, after },
    answer(found, total) {
      const rows = found.slice(0, limit)
      const shown = pagination({ limit, offset: skipped }, total)
      const has_more = after ? found.length > limit : shown.has_more
      const last = rows.at(-1)
      const next_cursor =
        last && has_more
          ? cursorOf({ ...placeOf(last), skipped: skipped + rows.length }, scope, sign)
          : null
      return { rows, pagination: { ...shown, has_more, next_cursor } }
    },
  }
}
