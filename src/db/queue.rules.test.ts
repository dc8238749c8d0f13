import { describe, expect, test } from 'vitest'
import {
  averageAfter,
  expectedWait,
  type Load,
  mayJoin,
  QUEUE_LIMITS,
  reasonToRefuse,
} from './queue.rules.ts'

const load = (fields: Partial<Load>): Load => ({
  connections: 10,
  ahead: 0,
  averageUse_ms: 50,
  stalled_ms: 0,
  ...fields,
})

describe('joining the queue for a connection', () => {
  test('200 concurrent callers are admitted, even if each uses a connection for half a second (decision 132)', () => {
    for (let ahead = 0; ahead < 190; ahead++) {
      expect(mayJoin(load({ ahead, averageUse_ms: 500 }), QUEUE_LIMITS)).toBe(true)
    }
  })

  test('a caller that would wait longer than 10 s at the present speed is refused at once (decision 132)', () => {
    expect(expectedWait(load({ ahead: 599, averageUse_ms: 500 }))).toBe(30_000)
    expect(mayJoin(load({ ahead: 599, averageUse_ms: 500 }), QUEUE_LIMITS)).toBe(false)
    expect(mayJoin(load({ ahead: 599, averageUse_ms: 50 }), QUEUE_LIMITS)).toBe(true)
  })

  test('a short queue always admits a caller, and a queue of 2,000 never does (decision 132)', () => {
    const slowLoad = load({ connections: 1, ahead: 499, averageUse_ms: 1_000 })
    expect(mayJoin(slowLoad, QUEUE_LIMITS)).toBe(true)
    expect(mayJoin({ ...slowLoad, ahead: 500 }, QUEUE_LIMITS)).toBe(false)
    expect(mayJoin(load({ ahead: 2_000, averageUse_ms: 1 }), QUEUE_LIMITS)).toBe(false)
  })
})

describe('waiting in the queue', () => {
  test.each([
    ['up to 10 s while connections become free', 9_999, { stalled_ms: 0 }, undefined],
    ['no longer than 10 s', 10_000, { stalled_ms: 0 }, 'slow'],
    [
      'no longer than 2 s if no connection became free in that time',
      2_000,
      { stalled_ms: 2_000 },
      'stalled',
    ],
    [
      'for at least 2 s, even if no connection became free for longer',
      1_999,
      { stalled_ms: 60_000 },
      undefined,
    ],
    [
      'longer than 2 s if connections are usually used for long',
      5_000,
      { stalled_ms: 5_000, averageUse_ms: 300 },
      undefined,
    ],
    [
      'no longer than 20 average times of a use',
      6_000,
      { stalled_ms: 6_000, averageUse_ms: 300 },
      'stalled',
    ],
  ] as const)('continues %s (decision 132)', (_, waited_ms, fields, reason) => {
    expect(reasonToRefuse(waited_ms, load(fields), QUEUE_LIMITS)).toBe(reason)
  })
})

test('the average time of a use follows the load, and a single long use does not distort it (decision 132)', () => {
  let averageUse_ms = 5
  for (let n = 0; n < 50; n++) averageUse_ms = averageAfter(averageUse_ms, 300)
  expect(averageUse_ms).toBeGreaterThan(290)
  expect(averageAfter(5, 600_000)).toBeLessThan(105)
})
