import { useState } from 'react'

/** The selected rows of a list, also those on other pages. */
export interface SelectedRows<Row> {
  keys: ReadonlySet<string | number>
  rows: readonly Row[]
  choose(rows: readonly Row[], isChosen: boolean): void
  /** Selects these rows in place of the former ones. */
  select(rows: readonly Row[]): void
}

/** Keeps the selected rows of a list. A row of the shown page is the one that the page shows. */
export function useSelectedRows<Row>(
  keyOf: (row: Row) => string | number,
  shown: readonly Row[],
): SelectedRows<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string | number, Row>>(new Map())
  const shownByKey = new Map(shown.map((row) => [keyOf(row), row]))
  const entriesOf = (rows: readonly Row[]) => rows.map((row) => [keyOf(row), row] as const)
  return {
    keys: new Set(chosen.keys()),
    rows: [...chosen].map(([key, row]) => shownByKey.get(key) ?? row),
    choose(rows, isChosen) {
      const next = new Map(chosen)
      for (const [key, row] of entriesOf(rows)) {
        if (isChosen) next.set(key, row)
        else next.delete(key)
      }
      setChosen(next)
    },
    select: (rows) => setChosen(new Map(entriesOf(rows))),
  }
}
