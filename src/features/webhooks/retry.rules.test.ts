import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { type DeliveryProgress, isExhausted, resultOf } from './result.rules.ts'
import { RETRY_AFTER_MS, waitAfter } from './retry.rules.ts'

const SCHEDULE = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS)

test('the delays are 1, 5 and 30 minutes, 2, 6 and 12 hours: seven attempts in about 21 hours', () => {
  expect(RETRY_AFTER_MS).toEqual(SCHEDULE)
  const total = SCHEDULE.reduce((sum, delay) => sum + delay)
  expect(total).toBe(20 * HOUR_MS + 36 * MINUTE_MS)
  expect([1, 2, 3, 4, 5, 6, 7].map((step) => waitAfter(step, 0))).toEqual([...SCHEDULE, undefined])
})

test('jitter makes a delay at most two per cent longer, and never shorter', () => {
  for (const [index, delay] of SCHEDULE.entries()) {
    for (let chance = 0; chance <= 1; chance += 0.1) {
      const delayWithJitter = waitAfter(index + 1, chance) ?? 0
      expect(delayWithJitter).toBeGreaterThanOrEqual(delay)
      expect(delayWithJitter).toBeLessThanOrEqual(delay * 1.02)
    }
    expect(waitAfter(index + 1, 1)).toBe(delay * 1.02)
  }
})

describe('the effect of an attempt on a delivery', () => {
  const NEW_DELIVERY: DeliveryProgress = { attempts: 0, step: 0, lost: 0 }

  test('a success ends the delivery, at the first attempt and at the last', () => {
    expect(resultOf(NEW_DELIVERY, { ok: true }, 0.5)).toEqual({
      status: 'succeeded',
      attempts: 1,
      step: 0,
      wait_ms: null,
    })
    expect(resultOf({ attempts: 6, step: 6, lost: 0 }, { ok: true }, 0)).toMatchObject({
      status: 'succeeded',
      attempts: 7,
    })
  })

  test('failures follow the schedule, and the seventh is final', () => {
    let progress = NEW_DELIVERY
    const waits: (number | null)[] = []
    const statuses: string[] = []
    for (let n = 0; n < 7; n++) {
      const result = resultOf(progress, { ok: false }, 0)
      waits.push(result.wait_ms)
      statuses.push(result.status)
      progress = { ...result, lost: 0 }
    }
    expect(waits).toEqual([...SCHEDULE, null])
    expect(statuses).toEqual([...Array(6).fill('pending'), 'failed'])
    expect(progress.attempts).toBe(7)
  })

  test('lost attempts are counted, and from the fourth on each uses one of the seven steps', () => {
    const stepWith = (lost: number) =>
      resultOf({ attempts: lost + 1, step: 1, lost }, { ok: false }, 0)
    expect([0, 1, 2, 3].map((lost) => stepWith(lost).wait_ms)).toEqual(Array(4).fill(SCHEDULE[1]))
    expect(stepWith(4).wait_ms).toBe(SCHEDULE[2])
    expect(stepWith(3)).toMatchObject({ attempts: 5, step: 2 })
    expect(stepWith(8)).toMatchObject({ status: 'failed', wait_ms: null })
  })

  test('a delivery is exhausted when failures, and losses after the third, have used seven steps', () => {
    const isExhaustedAfter = (step: number, lost: number) =>
      isExhausted({ attempts: 0, step, lost })
    expect([
      isExhaustedAfter(0, 0),
      isExhaustedAfter(6, 0),
      isExhaustedAfter(6, 3),
      isExhaustedAfter(0, 9),
    ]).toEqual(Array(4).fill(false))
    expect([isExhaustedAfter(7, 0), isExhaustedAfter(6, 4), isExhaustedAfter(0, 10)]).toEqual(
      Array(3).fill(true),
    )
  })
})
