/** A column of an exported file. A column without `text` is not exported. */
interface CsvColumn<Row> {
  label: string
  text?: (row: Row) => string | number | null
}

/** Matches texts that spreadsheet programs would read as a formula, but not negative amounts such as -$5.00. */
const FORMULA = /^(?!-(\p{Sc}|[A-Z]{3}\s)?[\d.,\s]+(\p{Sc}|[A-Z]{3})?$)[=+\-@\t\r]/u

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const exportedColumns = columns.filter((column) => column.text !== undefined)
  const lines = [
    exportedColumns.map(({ label }) => cellOf(label)),
    ...rows.map((row) => exportedColumns.map(({ text }) => cellOf(text?.(row) ?? null))),
  ]
  return lines.map((cells) => cells.join(',')).join('\r\n')
}

export function downloadCsv<Row>(
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
) {
  // Spreadsheet programs recognise UTF-8 by the byte order mark.
  const file = new Blob([`\uFEFF${csvOf(columns, rows)}\r\n`], { type: 'text/csv;charset=utf-8' })
  downloadFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, file)
}

/** Saves a file that the page has made. */
export function downloadFile(name: string, file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
