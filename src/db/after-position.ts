import { type RawBuilder, sql } from 'kysely'
import type { Position } from '../kernel/cursor.ts'

/** The sort of a list by one column, and by the id if that is equal. */
export interface KeyedSort {
  column: RawBuilder<unknown>
  id: RawBuilder<unknown>
  isDescending: boolean
  /** True if the column may be null. Nulls are last in descending and first in ascending order. */
  hasNulls: boolean
}

export function orderBy({ column, id, isDescending, hasNulls }: KeyedSort): RawBuilder<unknown> {
  const direction = isDescending ? sql`desc` : sql`asc`
  const nulls = hasNulls ? (isDescending ? sql`nulls last` : sql`nulls first`) : sql``
  return sql`${column} ${direction} ${nulls}, ${id} ${direction}`
}

/**
 * Returns the conditions of the parts of a list after a position, in their sequence. A part is read through the index of
 * the sort. Values and nulls are two parts, because one condition for both would read all records before.
 */
function partsAfter(sort: KeyedSort, { value, id }: Position): RawBuilder<unknown>[] {
  const { column, isDescending, hasNulls } = sort
  const isAfter = isDescending ? sql`<` : sql`>`
  const values =
    value === null
      ? sql`${column} is not null`
      : sql`(${column}, ${sort.id}) ${isAfter} (${value}, ${id})`
  if (!hasNulls) return [values]
  const nulls =
    value === null ? sql`${column} is null and ${sort.id} ${isAfter} ${id}` : sql`${column} is null`
  if (isDescending) return value === null ? [nulls] : [values, nulls]
  return value === null ? [nulls, values] : [values]
}

interface SortedPage {
  /** The table and its alias, such as `"order" o`. */
  table: RawBuilder<unknown>
  alias: string
  where: RawBuilder<unknown>
  sort: KeyedSort
  limit: number
  offset: number
  after: Position | undefined
}

/** SQL for the records of a page, which begins after a position or at an offset. */
export function sortedPage(page: SortedPage): RawBuilder<unknown> {
  const { table, alias, where, sort, limit, offset, after } = page
  const sorted = orderBy(sort)
  const records = sql`select ${sql.id(alias)}.* from ${table} where ${where}`
  if (!after) return sql`${records} order by ${sorted} limit ${limit} offset ${offset}`
  const parts = partsAfter(sort, after).map(
    (part) => sql`(${records} and ${part} order by ${sorted} limit ${limit})`,
  )
  const together = sql.join(parts, sql` union all `)
  return sql`select * from (${together}) ${sql.id(alias)} order by ${sorted} limit ${limit}`
}
