import type { ReactNode } from 'react'

/** A column of a table. */
export interface Column<Row> {
  /** The heading. */
  label: string
  show: (row: Row) => ReactNode
  /** The sorts by this column that the API has, the more useful one first, such as `-created_at`. */
  sorts?: readonly [string, ...string[]]
  /** True for numbers and amounts, which are aligned to the right. */
  isRightAligned?: boolean
  /** True for a column that is hidden while a record is open next to the list. */
  isExtra?: boolean
  /** The heading in an exported file, if its value is another one than the shown, such as a moment in place of an age. */
  fileLabel?: string
  /**
   * The value in an exported file: a state in the words that the list shows, a moment as an ISO time. Without it and
   * without `money` the column is not exported.
   */
  text?: (row: Row) => string | number | null
  /** The amount of a column of amounts in minor units, and its currency, for an exported file. */
  money?: (row: Row) => readonly [cents: number, currency: string]
}
