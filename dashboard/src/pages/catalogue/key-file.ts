/** The keys of a file, one per line, or the first line that cannot be read and why. */
type KeyFile = { text: string } | { line: number; problem: 'encoding' | 'quotes' | 'line_break' }

interface NamedBytes {
  name: string
  /** The content type of the file; empty if the browser knows none. */
  type: string
  bytes: Uint8Array
}

/**
 * Reads a file of keys: UTF-8, or UTF-16 with a byte order mark. A CSV file has its keys in the column named `key`, or
 * in the first (decision 181). Other bytes are refused, because keys with replacement characters would be sold.
 */
export function readKeyFile({ name, type, bytes }: NamedBytes): KeyFile {
  const decoded = decode(bytes)
  if (typeof decoded === 'number') return { line: decoded, problem: 'encoding' }
  const isCsv = /\.csv$/i.test(name) || /^text\/csv\b/i.test(type)
  return isCsv ? readCsv(decoded) : { text: decoded }
}

/** Returns the text, or the number of the first line with other bytes. */
function decode(bytes: Uint8Array): string | number {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return encoding === 'utf-8' ? invalidLineOf(bytes) : brokenLineOf(bytes, encoding)
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const LINE_FEED = 0x0a

/** Returns the first line that is not UTF-8. A line feed is never a part of another character. */
function invalidLineOf(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let start = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_FEED, start)
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    start = end + 1
  }
}

/** Returns the line of the first replacement character, which stands for half a character of UTF-16. */
function brokenLineOf(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes)
  return text.slice(0, text.indexOf('\ufffd')).split('\n').length
}

const KEY_COLUMN = 'key'

/** The columns of the file that `GET /products/{id}/variants/{variant_id}/keys/export` makes. */
const OWN_COLUMNS = 'id,value,status,order_id,sold_at,created_at'
/** The beginning of a text before which the export writes an apostrophe, because a spreadsheet would read a formula. */
const GUARDED_START = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

const SEPARATORS = [',', ';', '\t'] as const

interface CsvRow {
  cells: string[]
  /** The first line of the row, from 1. */
  line: number
}

/**
 * Returns the keys of a CSV file (RFC 4180). A first row with a column named `key`, or the one of an exported file, is a
 * header. Only then may the
 * separator be a semicolon or a tab, as from some spreadsheets, because a key may contain them.
 */
function readCsv(text: string): KeyFile {
  for (const separator of SEPARATORS) {
    const rows = rowsOf(text, separator)
    if (typeof rows === 'number') continue
    const column = rows[0]?.cells.findIndex(isKeyColumn) ?? -1
    if (column >= 0) return keysOf(rows.slice(1), column)
    if (rows[0]?.cells.join(',').trim() === OWN_COLUMNS)
      return keysOf(rows.slice(1).map(withoutGuard), 1)
  }
  const rows = rowsOf(text, ',')
  return typeof rows === 'number' ? { line: rows, problem: 'quotes' } : keysOf(rows, 0)
}

const withoutGuard = ({ cells, line }: CsvRow): CsvRow => ({
  cells: cells.map((cell) =>
    cell.startsWith("'") && GUARDED_START.test(cell.slice(1)) ? cell.slice(1) : cell,
  ),
  line,
})

const isKeyColumn = (name: string): boolean => name.trim().toLowerCase() === KEY_COLUMN

function keysOf(rows: readonly CsvRow[], column: number): KeyFile {
  const keys = rows.map(({ cells, line }) => ({ key: (cells[column] ?? '').trim(), line }))
  // A file without CSV has one key per line, and so has the field that shows the keys.
  const broken = keys.find(({ key }) => /[\r\n]/.test(key))
  if (broken) return { line: broken.line, problem: 'line_break' }
  return { text: keys.map(({ key }) => key).join('\n') }
}

/** Returns the rows, or the line of a quotation mark that is never closed. */
function rowsOf(text: string, separator: string): CsvRow[] | number {
  const cellEnd = new RegExp(`[\n${separator}]`, 'g')
  const rows: CsvRow[] = []
  let row: CsvRow = { cells: [], line: 1 }
  let line = 1
  for (let start = 0; start <= text.length; ) {
    const quoted = text[start] === '"' ? readQuoted(text, start + 1) : { value: '', end: start }
    if (!quoted) return line
    cellEnd.lastIndex = quoted.end
    const end = cellEnd.exec(text)?.index ?? text.length
    row.cells.push(quoted.value + text.slice(quoted.end, end))
    line += text.slice(start, end + 1).split('\n').length - 1
    if (text[end] === '\n' || end === text.length) {
      rows.push(row)
      row = { cells: [], line }
    }
    start = end + 1
  }
  return rows
}

/** Returns the text up to the closing quotation mark. Two of them stand for one. */
function readQuoted(text: string, start: number): { value: string; end: number } | undefined {
  for (let position = start; ; ) {
    const quote = text.indexOf('"', position)
    if (quote < 0) return undefined
    if (text[quote + 1] !== '"') {
      return { value: text.slice(start, quote).replaceAll('""', '"'), end: quote + 1 }
    }
    position = quote + 2
  }
}
