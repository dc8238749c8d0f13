import { expect, test } from 'vitest'
import type { ListAnswer } from '../../dashboard/src/kit/list-answer.ts'
import { readRows } from '../../dashboard/src/kit/read-rows.ts'

const NUMBERS = Array.from({ length: 250 }, (_, n) => n)

/** A list with a count, which continues at an offset. */
async function byOffset(position: Record<string, string | number>): Promise<ListAnswer<number>> {
  const { limit = 0, offset = 0 } = position
  const end = Number(offset) + Number(limit)
  return { rows: NUMBERS.slice(Number(offset), end), has_more: end < NUMBERS.length }
}

/** A list without a count, which continues at a cursor. */
async function byCursor(position: Record<string, string | number>): Promise<ListAnswer<number>> {
  const { limit = 0, cursor = 0 } = position
  const end = Number(cursor) + Number(limit)
  return {
    rows: NUMBERS.slice(Number(cursor), end),
    next_cursor: end < NUMBERS.length ? String(end) : null,
  }
}

test.each([byOffset, byCursor])('all pages of a list are read in turn (%o)', async (readPage) => {
  expect(await readRows(readPage, { max: 1_000 })).toEqual({ rows: NUMBERS, isIncomplete: false })
  expect(await readRows(readPage, { max: 250 })).toEqual({ rows: NUMBERS, isIncomplete: false })
})

test('a list with more rows than the maximum is read up to it, and called incomplete', async () => {
  expect(await readRows(byCursor, { max: 120 })).toEqual({
    rows: NUMBERS.slice(0, 120),
    isIncomplete: true,
  })
})

test('a reading that is stopped has the rows so far', async () => {
  const counts: number[] = []
  const onPage = (readCount: number) => counts.push(readCount) < 2
  const { rows, isIncomplete } = await readRows(byOffset, { max: 1_000, onPage })
  expect([rows.length, isIncomplete, counts]).toEqual([200, true, [100, 200]])
})
