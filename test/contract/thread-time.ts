import { existsSync, readFileSync } from 'node:fs'

const SCHEDULED = '/proc/thread-self/schedstat'
const isLinux = existsSync(SCHEDULED)

/** CPU time of this thread in milliseconds, so that a busy machine changes nothing. Elsewhere than on Linux: the time. */
const threadTime = (): number =>
  isLinux ? Number(readFileSync(SCHEDULED, 'utf8').split(' ')[0]) / 1e6 : performance.now()

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
