import { type KeyboardEvent, useRef, useState } from 'react'
import { lists } from '../text/lists.ts'
import type { Column } from './column.ts'

/** The key of a list, without the ids of records: the choice is the same for the list of each record. */
const keyOf = (queryKey: readonly string[]) =>
  `tradepost-columns-${queryKey.filter((part) => !/\d/.test(part)).join('-')}`

/**
 * The hidden columns of a list, as their positions, which are the same in each language. They belong to a list with
 * this number of columns: after an update with other columns, all columns are shown.
 */
interface HiddenColumns {
  count: number
  hidden: readonly number[]
}

function readHidden(key: string, count: number): readonly number[] {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '') as HiddenColumns
    return stored.count === count ? stored.hidden : []
  } catch {
    return []
  }
}

/** The columns of a list that this browser shows. The first one has the links to the records, so it is always shown. */
export function useShownColumns<Row>(queryKey: readonly string[], columns: readonly Column<Row>[]) {
  const key = keyOf(queryKey)
  const [hidden, setState] = useState(() => readHidden(key, columns.length))
  return {
    shownColumns: columns.filter((_, index) => index === 0 || !hidden.includes(index)),
    hidden,
    setHidden(next: readonly number[]) {
      setState(next)
      try {
        const stored: HiddenColumns = { count: columns.length, hidden: next }
        localStorage.setItem(key, JSON.stringify(stored))
      } catch {
        // Without storage the choice holds until the page is left.
      }
    },
  }
}

interface ChooseColumnsProps<Row> {
  columns: readonly Column<Row>[]
  /** The positions of the hidden columns. */
  hidden: readonly number[]
  setHidden(hidden: readonly number[]): void
}

export function ChooseColumns<Row>({ columns, hidden, setHidden }: ChooseColumnsProps<Row>) {
  const menu = useRef<HTMLDetailsElement>(null)
  if (columns.length < 3) return null
  const close = () => menu.current?.removeAttribute('open')
  const closeByEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    // A record that is open next to the list stays open.
    event.stopPropagation()
    close()
    menu.current.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={menu}
      className="columns"
      onKeyDown={closeByEscape}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <summary>{lists.columns}</summary>
      <fieldset className="checks">
        <legend className="visually-hidden">{lists.columns}</legend>
        {columns.map(
          ({ label }, index) =>
            index > 0 && (
              <label key={label}>
                <input
                  type="checkbox"
                  checked={!hidden.includes(index)}
                  onChange={({ target }) =>
                    setHidden(
                      target.checked ? hidden.filter((item) => item !== index) : [...hidden, index],
                    )
                  }
                />{' '}
                {label}
              </label>
            ),
        )}
      </fieldset>
    </details>
  )
}
