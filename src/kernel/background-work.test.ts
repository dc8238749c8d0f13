import { expect, test } from 'vitest'
import { createBackgroundWork } from './background-work.ts'

test('at most so many works run at once, and the others wait their turn', async () => {
  const background = createBackgroundWork({ running: 2, waiting: 10 })
  const done: number[] = []
  const ends: (() => void)[] = []
  for (const number of [1, 2, 3, 4]) {
    background.start(async () => {
      await new Promise<void>((resolve) => ends.push(resolve))
      done.push(number)
    })
  }
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await expect.poll(() => ends.length).toBe(3)
  expect(done).toEqual([2])
  ends[2]?.()
  await expect.poll(() => ends.length).toBe(4)
  ends[0]?.()
  ends[3]?.()
  await expect.poll(() => done).toHaveLength(4)
})

test('work is refused while too much waits, and accepted again afterwards', async () => {
  const background = createBackgroundWork({ running: 1, waiting: 1 })
  let end = () => {}
  const work = () =>
    new Promise<void>((resolve) => {
      end = resolve
    })
  expect([background.start(work), background.start(work), background.start(work)]).toEqual([
    true,
    true,
    false,
  ])
  const isOver = end
  isOver()
  await expect.poll(() => end !== isOver).toBe(true)
  expect(background.start(work)).toBe(true)
})
