import { useId } from 'react'
import { fill } from '../text/catalogue.ts'
import { lists } from '../text/lists.ts'
import type { Column } from './column.ts'

export interface Sorting {
  /** The sort of the list, as the API names it. */
  sort?: string | undefined
  setSort?: ((sort: string) => void) | undefined
}

const isDescending = (sort: string) => sort.startsWith('-')

/** The heading of a column. If the API can sort by it, it is a button that does so, and then the other way round. */
export function ColumnHeading<Row>({ column, sort, setSort }: Sorting & { column: Column<Row> }) {
  const { label, sorts } = column
  if (!sorts || !setSort) return label
  const next = sorts[sorts.indexOf(sort ?? '') + 1] ?? sorts[0]
  const isSorted = sort !== undefined && sorts.includes(sort)
  return (
    <button type="button" className="text-button sort" onClick={() => setSort(next)}>
      {label}
      <span aria-hidden="true">{isSorted ? (isDescending(sort) ? ' ↓' : ' ↑') : ' ↑↓'}</span>
    </button>
  )
}

export function ariaSort<Row>({ sorts }: Column<Row>, sort: string | undefined) {
  if (!sorts) return undefined
  if (sort === undefined || !sorts.includes(sort)) return 'none'
  return isDescending(sort) ? 'descending' : 'ascending'
}

/** The sorts by a time, whose field has one of these ends. */
const TIME = /_(?:at|date)$/

function directionText(sort: string): string {
  if (TIME.test(sort)) return isDescending(sort) ? lists.latest : lists.earliest
  return isDescending(sort) ? lists.descending : lists.ascending
}

/** The choice of the sort on a narrow screen, where rows are cards without headings. */
export function SortChoice<Row>({
  columns,
  sort,
  setSort,
}: Sorting & { columns: readonly Column<Row>[] }) {
  const id = useId()
  const choices = columns.flatMap(({ label, sorts = [] }) =>
    sorts.map((value) => ({
      value,
      label: fill(directionText(value), { column: label }),
    })),
  )
  if (choices.length === 0) return null
  return (
    <div className="filter narrow-only">
      <label htmlFor={id}>{lists.sort}</label>
      <select id={id} value={sort ?? ''} onChange={({ target }) => setSort?.(target.value)}>
        {choices.every(({ value }) => value !== sort) && (
          <option value={sort ?? ''}>{lists.usualSort}</option>
        )}
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
