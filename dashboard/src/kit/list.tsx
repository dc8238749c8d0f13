import { useRouter, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { mayWrite, useRead, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import { formatDay, momentOfDay } from './days.ts'
import { Link } from './link.tsx'
import type { ReadRows } from './list-answer.ts'
import { useShownColumns } from './list-columns.tsx'
import type { Filter, SearchProps } from './list-filters.tsx'
import { ListHead } from './list-head.tsx'
import { PAGE_SIZE, Pages, readOffset, useFirstPageInstead } from './list-pages.tsx'
import { Empty, FilterLabels, Loaded } from './states.tsx'
import { Table, type TableProps } from './table.tsx'
import type { View } from './views.tsx'
import { listAnd } from './words.ts'

export type { ListAnswer } from './list-answer.ts'
export type { Filter } from './list-filters.tsx'
export { type Column, type Selection, Table } from './table.tsx'

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The key of the query: the area and the kind of list, such as `['orders']`. */
  queryKey: readonly string[]
  read: ReadRows<Row>
  filters?: readonly Filter[]
  views?: readonly View[]
  /** The bar of the chosen rows, which gets the rows of the page. */
  selectionBar?: (rows: readonly Row[]) => ReactNode
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
 * The query of the address. A change adds an entry to the history, so that "back" returns to the former query; a text
 * that acts while it is typed replaces the entry.
 */
export function useSearch(): [SearchProps['search'], SearchProps['setSearch']] {
  const router = useRouter()
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location })
  const search = Object.fromEntries(new URLSearchParams(searchStr))
  const set: SearchProps['setSearch'] = (next, mode = undefined) => {
    const entries = Object.entries(next).filter(([, value]) => value !== '')
    const text = new URLSearchParams(entries).toString()
    router.history[mode ?? 'push'](
      `${router.basepath.replace(/\/$/, '')}${pathname.replace(router.basepath, '')}${text && `?${text}`}`,
    )
  }
  return [search, set]
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
 * A list of records with filters, pages and export, made from data. It also shows loading,
 * an empty list and errors.
 */
export function List<Row>(props: ListProps<Row>) {
  const { queryKey, columns, keyOf, read, filters = [], views = [], empty, firstStep } = props
  const [search, setSearch] = useSearch()
  const queryNames = [
    ...filters.map((filter) => filter.name),
    ...views.flatMap((view) => Object.keys(view.query)),
  ]
  const filterValues = Object.fromEntries(
    Object.entries(search).filter(([key]) => queryNames.includes(key) || key === 'sort'),
  )
  const offset = readOffset(search.offset)
  const page = {
    limit: PAGE_SIZE,
    ...positionOf(search.cursor, offset),
  }
  const query = queryOf(filterValues, filters)
  const answer = useRead(
    [...queryKey, { ...query, ...page }],
    (store) => read(store, { ...query, ...page }),
    { keepPrevious: true },
  )
  const chosenFilters = filterTexts(filterValues, filters, views)
  const { shownColumns, hidden, setHidden } = useShownColumns(queryKey, columns)
  const isAtFirstInstead = useFirstPageInstead(answer, { search, setSearch })
  const { offset: _, cursor: __, ...atFirstPage } = search
  const sorting = {
    sort: search.sort ?? props.defaultSort,
    setSort: (sort: string) => setSearch({ ...atFirstPage, sort }),
  }

  return (
    <div className="list">
      <ListHead
        {...{ queryKey, columns, keyOf, read, query, filters, views, search, setSearch }}
        {...{ filterValues, hidden, setHidden, sorting }}
        chosenCount={chosenFilters.length}
      />
      {isAtFirstInstead && (
        <p className="secondary-text" role="status">
          {lists.fromFirstPage}
        </p>
      )}
      {props.selectionBar?.(answer.data?.rows ?? [])}
      <FilterLabels value={labelsOf(filters, views)}>
        <Loaded read={answer}>
          {(list) =>
            list.rows.length > 0 ? (
              <>
                <Table {...props} {...sorting} columns={shownColumns} rows={list.rows} />
                <Pages {...{ list, offset, search, setSearch }} />
              </>
            ) : chosenFilters.length > 0 ? (
              <Empty
                action={
                  <button type="button" onClick={() => setSearch({})}>
                    {common.clearFilters}
                  </button>
                }
              >
                {fill(lists.nothingMatches, { filters: listAnd(chosenFilters) })}
              </Empty>
            ) : (
              <EmptyList firstStep={firstStep}>{empty}</EmptyList>
            )
          }
        </Loaded>
      </FilterLabels>
    </div>
  )
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
