/** A column of an exported file. A column without `text` is not exported. */
export interface CsvColumn<Row> {
  label: string
  text?: (row: Row) => string | number | null
}

/**
 * The beginnings of a text that a spreadsheet reads as a formula or as a separate line. The key export of the server
 * has the same rule, in `csv.rules.ts`, and a test compares them.
 */
const FORMULA_START = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
/** Amounts such as -$5.00 and -5,00 €, which a spreadsheet reads as numbers. */
const NEGATIVE_AMOUNT = /^-(\p{Sc}|[A-Z]{3}\s)?[\d.,\s]+(\p{Sc}|[A-Z]{3})?$/u

/** Returns a cell in quotes, because some spreadsheets also divide a line at semicolons or tabs. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const isFormula =
    typeof value === 'string' && FORMULA_START.test(text) && !NEGATIVE_AMOUNT.test(text)
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const exportedColumns = columns.filter((column) => column.text !== undefined)
  const lines = [
    exportedColumns.map(({ label }) => cellOf(label)),
    ...rows.map((row) => exportedColumns.map(({ text }) => cellOf(text?.(row) ?? null))),
  ]
  return lines.map((cells) => cells.join(',')).join('\r\n')
}
