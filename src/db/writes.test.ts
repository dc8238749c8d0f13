import { expect, test } from 'vitest'
import { createWrites } from './writes.ts'

test('the disk counts as full for 30 seconds after a failed statement', () => {
  let now_ms = 5
  const writes = createWrites(() => now_ms)
  expect(writes.isDiskFull()).toBe(false)
  writes.recordFullDisk()
  now_ms += 29_999
  expect(writes.isDiskFull()).toBe(true)
  now_ms += 1
  expect(writes.isDiskFull()).toBe(false)
})

test('the disk does not count as full after a commit that changed rows', () => {
  const writes = createWrites(() => 5)
  writes.recordFullDisk()
  writes.record()
  expect(writes.isDiskFull()).toBe(false)
})
