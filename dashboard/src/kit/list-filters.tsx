import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import { useDebounced } from './debounced.ts'
import { timeZone } from './zone.ts'
import { isReadersZone } from './zone-days.ts'

/** A filter of a list. Its value is stored in the address, under its name. */
export interface Filter {
  /** A filter with the name `search` acts while its text is typed: it finds parts of texts. */
  name: string
  label: string
  /** The choices. If undefined, the filter is a text field. */
  options?: readonly { value: string; label: string }[]
  type?: 'search' | 'date' | 'number'
}

type Search = Record<string, string>

export interface SearchProps {
  search: Search
  /** `replace` changes the entry of the history; otherwise an entry is added. */
  setSearch(next: Search, mode?: 'replace'): void
}

/** A typed text acts after this pause. */
const PAUSE_MS = 300

/** The query without its place: a new filter begins at the first page. */
function atFirstPage({ offset: _, cursor: __, ...rest }: Search): Search {
  return rest
}

export function Filters({
  filters,
  search,
  setSearch,
}: SearchProps & { filters: readonly Filter[] }) {
  const id = useId()
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = filters.map(({ name }) => [name, String(form.get(name) ?? '').trim()])
    // The query of the view stays.
    setSearch({ ...atFirstPage(search), ...Object.fromEntries(chosen) })
  }
  if (filters.length === 0) return null
  return (
    <form className="filters" onSubmit={apply}>
      {filters.map((filter) => (
        <div className="filter" key={filter.name}>
          <label htmlFor={`${id}-${filter.name}`}>{filter.label}</label>
          <FilterControl
            id={`${id}-${filter.name}`}
            filter={filter}
            value={search[filter.name] ?? ''}
            typed={(text) => setSearch({ ...atFirstPage(search), [filter.name]: text }, 'replace')}
          />
        </div>
      ))}
      {filters.some(({ type }) => type === 'date') && !isReadersZone() && (
        <span className="secondary-text">{fill(lists.daysIn, { zone: timeZone() })}</span>
      )}
      <button type="submit">{lists.search}</button>
    </form>
  )
}

interface FilterControlProps {
  id: string
  filter: Filter
  /** The value in the address. */
  value: string
  /** Called with the text once it has not changed for a moment. */
  typed(text: string): void
}

function FilterControl({ id, filter, value, typed }: FilterControlProps) {
  const { name, options, type = 'search' } = filter
  const [text, setText] = useState(value)
  /** The value that this control set, or that it got from the address. */
  const applied = useRef(value)
  const paused = useDebounced(text, PAUSE_MS)
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    setText(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text acts once.
  useEffect(() => {
    const next = paused.trim()
    if (name !== 'search' || next === applied.current) return
    applied.current = next
    typed(next)
  }, [paused])
  if (options) {
    return (
      <select
        id={id}
        name={name}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          // The form reads its controls, so it is sent once this one has its value.
          setTimeout(() => target.form?.requestSubmit())
        }}
      >
        <option value="">{common.all}</option>
        {/* The value of a copied address may be none of the choices, such as a former user. */}
        {text !== '' && options.every((option) => option.value !== text) && <option>{text}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      id={id}
      name={name}
      type={type}
      value={text}
      onChange={({ target }) => setText(target.value)}
      data-search={type === 'search' ? '' : undefined}
    />
  )
}
