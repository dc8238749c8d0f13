import { expect, test } from 'vitest'
import { isNonce, isWithinSkew, readProof } from './proof.rules.ts'

test('a proof is accepted up to 300 seconds early or late, and not a millisecond more', () => {
  const time_s = 1_772_366_400
  const isAccepted = (offset_ms: number) => isWithinSkew(String(time_s), time_s * 1_000 + offset_ms)
  expect([isAccepted(0), isAccepted(300_000), isAccepted(-300_000)]).toEqual([true, true, true])
  expect([isAccepted(300_001), isAccepted(-300_001)]).toEqual([false, false])
})

test('a nonce is 16 to 64 bytes in canonical base64url', () => {
  const nonceOf = (length: number) => Buffer.alloc(length, 7).toString('base64url')
  expect([15, 16, 17, 63, 64, 65].map((length) => isNonce(nonceOf(length)))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ])
  for (const wrongNonce of [
    undefined,
    '',
    `${nonceOf(16)}=`,
    ` ${nonceOf(16)}`,
    `${nonceOf(18).slice(0, -1)}/`,
  ]) {
    expect([wrongNonce, isNonce(wrongNonce)]).toEqual([wrongNonce, false])
  }
})

test('a proof is read only in canonical form', () => {
  const v1 = 'A'.repeat(86)
  expect(readProof(`t=1,v1=${v1}`)).toEqual({ t: '1', v1 })
  const wrongHeaders = [
    undefined,
    '',
    `t=01,v1=${v1}`,
    `t=1,v1=${v1}A`,
    `t=1, v1=${v1}`,
    `v1=${v1},t=1`,
  ]
  for (const header of [...wrongHeaders, `t=-1,v1=${v1}`, `t=1,v1=${v1},v1=${v1}`]) {
    expect([header, readProof(header)]).toEqual([header, undefined])
  }
})
