import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const noCapacity = new Error('No capacity remains.')

interface Call {
  uses: boolean
  turns: number
}

/**
 * Runs calls concurrently. A call that uses capacity subtracts it before it ends. The capacity is returned
 * some turns after it was read, so it may be outdated, as with several processes.
 */
async function runConcurrently(remaining: number, calls: readonly Call[], delay_turns = 0) {
  const concurrency = createConcurrencyLimit()
  const getCapacity = async () => {
    if (remaining === 0) throw noCapacity
    const answer = remaining
    for (let turn = 0; turn < delay_turns; turn++) await Promise.resolve()
    return answer
  }
  const totals = { used: 0, completed: 0, refused: 0, concurrent: 0 }
  let running = 0
  const run = ({ uses, turns }: (typeof calls)[number]) =>
    concurrency.run('a', getCapacity, async () => {
      totals.concurrent = Math.max(totals.concurrent, ++running)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      if (uses) remaining--
      if (uses) totals.used++
      running--
      totals.completed++
    })
  const results = await Promise.allSettled(calls.map(run))
  totals.refused = results.filter((result) => result.status === 'rejected').length
  return { ...totals, remaining }
}

test('concurrent calls never use more than the capacity, and every call ends', async () => {
  const call = fc.record({ uses: fc.boolean(), turns: fc.integer({ min: 0, max: 5 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5 }),
      fc.array(call, { maxLength: 40 }),
      fc.integer({ min: 0, max: 9 }),
      async (capacity, calls, delay_turns) => {
        const { used, completed, refused, concurrent, remaining } = await runConcurrently(
          capacity,
          calls,
          delay_turns,
        )
        expect(used).toBeLessThanOrEqual(capacity)
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(concurrent).toBeLessThanOrEqual(capacity)
        expect(completed + refused).toBe(calls.length)
        if (remaining > 0) expect(refused).toBe(0)
      },
    ),
  )
})

test('calls that use no capacity all run, at most as many at a time as the capacity', async () => {
  const calls = Array.from({ length: 64 }, () => ({ uses: false, turns: 3 }))
  expect(await runConcurrently(30, calls)).toMatchObject({
    completed: 64,
    refused: 0,
    concurrent: 30,
  })
})

test('failed work frees its capacity, and work under one name does not wait for work under another', async () => {
  const concurrency = createConcurrencyLimit()
  const getCapacity = async () => 1
  void concurrency.run('b', getCapacity, () => new Promise(() => {}))
  const failedWork = concurrency.run('a', getCapacity, async () => {
    throw noCapacity
  })
  await expect(failedWork).rejects.toBe(noCapacity)
  expect(await concurrency.run('a', getCapacity, async () => 'in')).toBe('in')
})
