import { expect, test } from 'vitest'
import { isGuessedFirst } from './passwords.rules.ts'

test.each(['password', 'PassWord', '12345678', 'Passwort1', 'aaaaaaaa', 'abababab1', 'Tradepost'])(
  'the password %s is guessed first',
  (password) => expect(isGuessedFirst(password)).toBe(true),
)

test.each(['correct horse', 'passwords', 'a new long one', 'áé󈣱32'])(
  'the password %s is not guessed first',
  (password) => expect(isGuessedFirst(password)).toBe(false),
)
