import { type CsvColumn, csvOf } from './csv-text.ts'

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
