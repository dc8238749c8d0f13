import { useId, useState } from 'react'
import { fill } from '../text/catalogue.ts'
import { lists } from '../text/lists.ts'
import { formatNumber } from './format.ts'
import { ChooseColumns } from './list-columns.tsx'
import { Export, type ExportProps, isExported } from './list-export.tsx'
import { type Filter, Filters, type SearchProps } from './list-filters.tsx'
import { SortChoice, type Sorting } from './list-sort.tsx'
import { type View, Views } from './views.tsx'

interface ListHeadProps<Row> extends ExportProps<Row>, SearchProps {
  filters: readonly Filter[]
  views: readonly View[]
  filterValues: Record<string, string>
  /** The number of chosen filters. */
  chosenCount: number
  sorting: Sorting
  /** The positions of the hidden columns. */
  hidden: readonly number[]
  setHidden(hidden: readonly number[]): void
}

/**
 * The views and the tools of a list. On a phone the tools are opened by a button, so that the first rows are on the
 * first screen.
 */
export function ListHead<Row>(props: ListHeadProps<Row>) {
  const { filters, views, filterValues, chosenCount, sorting, hidden, setHidden } = props
  const { queryKey, columns, keyOf, read, query, search, setSearch } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const hasTools = filters.length > 0 || columns.some(isExported)
  if (!hasTools && views.length === 0) return null
  return (
    <>
      <div className="list-head">
        {(filters.length > 0 || views.length > 0) && (
          <Views {...{ views, filterValues, setSearch }} />
        )}
        {hasTools && (
          <button
            type="button"
            className="tools-button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {chosenCount === 0
              ? lists.tools
              : fill(lists.toolsChosen, { n: formatNumber(chosenCount) })}
          </button>
        )}
      </div>
      {hasTools && (
        <div className="list-tools" id={id} data-open={isOpen}>
          <Filters {...{ filters, search, setSearch }} />
          <SortChoice columns={columns} {...sorting} />
          <div className="list-end">
            <ChooseColumns {...{ columns, hidden, setHidden }} />
            {hidden.length > 0 && <span className="secondary-text">{lists.csvHasAll}</span>}
            {columns.some(isExported) && <Export {...{ queryKey, columns, keyOf, read, query }} />}
          </div>
        </div>
      )}
    </>
  )
}
