import { expect, test } from 'vitest'
import { createAlarm } from './alarm.ts'

const LONG_MS = 600_000

function blockFor(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('a wait that nothing wakes resolves to false', async () => {
  expect(await createAlarm().wait(1)).toBe(false)
})

test('a wait that is woken resolves to true', async () => {
  const alarm = createAlarm()
  const waiting = alarm.wait(LONG_MS)
  alarm.wake(0)
  expect(await waiting).toBe(true)
})

test('a wake before a wait ends it', async () => {
  const alarm = createAlarm()
  alarm.wake(0)
  expect(await alarm.wait(LONG_MS)).toBe(true)
})

test('a wake is not lost if the time of the wait is over and its timer is late', async () => {
  const alarm = createAlarm()
  const waiting = alarm.wait(1)
  blockFor(20)
  alarm.wake(0)
  expect(await waiting).toBe(true)
})

test('a wake for a time after the end of a wait does not wake it', async () => {
  const alarm = createAlarm()
  const waiting = alarm.wait(1)
  alarm.wake(LONG_MS)
  expect(await waiting).toBe(false)
})
