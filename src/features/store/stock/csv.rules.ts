/**
 * The beginnings of a text that a spreadsheet reads as a formula or as a separate line. Some
 * spreadsheets also accept the full-width signs. Apostrophes before it are included, so that a reader of the file can
 * remove the added one from each text.
 */
const FORMULA_START = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/**
 * Returns a cell of CSV (RFC 4180) that no spreadsheet evaluates: a text that looks like a formula
 * gets an apostrophe.
 */
export function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const escapedText = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text
  return `"${escapedText.replaceAll('"', '""')}"`
}

export const lineOf = (values: readonly (string | number | null)[]): string =>
  `${values.map(cellOf).join(',')}\r\n`
