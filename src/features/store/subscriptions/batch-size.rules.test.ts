import { expect, test } from 'vitest'
import { BATCH_MAX, nextBatchSize } from './batch-size.rules.ts'

test.each([
  ['a slow batch', 25, 900, 12],
  ['a slow batch that is small already', 12, 900, 10],
  ['a batch that is neither slow nor quick', 12, 300, 12],
  ['a quick batch', 10, 60, 20],
  ['a quick batch of the largest size', BATCH_MAX, 60, BATCH_MAX],
])(
  'after %s of %i renewals in %i ms, the next batch has %i renewals',
  (_, size, duration_ms, next) => {
    expect(nextBatchSize(size, duration_ms)).toBe(next)
  },
)
