import { useRouter, useRouterState } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId } from 'react'
import type { StoreContext } from '../api/store.ts'
import { useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import { downloadCsv } from './csv.ts'
import { formatDay, momentOfDay } from './days.ts'
import { formatNumber } from './format.ts'
import { Link } from './link.tsx'
import { Empty, Failure, Loaded } from './states.tsx'
import { Table, type TableProps } from './table.tsx'
import { toast } from './toast.tsx'
import { type View, Views } from './views.tsx'
import { listAnd } from './words.ts'
import { timeZone } from './zone.ts'
import { isReadersZone } from './zone-days.ts'

export { type Column, type Selection, Table } from './table.tsx'

/** A filter of a list. Its value is stored in the address, under its name. */
export interface Filter {
  name: string
  label: string
  /** The choices. If undefined, the filter is a text field. */
  options?: readonly { value: string; label: string }[]
  type?: 'search' | 'date' | 'number'
}

export interface ListAnswer<Row> {
  rows: readonly Row[]
  total?: number
  has_more?: boolean
  next_cursor?: string | number | null
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The key of the query: the area and the kind of list, such as `['orders']`. */
  queryKey: readonly string[]
  read: (
    store: StoreContext,
    query: Record<string, string | number>,
  ) => PromiseLike<ListAnswer<Row>>
  filters?: readonly Filter[]
  views?: readonly View[]
  /** A sentence that says what the list contains, shown while there is no record. */
  empty: ReactNode
  /** The step that creates the first record. */
  firstStep?: FirstStep
}

/** The next step on an empty list. */
export interface FirstStep {
  /** A link to the action, such as `/webhooks#new`. */
  link?: { to: string; label: string }
  /** A line of code that does the same. */
  code?: string
}

const PAGE_SIZE = 25
/** The maximum number of pages of 100 rows that an export reads. */
const EXPORT_PAGES_MAX = 100

/**
 * The query of the address. Each change adds an entry to the history, so that "back" returns to the
 * former query.
 */
export function useSearch(): [Record<string, string>, (next: Record<string, string>) => void] {
  const router = useRouter()
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location })
  const search = Object.fromEntries(new URLSearchParams(searchStr))
  const set = (next: Record<string, string>) => {
    const entries = Object.entries(next).filter(([, value]) => value !== '')
    const text = new URLSearchParams(entries).toString()
    router.history.push(
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
  const { queryKey, columns, read, filters = [], views = [], empty, firstStep } = props
  const [search, setSearch] = useSearch()
  const queryNames = [
    ...filters.map((filter) => filter.name),
    ...views.flatMap((view) => Object.keys(view.query)),
  ]
  const filterValues = Object.fromEntries(
    Object.entries(search).filter(([key]) => queryNames.includes(key) || key === 'sort'),
  )
  const offset = Number(search.offset ?? 0)
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

  return (
    <div className="list">
      {(filters.length > 0 || views.length > 0) && (
        <Views {...{ views, filterValues, setSearch }} />
      )}
      {(filters.length > 0 || columns.some(({ text }) => text)) && (
        <div className="list-tools">
          <Filters {...{ filters, search, setSearch }} />
          <Export {...{ queryKey, columns, read, query }} />
        </div>
      )}
      <Loaded read={answer}>
        {(list) =>
          list.rows.length > 0 ? (
            <>
              <Table {...props} rows={list.rows} />
              <Pages {...{ list, offset, search, setSearch }} />
            </>
          ) : chosenFilters.length > 0 ? (
            <Empty
              action={
                <button type="button" onClick={() => setSearch({})}>
                  {lists.clearFilters}
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
    </div>
  )
}

function positionOf(cursor: string | undefined, offset: number): Record<string, string | number> {
  if (cursor !== undefined) return { cursor }
  return offset > 0 ? { offset } : {}
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
export const EmptyList = ({ firstStep, children }: EmptyListProps) => (
  <Empty
    code={firstStep?.code}
    action={
      firstStep?.link && (
        <Link className="first-step" to={firstStep.link.to}>
          {firstStep.link.label}
        </Link>
      )
    }
  >
    {children}
  </Empty>
)

interface SearchProps {
  search: Record<string, string>
  setSearch(next: Record<string, string>): void
}

function Filters({ filters, search, setSearch }: SearchProps & { filters: readonly Filter[] }) {
  const id = useId()
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = filters.map(({ name }) => [name, String(form.get(name) ?? '').trim()])
    // The query of the view stays; a new filter begins at the first page.
    const { offset: _, cursor: __, ...rest } = search
    setSearch({ ...rest, ...Object.fromEntries(chosen) })
  }
  if (filters.length === 0) return null
  return (
    // A new query creates the form again, so that its fields show that query.
    <form className="filters" onSubmit={apply} key={JSON.stringify(search)}>
      {filters.map(({ name, label, options, type = 'search' }) => (
        <div className="filter" key={name}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          {options ? (
            <select
              id={`${id}-${name}`}
              name={name}
              defaultValue={search[name] ?? ''}
              onChange={(event) => event.target.form?.requestSubmit()}
            >
              <option value="">{common.all}</option>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={`${id}-${name}`}
              name={name}
              type={type}
              defaultValue={search[name] ?? ''}
              data-search={type === 'search' ? '' : undefined}
            />
          )}
        </div>
      ))}
      {filters.some(({ type }) => type === 'date') && !isReadersZone() && (
        <span className="secondary-text">{fill(lists.daysIn, { zone: timeZone() })}</span>
      )}
      <button type="submit">{lists.search}</button>
    </form>
  )
}

function Pages<Row>({
  list,
  offset,
  search,
  setSearch,
}: SearchProps & { list: ListAnswer<Row>; offset: number }) {
  const { rows, total, has_more, next_cursor } = list
  const { offset: _, cursor, ...rest } = search
  const openPage = (position: Record<string, string>) => setSearch({ ...rest, ...position })
  if (offset === 0 && cursor === undefined && !has_more && next_cursor == null) return null
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
        <button type="button" onClick={() => history.back()}>
          {lists.previous}
        </button>
      )}
      {next_cursor != null && (
        <button type="button" onClick={() => openPage({ cursor: String(next_cursor) })}>
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

function Export<Row>({
  queryKey,
  columns,
  read,
  query,
}: Pick<ListProps<Row>, 'queryKey' | 'columns' | 'read'> & { query: Record<string, string> }) {
  const isExportable = columns.some(({ text }) => text)
  const exported = useRead(
    [...queryKey, 'export', query],
    async (store) => {
      const rows: Row[] = []
      let position: Record<string, string | number> | undefined = {}
      for (let page = 0; position && page < EXPORT_PAGES_MAX; page++) {
        const answer: ListAnswer<Row> = await read(store, { ...query, limit: 100, ...position })
        rows.push(...answer.rows)
        position = nextPosition(answer, rows.length)
      }
      return { rows, isIncomplete: position !== undefined }
    },
    { enabled: false },
  )
  if (!isExportable) return null
  const run = async () => {
    const { data, isError } = await exported.refetch()
    // After a failed read `data` has the records of the previous export.
    if (isError || !data) return
    downloadCsv(queryKey.join('-'), columns, data.rows)
    if (data.isIncomplete) toast(fill(lists.csvIncomplete, { n: formatNumber(data.rows.length) }))
  }
  return (
    <>
      <button type="button" onClick={run} disabled={exported.isFetching}>
        {common.exportCsv}
      </button>
      {exported.isError && !exported.isFetching && <Failure error={exported.error} retry={run} />}
    </>
  )
}

function nextPosition<Row>(
  { has_more, next_cursor }: ListAnswer<Row>,
  readCount: number,
): Record<string, string | number> | undefined {
  if (next_cursor != null) return { cursor: next_cursor }
  return has_more ? { offset: readCount } : undefined
}
