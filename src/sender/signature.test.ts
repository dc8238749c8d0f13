import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeader, verifySignature } from './signature.ts'

const BODY = Buffer.from('{"id":"evt_1","total":10.50}')
const NOW = 1_800_000_000

test('the signature is the HMAC of time, dot and raw body with the whole secret as key', () => {
  const hex = createHmac('sha256', 'whsec_abc').update(`${NOW}.${BODY}`).digest('hex')
  expect(signatureHeader(['whsec_abc'], NOW, BODY)).toBe(`t=${NOW},v1=${hex}`)
})

test('during a roll the header has a signature with each secret, the new one last', () => {
  const header = signatureHeader(['whsec_old', 'whsec_new'], NOW, BODY)
  const [, first, last] = header.split(',')
  expect(signatureHeader(['whsec_old'], NOW, BODY)).toBe(`t=${NOW},${first}`)
  expect(signatureHeader(['whsec_new'], NOW, BODY)).toBe(`t=${NOW},${last}`)
  expect(verifySignature('whsec_old', header, BODY, NOW)).toBe(true)
  expect(verifySignature('whsec_new', header, BODY, NOW + 300)).toBe(true)
})

test('another body, another secret, an old header and an invalid header are refused', () => {
  const header = signatureHeader(['whsec_abc'], NOW, BODY)
  expect(verifySignature('whsec_abc', header, Buffer.from('{}'), NOW)).toBe(false)
  expect(verifySignature('whsec_abd', header, BODY, NOW)).toBe(false)
  expect(verifySignature('whsec_abc', header, BODY, NOW + 301)).toBe(false)
  expect(verifySignature('whsec_abc', header, BODY, NOW - 301)).toBe(false)
  for (const invalidHeader of ['', 't=', 'v1=00', `t=${NOW}`, `t=${NOW},v1=`, `t=x,v1=00`]) {
    expect(verifySignature('whsec_abc', invalidHeader, BODY, NOW)).toBe(false)
  }
})
