import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { durationFormat } from './format.ts'

const minuteFormat = durationFormat('minute')
const secondFormat = durationFormat('second')
const MINUTE_MS = 60_000

interface Work {
  /** The time at which the work began, in milliseconds since 1970. */
  startedAt: number
  /** The number of steps that are done. */
  done: number
  total: number
}

/** The remaining time of work at its present speed, in words; empty before the first step and after the last. */
export function remainingTimeText({ startedAt, done, total }: Work): string {
  if (done === 0 || done >= total) return ''
  const remaining_ms = ((Date.now() - startedAt) / done) * (total - done)
  const time =
    remaining_ms >= MINUTE_MS
      ? minuteFormat().format(Math.ceil(remaining_ms / MINUTE_MS))
      : secondFormat().format(Math.max(1, Math.ceil(remaining_ms / 1_000)))
  return fill(common.timeLeft, { time })
}

/** The stored state of work that continues after the page was loaded again in the same tab. */
export const storedWork = <State>(storageKey: string) => ({
  read(): State | undefined {
    const text = sessionStorage.getItem(storageKey)
    return text === null ? undefined : (JSON.parse(text) as State)
  },
  save: (state: State) => sessionStorage.setItem(storageKey, JSON.stringify(state)),
  remove: () => sessionStorage.removeItem(storageKey),
})
