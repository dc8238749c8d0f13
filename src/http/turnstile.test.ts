import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const full = new Error('Nothing is left.')

interface Call {
  uses: boolean
  turns: number
}

/**
 * Calls that come at once, each for a while; those that use up one of `left` say so before they leave. What
 * is left is answered `late` turns after it was read, as by another process.
 */
async function rush(left: number, calls: readonly Call[], late = 0) {
  const concurrency = createConcurrencyLimit()
  const room = async () => {
    if (left === 0) throw full
    const answer = left
    for (let turn = 0; turn < late; turn++) await Promise.resolve()
    return answer
  }
  const seen = { used: 0, done: 0, refused: 0, atOnce: 0 }
  let inside = 0
  const one = ({ uses, turns }: (typeof calls)[number]) =>
    concurrency.pass('a', room, async () => {
      seen.atOnce = Math.max(seen.atOnce, ++inside)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      if (uses) left--
      if (uses) seen.used++
      inside--
      seen.done++
    })
  const ends = await Promise.allSettled(calls.map(one))
  seen.refused = ends.filter((end) => end.status === 'rejected').length
  return { ...seen, left }
}

test('however many come at once, no more is used up than there was, and nobody waits for ever', async () => {
  const call = fc.record({ uses: fc.boolean(), turns: fc.integer({ min: 0, max: 5 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5 }),
      fc.array(call, { maxLength: 40 }),
      fc.integer({ min: 0, max: 9 }),
      async (room, calls, late) => {
        const { used, done, refused, atOnce, left } = await rush(room, calls, late)
        expect(used).toBeLessThanOrEqual(room)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(atOnce).toBeLessThanOrEqual(room)
        expect(done + refused).toBe(calls.length)
        if (left > 0) expect(refused).toBe(0)
      },
    ),
  )
})

test('those that use up nothing all come in, some at a time', async () => {
  const calls = Array.from({ length: 64 }, () => ({ uses: false, turns: 3 }))
  expect(await rush(30, calls)).toMatchObject({ done: 64, refused: 0, atOnce: 30 })
})

test('work that fails leaves like any other, and names do not wait for one another', async () => {
  const concurrency = createConcurrencyLimit()
  const one = async () => 1
  void concurrency.pass('b', one, () => new Promise(() => {}))
  const fails = concurrency.pass('a', one, async () => {
    throw full
  })
  await expect(fails).rejects.toBe(full)
  expect(await concurrency.pass('a', one, async () => 'in')).toBe('in')
})
