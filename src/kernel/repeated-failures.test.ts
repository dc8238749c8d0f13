import { expect, test } from 'vitest'
import { createRepeatedFailures } from './repeated-failures.ts'
import { MINUTE_MS } from './time.ts'

const diskFull = () => Object.assign(new Error('could not extend file'), { code: '53100' })
const busy = (length: number) => new Error(`The queue has ${length} calls.`)

test('a failure that repeats is logged once, and again after a success', () => {
  const failures = createRepeatedFailures(() => 0)
  expect(failures.isNew('job', diskFull())).toBe(true)
  expect(failures.isNew('job', diskFull())).toBe(false)
  expect(failures.end('job')).toBe(true)
  expect(failures.end('job')).toBe(false)
  expect(failures.isNew('job', diskFull())).toBe(true)
})

test('a failure for another reason, and the failure of other work, are logged', () => {
  const failures = createRepeatedFailures(() => 0)
  failures.isNew('job', diskFull())
  expect(failures.isNew('other', diskFull())).toBe(true)
  expect(failures.isNew('job', busy(3))).toBe(true)
  expect(failures.isNew('job', busy(4))).toBe(false)
  expect(failures.isNew('job', new Error('Another message'))).toBe(true)
})

test('a failure that lasts is logged again after ten minutes', () => {
  let now = 0
  const failures = createRepeatedFailures(() => now)
  expect(failures.isNew('job', diskFull())).toBe(true)
  now = 10 * MINUTE_MS - 1
  expect(failures.isNew('job', diskFull())).toBe(false)
  now++
  expect(failures.isNew('job', diskFull())).toBe(true)
})
