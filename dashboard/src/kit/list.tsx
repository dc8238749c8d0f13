import { type ReactNode, Suspense } from 'react'
import { mayWrite, useRead, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import type { BulkWork } from './bulk.ts'
import { formatDay, momentOfDay } from './days.ts'
import { Link } from './link.tsx'
import { ListBulk } from './list-bulk.tsx'
import { useShownColumns } from './list-columns.tsx'
import type { ReadRows } from './list-export.tsx'
import type { Filter, SearchProps } from './list-filters.tsx'
import { ListHead } from './list-head.tsx'
import { PAGE_SIZE, Pages, readOffset, useFirstPageInstead } from './list-pages.tsx'
import { useSearch } from './list-search.ts'
import { useSelectedRows } from './list-selection.ts'
import type { Sorting } from './list-sort.tsx'
import { type RecordPanel, useOpenRecord } from './record-panel.ts'
import { Empty, FilterLabels, Loaded, Skeleton } from './states.tsx'
import { Table, type TableProps } from './table.tsx'
import type { View } from './views.tsx'
import { listAnd } from './words.ts'

export type { ListAnswer } from './list-answer.ts'
export type { Filter } from './list-filters.tsx'
export { useSearch } from './list-search.ts'
export { type Column, Table } from './table.tsx'

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows' | 'selection' | 'isOpen'> {
  /** The key of the query: the area and the kind of list, such as `['orders']`. */
  queryKey: readonly string[]
  read: ReadRows<Row>
  filters?: readonly Filter[]
  views?: readonly View[]
  /** The work on selected records. Without it, the rows have no checkboxes. */
  bulk?: BulkWork<Row>
  /** The panel in which a record opens next to the list. Without it, a row leads to the page of its record. */
  panel?: RecordPanel
  /** A line above the rows, which gets the rows of the page. */
  note?: (rows: readonly Row[]) => ReactNode
  /** The sort of the list while the address has none, as the API names it. */
  defaultSort?: string
  /** A sentence that says what the list contains, shown while there is no record. */
  empty: ReactNode
  /** The step that creates the first record. */
  firstStep?: FirstStep
}

/** The next step on an empty list. */
export interface FirstStep {
  /** A link to the action, such as `/webhooks#new`. */
  link?: {
    to: string
    label: string
    /** The area that the role must be allowed to change; without it there is no link. */
    area?: string
  }
  /** A line of code that does the same. */
  code?: string
}

/**
 * Converts the days of date filters to moments in the time zone of the store, in which times are shown.
 * The end of a range is exclusive in the API, so it becomes the start of the next day.
 */
function queryOf(filterValues: Record<string, string>, filters: readonly Filter[]) {
  const entries = Object.entries(filterValues).map(([name, value]) => {
    const isDay = filters.some((filter) => filter.name === name && filter.type === 'date')
    return [name, isDay ? momentOfDay(value, name.endsWith('_to') ? 1 : 0) : value] as const
  })
  return Object.fromEntries(entries)
}

/**
 * A list of records with filters, pages, selection and export, made from data. It also shows loading, an empty list and
 * errors. A record opens next to the list if it has a panel.
 */
export function List<Row>(props: ListProps<Row>) {
  const { panel } = props
  const { openId, openFromClick, close } = useOpenRecord(panel?.path)
  const list = (
    // A link that is followed with the keyboard sends a click too.
    <div className="list" onClickCapture={openFromClick}>
      <ListContent {...props} openId={openId} />
    </div>
  )
  if (!panel) return list
  return (
    <div className={openId === undefined ? undefined : 'with-panel'}>
      {list}
      {openId !== undefined && (
        <Suspense fallback={<Skeleton />}>
          <panel.Panel id={openId} to={`${panel.path}/${openId}`} close={close} />
        </Suspense>
      )}
    </div>
  )
}

interface ContentProps<Row> extends ListProps<Row> {
  /** The id of the record that is open next to the list. */
  openId: string | undefined
}

function ListContent<Row>(props: ContentProps<Row>) {
  const { queryKey, columns, keyOf, hrefOf, read, filters = [], views = [], bulk } = props
  const [search, setSearch] = useSearch()
  const filterValues = filterValuesIn(search, filters, views)
  const offset = readOffset(search.offset)
  const page = { limit: PAGE_SIZE, ...positionOf(search.cursor, offset) }
  const query = queryOf(filterValues, filters)
  const answer = useRead(
    [...queryKey, { ...query, ...page }],
    (store) => read(store, { ...query, ...page }),
    { keepPrevious: true },
  )
  const chosenFilters = filterTexts(filterValues, filters, views)
  const { shownColumns, hidden, setHidden } = useShownColumns(queryKey, columns)
  const isAtFirstInstead = useFirstPageInstead(answer, { search, setSearch })
  const { sort: _, ...filterOfRows } = filterValues
  const selected = useSelectedRows(keyOf, answer.data?.rows ?? [], JSON.stringify(filterOfRows))
  const exported = { queryKey, columns, keyOf, read, query }
  const sorting = sortingOf(props, search, setSearch)
  return (
    <>
      <ListHead
        {...exported}
        {...{ filters, views, search, setSearch, filterValues, hidden, setHidden, sorting }}
        chosenCount={chosenFilters.length}
      />
      {isAtFirstInstead && (
        <p className="secondary-text" role="status">
          {lists.fromFirstPage}
        </p>
      )}
      {props.note?.(answer.data?.rows ?? [])}
      {bulk && <ListBulk {...exported} {...{ bulk, selected, hrefOf }} list={answer.data} />}
      <FilterLabels value={labelsOf(filters, views)}>
        <Loaded read={answer}>
          {(list) =>
            list.rows.length > 0 ? (
              <>
                <Table
                  {...props}
                  {...sorting}
                  columns={shownColumns}
                  rows={list.rows}
                  selection={bulk && { ...selected, labelOf: bulk.labelOf }}
                  isOpen={(row) => String(keyOf(row)) === props.openId}
                />
                <Pages {...{ list, offset, search, setSearch }} />
              </>
            ) : (
              <NoRows {...props} chosenFilters={chosenFilters} clear={() => setSearch({})} />
            )
          }
        </Loaded>
      </FilterLabels>
    </>
  )
}

/** The sort in the address. Another one begins at the first page. */
function sortingOf(
  { defaultSort }: { defaultSort?: string },
  { offset: _, cursor: __, ...atFirstPage }: SearchProps['search'],
  setSearch: SearchProps['setSearch'],
): Sorting {
  return {
    sort: atFirstPage.sort ?? defaultSort,
    setSort: (sort) => setSearch({ ...atFirstPage, sort }),
  }
}

interface NoRowsProps {
  chosenFilters: readonly string[]
  clear(): void
  empty: ReactNode
  firstStep?: FirstStep
}

/** Says why the list has no rows: no record matches the filters, or there is none yet. */
const NoRows = ({ chosenFilters, clear, empty, firstStep }: NoRowsProps) =>
  chosenFilters.length > 0 ? (
    <Empty
      action={
        <button type="button" onClick={clear}>
          {common.clearFilters}
        </button>
      }
    >
      {fill(lists.nothingMatches, { filters: listAnd(chosenFilters) })}
    </Empty>
  ) : (
    <EmptyList firstStep={firstStep}>{empty}</EmptyList>
  )

/** The values in the address that belong to a filter, to a view or to the sort. */
function filterValuesIn(
  search: Record<string, string>,
  filters: readonly Filter[],
  views: readonly View[],
): Record<string, string> {
  const names = [
    'sort',
    ...filters.map(({ name }) => name),
    ...views.flatMap(({ query }) => Object.keys(query)),
  ]
  return Object.fromEntries(Object.entries(search).filter(([name]) => names.includes(name)))
}

function positionOf(cursor: string | undefined, offset: number): Record<string, string | number> {
  if (cursor !== undefined) return { cursor }
  return offset > 0 ? { offset } : {}
}

/** The labels of the filters by name. A name that only views have is that of the view. */
function labelsOf(filters: readonly Filter[], views: readonly View[]): Record<string, string> {
  const viewNames = views.flatMap(({ query }) => Object.keys(query))
  return Object.fromEntries([
    ...viewNames.map((name) => [name, lists.view] as const),
    ...filters.map(({ name, label }) => [name, label] as const),
  ])
}

/** The chosen filters in words, such as `Status: Refunded`. A sort is no filter. */
function filterTexts(
  filterValues: Record<string, string>,
  filters: readonly Filter[],
  views: readonly View[],
): string[] {
  return Object.entries(filterValues).flatMap(([name, value]) => {
    if (name === 'sort') return []
    const filter = filters.find((item) => item.name === name)
    if (filter) {
      return [fill(lists.filterOf, { name: filter.label, value: valueText(filter, value) })]
    }
    const view = views.find(({ query }) => query[name] === value)
    return [fill(lists.filterOf, { name: lists.view, value: view?.label ?? value })]
  })
}

function valueText({ options, type }: Filter, value: string): string {
  if (type === 'date') return formatDay(value)
  return options?.find((option) => option.value === value)?.label ?? value
}

interface EmptyListProps {
  firstStep?: FirstStep | undefined
  children: ReactNode
}

/** The list before its first record. */
export function EmptyList({ firstStep: { code, link } = {}, children }: EmptyListProps) {
  const store = useStore()
  const isAllowed = link?.area === undefined || mayWrite(store, link.area)
  const action = link && isAllowed && (
    <Link className="first-step" to={link.to}>
      {link.label}
    </Link>
  )
  return (
    <Empty code={code} action={action}>
      {children}
    </Empty>
  )
}
