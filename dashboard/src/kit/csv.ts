import type { Column } from './list.tsx'

/** Begins a formula in spreadsheet programs. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.text !== undefined)
  const lines = [
    exported.map(({ label }) => cellOf(label)),
    ...rows.map((row) => exported.map(({ text }) => cellOf(text?.(row) ?? null))),
  ]
  return lines.map((cells) => cells.join(',')).join('\r\n')
}

export function downloadCsv<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
) {
  const file = new Blob([`﻿${csvOf(columns, rows)}\r\n`], { type: 'text/csv;charset=utf-8' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
