import { useState } from 'react'
import { lists } from '../text/lists.ts'
import type { Column } from './column.ts'

const keyOf = (list: string) => `tradepost-hidden-columns-${list}`

function readHidden(list: string): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]') as string[]
  } catch {
    return []
  }
}

/** The columns of a list that this browser shows. The first one has the links to the records, so it is always shown. */
export function useShownColumns<Row>(list: string, columns: readonly Column<Row>[]) {
  const [hidden, setState] = useState(() => readHidden(list))
  return {
    shownColumns: columns.filter(({ label }, index) => index === 0 || !hidden.includes(label)),
    hidden,
    setHidden(next: readonly string[]) {
      setState(next)
      try {
        localStorage.setItem(keyOf(list), JSON.stringify(next))
      } catch {
        // Without storage the choice holds until the page is left.
      }
    },
  }
}

interface ChooseColumnsProps<Row> {
  columns: readonly Column<Row>[]
  /** The labels of the hidden columns. */
  hidden: readonly string[]
  setHidden(hidden: readonly string[]): void
}

export function ChooseColumns<Row>({ columns, hidden, setHidden }: ChooseColumnsProps<Row>) {
  if (columns.length < 3) return null
  return (
    <details className="columns">
      <summary>{lists.columns}</summary>
      <fieldset className="checks">
        <legend className="visually-hidden">{lists.columns}</legend>
        {columns.slice(1).map(({ label }) => (
          <label key={label}>
            <input
              type="checkbox"
              checked={!hidden.includes(label)}
              onChange={({ target }) =>
                setHidden(
                  target.checked ? hidden.filter((item) => item !== label) : [...hidden, label],
                )
              }
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
