import { useEffect, useState } from 'react'
import { fill } from '../text/catalogue.ts'
import { lists } from '../text/lists.ts'
import { formatNumber } from './format.ts'
import type { ListAnswer } from './list-answer.ts'
import type { SearchProps } from './list-filters.tsx'

export const PAGE_SIZE = 25

/** Reads the offset in the address. A bad one, such as `abc`, is that of the first page. */
export const readOffset = (text: string | undefined): number =>
  text !== undefined && isOffset(text) ? Number(text) : 0

const isOffset = (text: string): boolean => /^\d+$/.test(text) && Number.isSafeInteger(Number(text))

/** The cursors of the pages before those that were opened with "Next", until the document is left. */
const cursorBefore = new Map<string, string | undefined>()

/**
 * The buttons between the pages of a list. A list without a count has no way back in its answers, so "Previous" opens
 * the page from which "Next" led here, or the first page. The back button of the browser may lead out of the list.
 */
export function Pages<Row>({
  list,
  offset,
  search,
  setSearch,
}: SearchProps & { list: ListAnswer<Row>; offset: number }) {
  const { rows, total, has_more } = list
  // A counted list says which of its records are shown, which only an offset tells.
  const next_cursor = total === undefined ? list.next_cursor : undefined
  const { offset: _, cursor, ...rest } = search
  const openPage = (position: Record<string, string>) => setSearch({ ...rest, ...position })
  if (offset === 0 && cursor === undefined && !has_more && next_cursor == null) return null
  const openNext = () => {
    cursorBefore.set(String(next_cursor), cursor)
    openPage({ cursor: String(next_cursor) })
  }
  const openFormer = () => {
    const former = cursorBefore.get(cursor ?? '')
    openPage(former === undefined ? {} : { cursor: former })
  }
  return (
    <nav className="pages" aria-label={lists.next}>
      {total !== undefined && (
        <span>
          {fill(lists.range, {
            from: formatNumber(offset + 1),
            to: formatNumber(offset + rows.length),
            total: formatNumber(total),
          })}
        </span>
      )}
      {offset > 0 && (
        <button
          type="button"
          onClick={() => openPage(offset > PAGE_SIZE ? { offset: String(offset - PAGE_SIZE) } : {})}
        >
          {lists.previous}
        </button>
      )}
      {cursor !== undefined && (
        <button type="button" onClick={openFormer}>
          {cursorBefore.has(cursor) ? lists.previous : lists.first}
        </button>
      )}
      {next_cursor != null && (
        <button type="button" onClick={openNext}>
          {lists.next}
        </button>
      )}
      {has_more && next_cursor == null && (
        <button type="button" onClick={() => openPage({ offset: String(offset + PAGE_SIZE) })}>
          {lists.next}
        </button>
      )}
    </nav>
  )
}

const REFUSED = [400, 404, 422]

/**
 * True for the refusal of a place in the list, such as a cursor that was cut off when its address was copied. Not every
 * API names the field, so any refusal counts: that of another field comes again from the first page.
 */
const isBadPosition = (error: Error | null): boolean =>
  error !== null && 'status' in error && REFUSED.includes(Number(error.status))

/**
 * Opens the first page instead of a place that does not exist. Returns true until another page is opened, so that the
 * list can say so.
 */
export function useFirstPageInstead(
  { error, data }: { error: Error | null; data: ListAnswer<unknown> | undefined },
  { search, setSearch }: SearchProps,
): boolean {
  const [isReplaced, setReplaced] = useState(false)
  const { offset, cursor, ...atFirstPage } = search
  const isBehindEnd = offset !== undefined && data?.rows.length === 0
  const isNoOffset = offset !== undefined && !isOffset(offset)
  const isBad = isBadPosition(error) || isBehindEnd || isNoOffset
  const hasPosition = offset !== undefined || cursor !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused place is replaced once.
  useEffect(() => {
    if (isBad && hasPosition) {
      setReplaced(true)
      setSearch(atFirstPage, 'replace')
    } else if (hasPosition) setReplaced(false)
  }, [isBad, hasPosition])
  return isReplaced
}
