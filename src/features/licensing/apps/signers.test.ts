import { expect, test } from 'vitest'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import { oldestSignerAt, type Signer, signerAt } from './signers.ts'

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
])('%s', (_, day, signer, keySetSigner) => {
  expect(signerAt(signers, day * DAY_MS).kid).toBe(signer)
  expect(oldestSignerAt(signers, day * DAY_MS).kid).toBe(keySetSigner)
})
