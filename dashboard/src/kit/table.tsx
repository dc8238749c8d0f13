import { type ReactNode, useId, useRef } from 'react'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import type { Column } from './column.ts'
import { withEmailBreak } from './email-text.tsx'
import { Link } from './link.tsx'
import { ariaSort, ColumnHeading, type Sorting } from './list-sort.tsx'

export type { Column } from './column.ts'

/** The rows that are chosen for an action on several of them. */
interface Selection<Row> {
  keys: ReadonlySet<string | number>
  /** The name of a row, for its checkbox. */
  labelOf(row: Row): string
  choose(rows: readonly Row[], isChosen: boolean): void
}

export interface TableProps<Row> extends Sorting {
  label: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** The page of a row. */
  hrefOf?: (row: Row) => string
  /** Buttons at the end of each row. */
  rowActions?: (row: Row) => ReactNode
  selection?: Selection<Row> | undefined
  /** True for the row whose record is open next to the list. */
  isOpen?: (row: Row) => boolean
  rows: readonly Row[]
}

function classOf<Row>({ isRightAligned, isExtra }: Column<Row>): string | undefined {
  if (isRightAligned) return 'number'
  return isExtra ? 'extra' : undefined
}

/**
 * A table with striped rows. On narrow screens each row is a card with its headings next to its
 * values.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, keyOf, hrefOf, rowActions, isOpen, rows, sort, setSort } = props
  const lastChosen = useRef<number>(undefined)
  const tableId = useId()
  /** The rows up to this one: with Shift from the row that was chosen last, otherwise this one only. */
  const rangeTo = (index: number, event: Event): readonly Row[] => {
    const from = (event as MouseEvent).shiftKey ? (lastChosen.current ?? index) : index
    lastChosen.current = index
    return rows.slice(Math.min(from, index), Math.max(from, index) + 1)
  }
  const { selection } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <div className="table-frame" tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="check">
                <ChooseAll {...{ rows, keyOf, selection }} />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={classOf(column)}
                aria-sort={setSort && ariaSort(column, sort)}
              >
                <ColumnHeading {...{ column, sort, setSort }} />
              </th>
            ))}
            {rowActions && (
              <th scope="col" className="extra">
                {common.actions}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              {selection && (
                <td className="check">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={fill(common.choose, { name: selection.labelOf(row) })}
                      checked={selection.keys.has(keyOf(row))}
                      onChange={({ target, nativeEvent }) =>
                        selection.choose(rangeTo(index, nativeEvent), target.checked)
                      }
                    />
                  </label>
                </td>
              )}
              {columns.map((column, columnIndex) => (
                <td key={column.label} data-label={column.label} className={classOf(column)}>
                  <div
                    className="cell"
                    id={rowActions && columnIndex === 0 ? `${tableId}${index}` : undefined}
                  >
                    {columnIndex === 0 && hrefOf ? (
                      <Link
                        to={hrefOf(row)}
                        className="row-link"
                        aria-current={isOpen?.(row) ? 'true' : undefined}
                      >
                        {withEmailBreak(column.show(row))}
                      </Link>
                    ) : (
                      withEmailBreak(column.show(row))
                    )}
                  </div>
                </td>
              ))}
              {rowActions && (
                <td data-label={common.actions} className="row-actions extra">
                  {/* Several rows have a button of the same name. The group says of which row it is. */}
                  {/* A label would become the name of the cell too. */}
                  {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame. */}
                  <div className="cell" role="group" aria-describedby={`${tableId}${index}`}>
                    {rowActions(row)}
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ChooseAll<Row>({
  rows,
  keyOf,
  selection: { keys, choose },
}: Pick<TableProps<Row>, 'rows' | 'keyOf'> & { selection: Selection<Row> }) {
  return (
    <input
      type="checkbox"
      aria-label={common.chooseAll}
      checked={rows.every((row) => keys.has(keyOf(row)))}
      onChange={(event) => choose(rows, event.target.checked)}
    />
  )
}
