import { existsSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024
const SCHEDULED = '/proc/thread-self/schedstat'
const isLinux = existsSync(SCHEDULED)

/** CPU time of this thread in milliseconds. Elsewhere than on Linux: elapsed time. */
const threadTime = (): number =>
  isLinux ? Number(readFileSync(SCHEDULED, 'utf8').split(' ')[0]) / 1e6 : performance.now()

/** CPU time of synchronous work, in milliseconds. */
export function timeOf(work: () => unknown): number {
  const begun = threadTime()
  work()
  return threadTime() - begun
}

/** The longest turn of the event loop while work runs, in milliseconds of CPU time. */
export async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0
  let last = threadTime()
  let isOver = false
  const look = () => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  look()
  return longest
}

const DENSE = `[${'{},'.repeat(MIB / 3 - 1)}{}]`

/** CPU time of the reference: parsing 1 MiB of small objects, the best of three times. */
export const timeOfParsing = (): number =>
  Math.min(...[1, 2, 3].map(() => timeOf(() => JSON.parse(DENSE))))

/**
 * Compares CPU time with the reference, and returns the ratio.
 *
 * Milliseconds differ between machines and with their load. So work and reference are measured in
 * turns, and the best of each counts: other load only adds time. A ratio above `most` is measured
 * again, up to 12 times in all.
 */
export async function ratioToParsing(
  measure: () => number | Promise<number>,
  most: number,
  rounds = 12,
): Promise<number> {
  let reference = Number.POSITIVE_INFINITY
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    reference = Math.min(reference, timeOfParsing())
    best = Math.min(best, await measure())
    if (best <= most * reference) break
  }
  return best / reference
}
