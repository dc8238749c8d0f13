/** Instructions of a compiled pattern: compiling 5,000 takes some 20 ms. */
export const INSTRUCTIONS_MAX = 5_000

/** Instructions times characters: the maximum cost of a match, some 20 ms. */
export const STEPS_MAX = 1_000_000

/**
 * About how many instructions a pattern has, known before it is compiled: repetitions are written out, so
 * `(a{30}){30}` has 900.
 */
export function countInstructions(pattern: string): number {
  const atoms = pattern
    .replace(/\\[pP]\{[^}]*\}|\\./gs, 'a')
    .replace(/\[\^?\]?[^\]]*\]/g, 'a')
    .matchAll(/\{\d+(?:,(\d*))?\}|./gs)
  const sums = [0]
  let last = 0
  const add = (count: number) => {
    sums.push((sums.pop() ?? 0) + count)
  }
  for (const [text] of atoms) {
    if (text === '(') {
      sums.push(0)
      continue
    }
    const counts = /^\{(\d+)(?:,(\d+))?/.exec(text)
    if (counts) {
      const times = Math.max(Number(counts[1]), Number(counts[2] ?? 0), 1)
      add(last * (times - 1))
      last *= times
      continue
    }
    last = text === ')' && sums.length > 1 ? 2 + (sums.pop() ?? 0) : 1
    add(last)
  }
  return sums.reduce((all, sum) => all + sum, 0)
}
