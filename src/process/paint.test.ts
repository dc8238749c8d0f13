import { expect, test } from 'vitest'
import { painterOf } from './paint.ts'

test('text is coloured if its own stream has colours, whatever standard output is', () => {
  const paint = painterOf({ hasColors: () => true })
  expect(paint('red', 'FAULT')).toBe('\u001b[31mFAULT\u001b[39m')
})

test.each([
  ['a pipe', {}],
  ['a terminal without colours', { hasColors: () => false }],
])('text stays plain on %s', (_, stream) => {
  expect(painterOf(stream)('red', 'FAULT')).toBe('FAULT')
})
