import { expect, test } from 'vitest'
import { openGauge } from './progress.ts'

/** A screen, and a clock that is advanced manually. */
function screen(isTTY: boolean) {
  const written: string[] = []
  let now = 0
  const gauge = openGauge({ isTTY, write: (text) => void written.push(text) }, () => now)
  return {
    written,
    gauge,
    at(ms: number, done: number) {
      now = ms
      gauge.show({ done, total: 400, failed: 3 })
    },
  }
}

test('on a terminal a bar with rate and remaining time is redrawn, and removed at the end', () => {
  const { written, gauge, at } = screen(true)
  at(10_000, 100)
  at(10_050, 101)
  at(20_000, 400)
  gauge.close()
  expect(written).toEqual([
    '\r\x1b[2K[######------------------] 100 of 400, 10.0 a second, 3 failed, 30 s left',
    '\r\x1b[2K[########################] 400 of 400, 20.0 a second, 3 failed, 0 s left',
    '\r\x1b[2K',
  ])
})

test('without a terminal a line is written every five seconds, and none before', () => {
  const { written, gauge, at } = screen(false)
  for (let ms = 0; ms <= 11_000; ms += 500) at(ms, ms / 100)
  gauge.close()
  expect(written).toEqual([
    '50 of 400, 10.0 a second, 3 failed, 35 s left\n',
    '100 of 400, 10.0 a second, 3 failed, 30 s left\n',
  ])
})

test('hours are shown in minutes, and no remaining time is shown before the first result', () => {
  const { written, at } = screen(true)
  at(1_000, 0)
  at(61_000, 1)
  expect(written[0]).toBe('\r\x1b[2K[------------------------] 0 of 400, 0.0 a second, 3 failed')
  expect(written[1]).toContain('406 min left')
})
