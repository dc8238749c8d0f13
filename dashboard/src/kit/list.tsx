import { useRouter, useRouterState } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId } from 'react'
import type { StoreContext } from '../api/store.ts'
import { useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { downloadCsv } from './csv.ts'
import { formatNumber } from './format.ts'
import { Link } from './link.tsx'
import { Empty, Loaded } from './states.tsx'
import { type View, Views } from './views.tsx'

export interface Column<Row> {
  /** The heading. */
  label: string
  show: (row: Row) => ReactNode
  /** Numbers and amounts stand on the right. */
  isNumber?: boolean
  /** The value in an exported file; the column is left out without it. */
  text?: (row: Row) => string | number | null
}

/** A filter of a list. Its value is in the address, under its name. */
export interface Filter {
  name: string
  label: string
  /** A text field if undefined. */
  options?: readonly { value: string; label: string }[]
  type?: 'search' | 'date' | 'number'
}

export interface ListAnswer<Row> {
  rows: readonly Row[]
  total?: number
  has_more?: boolean
  next_cursor?: string | number | null
}

interface ListProps<Row> {
  /** The area and what is listed, such as `['orders']`. */
  name: readonly string[]
  label: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** The page of a row. */
  hrefOf?: (row: Row) => string
  read: (
    store: StoreContext,
    query: Record<string, string | number>,
  ) => PromiseLike<ListAnswer<Row>>
  filters?: readonly Filter[]
  views?: readonly View[]
  empty: ReactNode
  /** Buttons at the end of each row. */
  rowActions?: (row: Row) => ReactNode
}

const LIMIT = 25
/** An export reads at most this many pages of 100. */
const EXPORT_PAGES_MAX = 100

/** The query of the address. Each change is an entry of the history, so that "back" returns to it. */
export function useSearch(): [Record<string, string>, (next: Record<string, string>) => void] {
  const router = useRouter()
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location })
  const search = Object.fromEntries(new URLSearchParams(searchStr))
  const set = (next: Record<string, string>) => {
    const kept = Object.entries(next).filter(([, value]) => value !== '')
    const text = new URLSearchParams(kept).toString()
    router.history.push(
      `${router.basepath.replace(/\/$/, '')}${pathname.replace(router.basepath, '')}${text && `?${text}`}`,
    )
  }
  return [search, set]
}

/**
 * Converts the days of date filters to moments in the reader's time zone, which is that of the shown times.
 * The end of a range is exclusive in the API, so it becomes the start of the next day.
 */
function momentsOf(asked: Record<string, string>, filters: readonly Filter[]) {
  const entries = Object.entries(asked).map(([name, value]) => {
    const isDay = filters.some((filter) => filter.name === name && filter.type === 'date')
    return [name, isDay ? momentOf(value, name.endsWith('_to') ? 1 : 0) : value] as const
  })
  return Object.fromEntries(entries)
}

function momentOf(day: string, days: number): string {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + days)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}

/** A list of records with filters, pages, export and its states, made of data. */
export function List<Row>(props: ListProps<Row>) {
  const { name, columns, read, filters = [], views = [], empty } = props
  const [search, setSearch] = useSearch()
  const names = filters.map((filter) => filter.name)
  const asked = Object.fromEntries(
    Object.entries(search).filter(([key]) => names.includes(key) || key === 'sort'),
  )
  const offset = Number(search.offset ?? 0)
  const page = {
    limit: LIMIT,
    ...(search.cursor !== undefined ? { cursor: search.cursor } : offset > 0 ? { offset } : {}),
  }
  const query = momentsOf(asked, filters)
  const answer = useRead(
    [...name, { ...query, ...page }],
    (store) => read(store, { ...query, ...page }),
    { keepPrevious: true },
  )
  const isFiltered = Object.keys(asked).length > 0

  return (
    <div className="list">
      {filters.length > 0 && <Views {...{ views, asked, setSearch }} />}
      {(filters.length > 0 || columns.some(({ text }) => text)) && (
        <div className="list-tools">
          <Filters {...{ filters, search, setSearch }} />
          <Export {...{ name, columns, read, asked: query }} />
        </div>
      )}
      <Loaded read={answer}>
        {(list) =>
          list.rows.length > 0 ? (
            <>
              <Table {...props} rows={list.rows} />
              <Pages {...{ list, offset, search, setSearch }} />
            </>
          ) : isFiltered ? (
            <Empty
              action={
                <button type="button" onClick={() => setSearch({})}>
                  {common.clearFilters}
                </button>
              }
            >
              {common.nothingMatches}
            </Empty>
          ) : (
            <Empty>{empty}</Empty>
          )
        }
      </Loaded>
    </div>
  )
}

type TableProps<Row> = Pick<
  ListProps<Row>,
  'label' | 'columns' | 'keyOf' | 'hrefOf' | 'rowActions'
> & {
  rows: readonly Row[]
}

/**
 * A green-bar table. On narrow screens each row is a small sheet with its headings next to its
 * values.
 */
export function Table<Row>({ label, columns, keyOf, hrefOf, rowActions, rows }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <div className="table-frame" tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.isNumber ? 'number' : undefined}>
                {column.label}
              </th>
            ))}
            {rowActions && <th scope="col">{common.actions}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => (
                <td
                  key={column.label}
                  data-label={column.label}
                  className={column.isNumber ? 'number' : undefined}
                >
                  <div className="cell">
                    {index === 0 && hrefOf ? (
                      <Link to={hrefOf(row)} className="row-link">
                        {column.show(row)}
                      </Link>
                    ) : (
                      column.show(row)
                    )}
                  </div>
                </td>
              ))}
              {rowActions && (
                <td data-label={common.actions} className="row-actions">
                  <div className="cell">{rowActions(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

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
    const { sort } = search
    setSearch({ ...(sort && { sort }), ...Object.fromEntries(chosen) })
  }
  if (filters.length === 0) return null
  return (
    // A new address fills the fields again.
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
      <button type="submit">{common.search}</button>
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
  const to = (next: Record<string, string>) => setSearch({ ...rest, ...next })
  if (offset === 0 && cursor === undefined && !has_more && next_cursor == null) return null
  return (
    <nav className="pages" aria-label={common.next}>
      {total !== undefined && (
        <span>
          {fill(common.range, {
            from: formatNumber(offset + 1),
            to: formatNumber(offset + rows.length),
            total: formatNumber(total),
          })}
        </span>
      )}
      {offset > 0 && (
        <button
          type="button"
          onClick={() => to({ offset: String(Math.max(0, offset - LIMIT) || '') })}
        >
          {common.previous}
        </button>
      )}
      {cursor !== undefined && (
        <button type="button" onClick={() => history.back()}>
          {common.previous}
        </button>
      )}
      {next_cursor != null && (
        <button type="button" onClick={() => to({ cursor: String(next_cursor) })}>
          {common.next}
        </button>
      )}
      {has_more && next_cursor == null && (
        <button type="button" onClick={() => to({ offset: String(offset + LIMIT) })}>
          {common.next}
        </button>
      )}
    </nav>
  )
}

function Export<Row>({
  name,
  columns,
  read,
  asked,
}: Pick<ListProps<Row>, 'name' | 'columns' | 'read'> & { asked: Record<string, string> }) {
  const isExportable = columns.some(({ text }) => text)
  const all = useRead(
    [...name, 'export', asked],
    async (store) => {
      const rows: Row[] = []
      let next: Record<string, string | number> | undefined = {}
      for (let page = 0; next && page < EXPORT_PAGES_MAX; page++) {
        const answer: ListAnswer<Row> = await read(store, { ...asked, limit: 100, ...next })
        rows.push(...answer.rows)
        next = nextPage(answer, rows.length)
      }
      return rows
    },
    { enabled: false },
  )
  if (!isExportable) return null
  const run = async () => {
    const { data } = await all.refetch()
    if (data) downloadCsv(name.join('-'), columns, data)
  }
  return (
    <button type="button" onClick={run} disabled={all.isFetching}>
      {common.exportCsv}
    </button>
  )
}

function nextPage<Row>(
  { has_more, next_cursor }: ListAnswer<Row>,
  read: number,
): Record<string, string | number> | undefined {
  if (next_cursor != null) return { cursor: next_cursor }
  return has_more ? { offset: read } : undefined
}
