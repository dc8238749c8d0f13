import type { ListAnswer } from './list-answer.ts'

const READ_SIZE = 100

type Position = Record<string, string | number>

interface Reading {
  /** The maximum number of rows. */
  max: number
  /** Called after each page; false ends the reading. */
  onPage?(readCount: number): boolean
}

/** Reads the rows of a list page by page. `isIncomplete` is true if the list has more rows. */
export async function readRows<Row>(
  readPage: (position: Position) => PromiseLike<ListAnswer<Row>>,
  { max, onPage = () => true }: Reading,
): Promise<{ rows: readonly Row[]; isIncomplete: boolean }> {
  const rows: Row[] = []
  let position: Position | undefined = {}
  while (position && rows.length < max) {
    const answer: ListAnswer<Row> = await readPage({ limit: READ_SIZE, ...position })
    rows.push(...answer.rows)
    position = nextPosition(answer, rows.length)
    if (!onPage(rows.length)) break
  }
  return { rows: rows.slice(0, max), isIncomplete: position !== undefined || rows.length > max }
}

function nextPosition<Row>(
  { has_more, next_cursor }: ListAnswer<Row>,
  readCount: number,
): Position | undefined {
  if (next_cursor != null) return { cursor: next_cursor }
  return has_more ? { offset: readCount } : undefined
}
