import { existsSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024
const SCHEDSTAT_FILE = '/proc/thread-self/schedstat'
const isLinux = existsSync(SCHEDSTAT_FILE)

/** Returns the CPU time of this thread in milliseconds, or on other systems than Linux the elapsed time. */
const threadTime = (): number =>
  isLinux ? Number(readFileSync(SCHEDSTAT_FILE, 'utf8').split(' ')[0]) / 1e6 : performance.now()

/** Returns the CPU time of synchronous work, in milliseconds. */
export function timeOf(work: () => unknown): number {
  const startedAt = threadTime()
  work()
  return threadTime() - startedAt
}

/** Returns the longest turn of the event loop during the work, in milliseconds of CPU time. */
export async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0
  let turnStartedAt = threadTime()
  let isOver = false
  const read = () => {
    const now = threadTime()
    longest = Math.max(longest, now - turnStartedAt)
    turnStartedAt = now
    if (!isOver) setImmediate(read)
  }
  setImmediate(read)
  await work()
  isOver = true
  read()
  return longest
}

const SMALL_OBJECTS = `[${'{},'.repeat(MIB / 3 - 1)}{}]`

/** Returns the shortest of three CPU times of the reference, which is parsing 1 MiB of small objects. */
export const timeOfParsing = (): number =>
  Math.min(...[1, 2, 3].map(() => timeOf(() => JSON.parse(SMALL_OBJECTS))))

/**
 * Returns the ratio of a CPU time to the reference.
 *
 * Milliseconds differ between machines and with their load. So the work and the reference are measured
 * alternately, and the shortest time of each is used, because other load only adds time. A ratio above
 * `maxRatio` is measured again, in up to 12 rounds.
 */
export async function ratioToParsing(
  measure: () => number | Promise<number>,
  maxRatio: number,
  rounds = 12,
): Promise<number> {
  let reference = Number.POSITIVE_INFINITY
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    reference = Math.min(reference, timeOfParsing())
    best = Math.min(best, await measure())
    if (best <= maxRatio * reference) break
  }
  return best / reference
}
