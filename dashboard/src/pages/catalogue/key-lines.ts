import type { StockKeyReport } from '../../api/store.ts'

/** A key of the import and its line number, from 1. */
export interface KeyLine {
  key: string
  line: number
}

/** The results of a dry run, added up over its calls. */
export interface ImportCounts {
  fresh: number
  duplicate: number
  sold: number
  malformed: { line: number; reason: string }[]
}

/** The keys of a text: one per line, without empty lines. */
export const linesOf = (text: string): KeyLine[] =>
  text.split(/\r?\n/).flatMap((raw, index) => {
    const key = raw.trim()
    return key === '' ? [] : [{ key, line: index + 1 }]
  })

/** Keeps the first line of each key. The API finds repeated keys only within one call. */
export function withoutRepeats(lines: readonly KeyLine[]): KeyLine[] {
  const firstLines = new Map<string, KeyLine>()
  for (const item of lines) {
    if (!firstLines.has(item.key)) firstLines.set(item.key, item)
  }
  return [...firstLines.values()]
}

/** Adds the report of one call to the counts. Its line numbers start at 1 in each call. */
export function addReport(
  counts: ImportCounts,
  report: StockKeyReport,
  chunk: readonly KeyLine[],
): void {
  counts.fresh += report.new
  counts.duplicate += report.duplicate.length
  counts.sold += report.already_sold.length
  for (const { line, reason } of report.malformed) {
    counts.malformed.push({ line: chunk[line - 1]?.line ?? line, reason })
  }
}
