import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Opening } from '../db/embedded/engine.ts'
import { openWithTimeout } from './open-with-timeout.ts'

const config = { databaseUrl: undefined, dataDir: '/srv/shop', startTimeout_ms: 120_000 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Never opens, and fails at its deadline. */
const neverOpen = (opening?: Opening) =>
  new Promise<never>((_resolve, reject) => {
    const timeout = new Error('Connection terminated due to connection timeout')
    opening?.signal.addEventListener('abort', () => reject(timeout))
  })

test('an opening that takes too long is reported with a remedy and exit code 1 (decision 130)', async () => {
  const opening = openWithTimeout(config, neverOpen, () => {})
  const refused = expect(opening).rejects.toMatchObject({
    message:
      'The embedded database did not start within 120 s. ' +
      'The machine may be overloaded; start again, or raise TRADEPOST_START_TIMEOUT.',
    exitCode: 1,
  })
  await vi.advanceTimersByTimeAsync(120_000)
  await refused
})

test('after 5 s the current step is printed, and then each further step (decision 130)', async () => {
  const output: string[] = []
  const opened = openWithTimeout(
    config,
    async (opening) => {
      opening?.onStep('Creating the embedded database')
      // The time of this test is faked.
      await new Promise<void>((goOn) => setTimeout(goOn, 6_000))
      expect(output).toEqual([
        'Creating the embedded database in /srv/shop. This may take up to 120 s.',
      ])
      opening?.onStep('Opening the embedded database')
      return 'open'
    },
    (line) => output.push(line),
  )
  await vi.advanceTimersByTimeAsync(4_999)
  expect(output).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await opened).toBe('open')
  expect(output.at(-1)).toBe(
    'Opening the embedded database in /srv/shop. This may take up to 120 s.',
  )
  expect(vi.getTimerCount()).toBe(0)
})

test('another error is passed on unchanged', async () => {
  const opening = openWithTimeout(config, async () => {
    throw new Error('The disk is full.')
  })
  await expect(opening).rejects.toThrow('The disk is full.')
})
