import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64Url, isPoint, kindOfKey } from './device-key.rules.ts'

const P = 2n ** 255n - 19n
const bytesOf = (y: bigint) => Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse()
const SIGN_BIT = 1n << 255n

// All encodings, canonical or not, of the eight points whose order divides 8.
const SMALL_ORDER_Y = [
  0n,
  1n,
  P - 1n,
  P,
  P + 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]

test.each(SMALL_ORDER_Y.flatMap((y) => [y, y | SIGN_BIT]))(
  'a point of small order is refused: %s',
  (y) => {
    expect(kindOfKey(bytesOf(y))).toBeUndefined()
  },
)

test.each([P, P + 3n, 2n ** 255n - 1n])(
  'a y coordinate that is not reduced is refused: %s',
  (y) => {
    expect(kindOfKey(bytesOf(y))).toBeUndefined()
  },
)

test('generated keys are curve points, and about half of all 32-byte values are not', () => {
  for (let n = 0; n < 20; n++) {
    const raw = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' })
    expect([kindOfKey(raw.subarray(-32)), isPoint(raw.subarray(-32))]).toEqual(['ed25519', true])
  }
  const points = Array.from({ length: 200 }, (_, y) => isPoint(bytesOf(BigInt(y) + 2n)))
  const share = points.filter(Boolean).length / points.length
  expect(share).toBeGreaterThan(0.35)
  expect(share).toBeLessThan(0.65)
})

test('only canonical base64url is decoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url')
      expect(fromBase64Url(text)).toEqual(Buffer.from(bytes))
      for (const nonCanonical of [`${text}=`, `${text} `, `.${text}`]) {
        expect(fromBase64Url(nonCanonical)).toBeUndefined()
      }
    }),
  )
})
