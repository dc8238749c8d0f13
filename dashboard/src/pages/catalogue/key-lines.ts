import type { StockKeyReport } from '../../api/store.ts'

/** A key of the import and its line, from 1. */
export interface KeyLine {
  key: string
  line: number
}

/** The result of a dry run over all lines. */
export interface ImportCounts {
  fresh: number
  duplicate: number
  sold: number
  malformed: { line: number; reason: string }[]
}

/** The keys of a text: one a line, without empty lines. */
export const linesOf = (text: string): KeyLine[] =>
  text.split(/\r?\n/).flatMap((raw, index) => {
    const key = raw.trim()
    return key === '' ? [] : [{ key, line: index + 1 }]
  })

/** Keeps the first line of each key. The API finds repeated keys within one call only. */
export function withoutRepeats(lines: readonly KeyLine[]): KeyLine[] {
  const first = new Map<string, KeyLine>()
  for (const item of lines) if (!first.has(item.key)) first.set(item.key, item)
  return [...first.values()]
}

/** Adds the report of one call. Its lines count from 1 within the call. */
export function addReport(
  counts: ImportCounts,
  report: StockKeyReport,
  sent: readonly KeyLine[],
): void {
  counts.fresh += report.new
  counts.duplicate += report.duplicate.length
  counts.sold += report.already_sold.length
  for (const { line, reason } of report.malformed) {
    counts.malformed.push({ line: sent[line - 1]?.line ?? line, reason })
  }
}
