import { expect, test } from 'vitest'
import { isFinal, waitAfter } from './retry.rules.ts'

test.each([
  ['an unknown mailbox', 'permanent', { responseCode: 550, command: 'RCPT TO' }],
  ['a refused message', 'permanent', { responseCode: 554, command: 'DATA' }],
  ['a full mailbox', 'temporary', { responseCode: 452, command: 'RCPT TO' }],
  ['a wrong password', 'temporary', { responseCode: 535, command: 'AUTH PLAIN' }],
  ['a sender that may not send', 'temporary', { responseCode: 550, command: 'MAIL FROM' }],
  ['a server that does not exist', 'temporary', {}],
])('a refusal because of %s is %s', (_, kind, refusal) => {
  expect(isFinal(refusal)).toBe(kind === 'permanent')
})

test('mail is attempted seven times, with longer waits each time', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map(waitAfter)
  expect(waits).toEqual([60, 300, 900, 1_800, 7_200, 21_600, undefined])
})
