import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { App } from '../app.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { startJobs } from './runner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('stop waits for a running job, at most 10 seconds, and starts no other', async () => {
  const app = { log: pino({ level: 'silent' }) } as unknown as App
  let runs = 0
  const endless = { name: 'endless', every_ms: 1, run: () => new Promise<boolean>(() => runs++) }
  const idle = {
    name: 'idle',
    every_ms: SECOND_MS,
    run: async () => {
      runs++
      return false
    },
  }
  const jobs = startJobs(app, [endless, idle])
  await vi.advanceTimersByTimeAsync(1)
  let stopped = false
  const stop = jobs.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS - 1)
  expect(stopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stop
  expect(runs).toBe(2)
})
