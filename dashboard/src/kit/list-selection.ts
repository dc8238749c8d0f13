import { useState } from 'react'

interface Selection<Row> {
  /** The filters with which the rows were selected, as text. */
  filters: string
  chosen: ReadonlyMap<string | number, Row>
}

/** The selected rows of a list, also those on other pages. */
export interface SelectedRows<Row> {
  keys: ReadonlySet<string | number>
  rows: readonly Row[]
  choose(rows: readonly Row[], isChosen: boolean): void
  /** Selects these rows in place of the former ones. */
  select(rows: readonly Row[]): void
}

/**
 * Keeps the selected rows of a list. A row of the shown page is the one that the page shows. With other filters the
 * selection is empty, because nobody should change records that the list does not name.
 */
export function useSelectedRows<Row>(
  keyOf: (row: Row) => string | number,
  shown: readonly Row[],
  filters: string,
): SelectedRows<Row> {
  const [selection, setSelection] = useState<Selection<Row>>({ filters, chosen: new Map() })
  const chosen = selection.filters === filters ? selection.chosen : new Map<string | number, Row>()
  const setChosen = (next: Selection<Row>['chosen']) => setSelection({ filters, chosen: next })
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
