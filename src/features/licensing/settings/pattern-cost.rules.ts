/** The maximum number of instructions of a pattern. Compiling 5,000 takes about 20 ms. */
export const INSTRUCTIONS_MAX = 5_000

/** The maximum cost of a match: instructions times characters. It takes about 20 ms. */
export const STEPS_MAX = 1_000_000

/**
 * Estimates the number of instructions of a pattern without compiling it. A compiled pattern contains each
 * repetition, so `(a{30}){30}` has 900 instructions.
 */
export function countInstructions(pattern: string): number {
  // An escape and a class of characters count as one character.
  const atoms = pattern
    .replace(/\\[pP]\{[^}]*\}|\\./gs, 'a')
    .replace(/\[\^?\]?[^\]]*\]/g, 'a')
    .matchAll(/\{\d+(?:,(\d*))?\}|./gs)
  /** The instructions of each open group, the innermost last. */
  const sums = [0]
  /** The instructions of the last atom, which a repetition such as `{3}` multiplies. */
  let lastCount = 0
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
      add(lastCount * (times - 1))
      lastCount *= times
      continue
    }
    lastCount = text === ')' && sums.length > 1 ? 2 + (sums.pop() ?? 0) : 1
    add(lastCount)
  }
  return sums.reduce((total, sum) => total + sum, 0)
}
