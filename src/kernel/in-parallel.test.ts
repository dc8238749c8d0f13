import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

test('so many items are worked on at once, in their order', async () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = inParallel([1, 2, 3], 2, async (item) => {
    begun.push(item)
    await new Promise<void>((resolve) => ends.push(resolve))
  })
  expect(begun).toEqual([1, 2])
  ends[1]?.()
  await expect.poll(() => begun).toEqual([1, 2, 3])
  ends[0]?.()
  ends[2]?.()
  await all
})

test('the first error rejects', async () => {
  const work = async (item: number) => {
    if (item === 2) throw new Error('item 2')
  }
  await expect(inParallel([1, 2, 3], 1, work)).rejects.toThrow('item 2')
})
