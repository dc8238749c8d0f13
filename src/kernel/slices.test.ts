import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInSlices } from './slices.ts'

test('a long list is mapped in its order, and other work runs in between', async () => {
  let turns = 0
  let done = false
  const counting = (async () => {
    while (!done) {
      await turn()
      turns += 1
    }
  })()
  const items = Array.from({ length: 20 }, (_, n) => n)
  const results = await mapInSlices(items, (item, index) => {
    const began = performance.now()
    while (performance.now() - began < 5);
    return [item * 2, index]
  })
  expect(results).toEqual(items.map((n) => [n * 2, n]))
  expect(turns).toBeGreaterThan(1)
  done = true
  await counting
})

test('an empty list gives an empty one', async () => {
  expect(await mapInSlices([], String)).toEqual([])
})
