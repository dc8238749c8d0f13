import type { Progress } from '../command.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

/** Shows the progress of a command until its answer arrives. */
export interface Gauge {
  show(progress: Progress): void
  /** Clears the progress line before the answer. */
  close(): void
}

interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const BAR_WIDTH = 24
/** A terminal is redrawn often; a log gets a line every few seconds. */
const DRAW_MS = 100
const LINE_MS = 5 * SECOND_MS
const CLEAR = '\r\x1b[2K'

/** Shows a bar and a rate on a terminal, and otherwise a line every few seconds. */
export function openGauge(screen: Screen, now: () => number = Date.now): Gauge {
  const started = now()
  const every_ms = screen.isTTY ? DRAW_MS : LINE_MS
  let drawn = screen.isTTY ? Number.NEGATIVE_INFINITY : started
  return {
    show(progress) {
      if (now() - drawn < every_ms) return
      drawn = now()
      const text = sentence(progress, drawn - started)
      screen.write(screen.isTTY ? `${CLEAR}${bar(progress)} ${text}` : `${text}\n`)
    },
    close() {
      if (screen.isTTY) screen.write(CLEAR)
    },
  }
}

function bar({ done, total }: Progress): string {
  const full = Math.floor((BAR_WIDTH * done) / Math.max(1, total))
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`
}

/** `120 of 400, 12.5 a second, 3 failed, 23 s left` */
function sentence({ done, total, failed }: Progress, ms: number): string {
  const rate = done / (Math.max(1, ms) / SECOND_MS)
  const remaining = rate === 0 ? '' : `, ${lasting(((total - done) / rate) * SECOND_MS)} left`
  return `${done} of ${total}, ${rate.toFixed(1)} a second, ${failed} failed${remaining}`
}

const lasting = (ms: number): string =>
  ms < MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${Math.ceil(ms / MINUTE_MS)} min`
