import type { Progress } from '../command.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

/** Shows the progress of a command until its answer arrives. */
interface ProgressDisplay {
  show(progress: Progress): void
  /** Clears the progress line before the answer. */
  close(): void
}

interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const BAR_WIDTH = 24
/** The interval at which a terminal is redrawn. */
const DRAW_MS = 100
/** The interval of lines in a log. */
const LINE_MS = 5 * SECOND_MS
const CLEAR = '\r\x1b[2K'

/** Returns a display of progress: a bar with a rate on a terminal, and otherwise a line every few seconds. */
export function openProgressDisplay(screen: Screen, now: () => number = Date.now): ProgressDisplay {
  const startedAt = now()
  const interval_ms = screen.isTTY ? DRAW_MS : LINE_MS
  let drawnAt = screen.isTTY ? Number.NEGATIVE_INFINITY : startedAt
  return {
    show(progress) {
      if (now() - drawnAt < interval_ms) return
      drawnAt = now()
      const text = progressText(progress, drawnAt - startedAt)
      screen.write(screen.isTTY ? `${CLEAR}${progressBar(progress)} ${text}` : `${text}\n`)
    },
    close() {
      if (screen.isTTY) screen.write(CLEAR)
    },
  }
}

function progressBar({ done, total }: Progress): string {
  const filledWidth = Math.floor((BAR_WIDTH * done) / Math.max(1, total))
  return `[${'#'.repeat(filledWidth)}${'-'.repeat(BAR_WIDTH - filledWidth)}]`
}

/** Returns a text such as `120 of 400, 12.5 a second, 3 failed, 23 s left`. */
function progressText({ done, total, failed }: Progress, elapsed_ms: number): string {
  const rate = done / (Math.max(1, elapsed_ms) / SECOND_MS)
  const remaining = rate === 0 ? '' : `, ${durationText(((total - done) / rate) * SECOND_MS)} left`
  return `${done} of ${total}, ${rate.toFixed(1)} a second, ${failed} failed${remaining}`
}

const durationText = (ms: number): string =>
  ms < MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${Math.ceil(ms / MINUTE_MS)} min`
