import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const full = new Error('No capacity remains.')

interface Call {
  uses: boolean
  turns: number
}

/**
 * Runs calls concurrently. Each call that uses one of `left` records it before it ends. The
 * capacity is returned `late` turns after it was read, as another process would.
 */
async function rush(left: number, calls: readonly Call[], late = 0) {
  const concurrency = createConcurrencyLimit()
  const getCapacity = async () => {
    if (left === 0) throw full
    const answer = left
    for (let turn = 0; turn < late; turn++) await Promise.resolve()
    return answer
  }
  const totals = { used: 0, done: 0, refused: 0, atOnce: 0 }
  let inside = 0
  const run = ({ uses, turns }: (typeof calls)[number]) =>
    concurrency.pass('a', getCapacity, async () => {
      totals.atOnce = Math.max(totals.atOnce, ++inside)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      if (uses) left--
      if (uses) totals.used++
      inside--
      totals.done++
    })
  const ends = await Promise.allSettled(calls.map(run))
  totals.refused = ends.filter((end) => end.status === 'rejected').length
  return { ...totals, left }
}

test('concurrent calls never use more than the capacity, and every call ends', async () => {
  const call = fc.record({ uses: fc.boolean(), turns: fc.integer({ min: 0, max: 5 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5 }),
      fc.array(call, { maxLength: 40 }),
      fc.integer({ min: 0, max: 9 }),
      async (capacity, calls, late) => {
        const { used, done, refused, atOnce, left } = await rush(capacity, calls, late)
        expect(used).toBeLessThanOrEqual(capacity)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(atOnce).toBeLessThanOrEqual(capacity)
        expect(done + refused).toBe(calls.length)
        if (left > 0) expect(refused).toBe(0)
      },
    ),
  )
})

test('calls that use nothing all run, up to the capacity at once', async () => {
  const calls = Array.from({ length: 64 }, () => ({ uses: false, turns: 3 }))
  expect(await rush(30, calls)).toMatchObject({ done: 64, refused: 0, atOnce: 30 })
})

test('failed work frees its capacity, and different names do not wait for each other', async () => {
  const concurrency = createConcurrencyLimit()
  const getCapacity = async () => 1
  void concurrency.pass('b', getCapacity, () => new Promise(() => {}))
  const fails = concurrency.pass('a', getCapacity, async () => {
    throw full
  })
  await expect(fails).rejects.toBe(full)
  expect(await concurrency.pass('a', getCapacity, async () => 'in')).toBe('in')
})
