import { describe, expect, test } from 'vitest'
import {
  expectedWait,
  type Load,
  mayJoin,
  QUEUE_LIMITS,
  usualAfter,
  whyGiveUp,
} from './queue.rules.ts'

const load = (fields: Partial<Load>): Load => ({
  connections: 10,
  ahead: 0,
  usual_ms: 50,
  still_ms: 0,
  ...fields,
})

describe('joining the queue for a connection', () => {
  test('200 concurrent callers are admitted, even if each holds a connection for half a second (decision 132)', () => {
    for (let ahead = 0; ahead < 190; ahead++) {
      expect(mayJoin(load({ ahead, usual_ms: 500 }), QUEUE_LIMITS)).toBe(true)
    }
  })

  test('a caller that would wait longer than 10 s at the present speed is refused at once (decision 132)', () => {
    expect(expectedWait(load({ ahead: 599, usual_ms: 500 }))).toBe(30_000)
    expect(mayJoin(load({ ahead: 599, usual_ms: 500 }), QUEUE_LIMITS)).toBe(false)
    expect(mayJoin(load({ ahead: 599, usual_ms: 50 }), QUEUE_LIMITS)).toBe(true)
  })

  test('a short queue is never refused, a queue of 2,000 always (decision 132)', () => {
    const slow = load({ connections: 1, ahead: 499, usual_ms: 1_000 })
    expect(mayJoin(slow, QUEUE_LIMITS)).toBe(true)
    expect(mayJoin({ ...slow, ahead: 500 }, QUEUE_LIMITS)).toBe(false)
    expect(mayJoin(load({ ahead: 2_000, usual_ms: 1 }), QUEUE_LIMITS)).toBe(false)
  })
})

describe('waiting in the queue', () => {
  test.each([
    ['while connections become free, up to 10 s', 9_999, { still_ms: 0 }, undefined],
    ['not beyond 10 s', 10_000, { still_ms: 0 }, 'slow'],
    [
      'not beyond 2 s if no connection became free in that time',
      2_000,
      { still_ms: 2_000 },
      'stalled',
    ],
    [
      'for 2 s at least, even if no connection became free for longer',
      1_999,
      { still_ms: 60_000 },
      undefined,
    ],
    [
      'longer if connections are usually held long',
      5_000,
      { still_ms: 5_000, usual_ms: 300 },
      undefined,
    ],
    ['but not beyond 20 average times', 6_000, { still_ms: 6_000, usual_ms: 300 }, 'stalled'],
  ] as const)('continues %s (decision 132)', (_, waited_ms, fields, why) => {
    expect(whyGiveUp(waited_ms, load(fields), QUEUE_LIMITS)).toBe(why)
  })
})

test('the average follows the load, and one long report does not distort it (decision 132)', () => {
  let usual_ms = 5
  for (let n = 0; n < 50; n++) usual_ms = usualAfter(usual_ms, 300)
  expect(usual_ms).toBeGreaterThan(290)
  expect(usualAfter(5, 600_000)).toBeLessThan(105)
})
