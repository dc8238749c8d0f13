import { lists } from '../text/lists.ts'
import type { Column } from './column.ts'
import type { CsvColumn } from './csv-text.ts'
import { exponentOf } from './currency-digits.ts'

/** An amount with the digits of its currency and a dot, in every language. */
const amountText = ([cents, currency]: readonly [number, string]): string => {
  const digits = exponentOf(currency)
  return (cents / 10 ** digits).toFixed(digits)
}

/**
 * The columns of an exported list: its ids, the texts of its columns, and its amounts with their currency next to them.
 * An amount in the currency of the amount before it does not repeat the currency.
 */
export function fileColumns<Row>(
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string | number,
  rows: readonly Row[],
): CsvColumn<Row>[] {
  let former: NonNullable<Column<Row>['money']> | undefined
  const fields = columns.flatMap(({ label, fileLabel = label, text, money }): CsvColumn<Row>[] => {
    if (!money) return text ? [{ label: fileLabel, text }] : []
    const isRepeated =
      former !== undefined && rows.every((row) => former?.(row)[1] === money(row)[1])
    former = money
    return [
      { label, text: (row) => amountText(money(row)) },
      ...(isRepeated ? [] : [{ label: lists.currency, text: (row: Row) => money(row)[1] }]),
    ]
  })
  return [{ label: lists.id, text: keyOf }, ...fields]
}
