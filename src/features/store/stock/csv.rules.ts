/**
 * Text that a spreadsheet takes for a formula, or for a separate line. Some spreadsheets know the
 * wide signs too.
 */
const RISKY = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/**
 * Returns a cell of CSV (RFC 4180) that no spreadsheet runs: text that looks like a formula gets an
 * apostrophe.
 */
export function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const inert = typeof value === 'string' && RISKY.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

export const lineOf = (values: readonly (string | number | null)[]): string =>
  `${values.map(cellOf).join(',')}\r\n`
