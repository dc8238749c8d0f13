import { expect, test } from 'vitest'
import { iso } from '../../../kernel/time.ts'
import { oldestAt, type Signer, signerAt } from './signers.ts'

const DAY_MS = 86_400_000
const signerOf = (kid: string, day: number): Signer => ({
  kid,
  public_key: Buffer.alloc(32),
  not_before: iso(day * DAY_MS),
  not_after: null,
  sign: () => kid,
})
const signers = [signerOf('old', 10), signerOf('new', 20)]

test.each([
  ['the newest started key signs', 20, 'new', 'old'],
  ['a key does not sign before its start', 19, 'old', 'old'],
  ['the first key signs if the clock was set back before its start', 5, 'old', 'old'],
])('%s', (_, day, signs, signsKeySet) => {
  expect(signerAt(signers, day * DAY_MS).kid).toBe(signs)
  expect(oldestAt(signers, day * DAY_MS).kid).toBe(signsKeySet)
})
