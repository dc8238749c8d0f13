import { expect, test } from 'vitest'
import { openProgressDisplay } from './progress.ts'

/** Opens a display whose output is recorded; `showAt` shows progress at a time. */
function openTestDisplay(isTTY: boolean) {
  const written: string[] = []
  let now = 0
  const display = openProgressDisplay(
    { isTTY, write: (text) => void written.push(text) },
    () => now,
  )
  return {
    written,
    display,
    showAt(ms: number, done: number) {
      now = ms
      display.show({ done, total: 400, failed: 3 })
    },
  }
}

test('on a terminal a bar with rate and remaining time is redrawn, and removed at the end', () => {
  const { written, display, showAt } = openTestDisplay(true)
  showAt(10_000, 100)
  showAt(10_050, 101)
  showAt(20_000, 400)
  display.close()
  expect(written).toEqual([
    '\r\x1b[2K[######------------------] 100 of 400, 10.0 a second, 3 failed, 30 s left',
    '\r\x1b[2K[########################] 400 of 400, 20.0 a second, 3 failed, 0 s left',
    '\r\x1b[2K',
  ])
})

test('without a terminal a line is written every five seconds', () => {
  const { written, display, showAt } = openTestDisplay(false)
  for (let ms = 0; ms <= 11_000; ms += 500) showAt(ms, ms / 100)
  display.close()
  expect(written).toEqual([
    '50 of 400, 10.0 a second, 3 failed, 35 s left\n',
    '100 of 400, 10.0 a second, 3 failed, 30 s left\n',
  ])
})

test('hours are shown in minutes, and no remaining time is shown before the first result', () => {
  const { written, showAt } = openTestDisplay(true)
  showAt(1_000, 0)
  showAt(61_000, 1)
  expect(written[0]).toBe('\r\x1b[2K[------------------------] 0 of 400, 0.0 a second, 3 failed')
  expect(written[1]).toContain('406 min left')
})
