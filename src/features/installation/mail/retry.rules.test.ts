import { expect, test } from 'vitest'
import { isFinal, waitAfter } from './retry.rules.ts'

test.each([
  ['an unknown mailbox', { responseCode: 550, command: 'RCPT TO' }, true],
  ['a letter that is refused', { responseCode: 554, command: 'DATA' }, true],
  ['a mailbox that is full for now', { responseCode: 452, command: 'RCPT TO' }, false],
  ['a wrong password', { responseCode: 535, command: 'AUTH PLAIN' }, false],
  ['a sender that may not send', { responseCode: 550, command: 'MAIL FROM' }, false],
  ['a server that is not there', {}, false],
])('%s is final: %s', (_, refusal, final) => {
  expect(isFinal(refusal)).toBe(final)
})

test('mail is tried seven times, ever later', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map(waitAfter)
  expect(waits).toEqual([60, 300, 900, 1_800, 7_200, 21_600, undefined])
})
