/** A line of a comparison: only in the first text, only in the second, or in both. */
interface DiffLine {
  kind: 'removed' | 'added' | 'same'
  text: string
  /** A React key that distinguishes equal lines. */
  key: string
}

/**
 * Longer texts are compared as a whole, because the table below grows with the square of the lines.
 */
const LINES_MAX = 1_000

/** Compares two texts line by line, by their longest common subsequence. */
export function diffLines(from: string, to: string): DiffLine[] {
  const before = from.split('\n')
  const after = to.split('\n')
  const isLong = Math.max(before.length, after.length) > LINES_MAX
  const lengths = isLong ? [] : commonLengths(before, after)
  const lines: Omit<DiffLine, 'key'>[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const next = after[j]
    if (!isLong && old !== undefined && old === next) {
      lines.push({ kind: 'same', text: old })
      i++
      j++
    } else if (old !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) {
      lines.push({ kind: 'removed', text: old })
      i++
    } else {
      lines.push({ kind: 'added', text: next ?? '' })
      j++
    }
  }
  return lines.map((line, index) => ({ ...line, key: `${index} ${line.kind}` }))
}

/** `[i][j]` is the length of the longest common subsequence of both texts from lines i and j on. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const empty = () => new Array<number>(after.length + 1).fill(0)
  const lengths = Array.from({ length: before.length + 1 }, empty)
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    const below = lengths[i + 1] ?? []
    for (let j = after.length - 1; j >= 0; j--) {
      const isSame = before[i] === after[j]
      row[j] = isSame ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}
