import { expect, test } from 'vitest'
import { isNonce, isWithinSkew, readProof } from './proof.rules.ts'

test('a proof is accepted up to 300 seconds early or late, and not a millisecond more', () => {
  const at = 1_772_366_400
  const within = (offset_ms: number) => isWithinSkew(String(at), at * 1_000 + offset_ms)
  expect([within(0), within(300_000), within(-300_000)]).toEqual([true, true, true])
  expect([within(300_001), within(-300_001)]).toEqual([false, false])
})

test('a nonce is 16 to 64 bytes in canonical base64url', () => {
  const of = (length: number) => Buffer.alloc(length, 7).toString('base64url')
  expect([15, 16, 17, 63, 64, 65].map((length) => isNonce(of(length)))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ])
  for (const wrong of [undefined, '', `${of(16)}=`, ` ${of(16)}`, `${of(18).slice(0, -1)}/`]) {
    expect([wrong, isNonce(wrong)]).toEqual([wrong, false])
  }
})

test('a proof is read only in canonical form', () => {
  const v1 = 'A'.repeat(86)
  expect(readProof(`t=1,v1=${v1}`)).toEqual({ t: '1', v1 })
  const wrong = [undefined, '', `t=01,v1=${v1}`, `t=1,v1=${v1}A`, `t=1, v1=${v1}`, `v1=${v1},t=1`]
  for (const header of [...wrong, `t=-1,v1=${v1}`, `t=1,v1=${v1},v1=${v1}`]) {
    expect([header, readProof(header)]).toEqual([header, undefined])
  }
})
