import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInSlices } from './slices.ts'

test('a long list is mapped in its order, and other work runs in between', async () => {
  let turns = 0
  let isMapped = false
  const countingTurns = (async () => {
    while (!isMapped) {
      await turn()
      turns += 1
    }
  })()
  const items = Array.from({ length: 20 }, (_, n) => n)
  const results = await mapInSlices(items, (item, index) => {
    const startedAt_ms = performance.now()
    while (performance.now() - startedAt_ms < 5);
    return [item * 2, index]
  })
  expect(results).toEqual(items.map((n) => [n * 2, n]))
  expect(turns).toBeGreaterThan(1)
  isMapped = true
  await countingTurns
})

test('an empty list gives an empty one', async () => {
  expect(await mapInSlices([], String)).toEqual([])
})
