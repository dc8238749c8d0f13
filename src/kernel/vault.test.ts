import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createVault, kidOf, type SealContext } from './vault.ts'

const pepper = randomBytes(32)
const key = randomBytes(32)
const vault = createVault([key], pepper)
const context: SealContext = { column: 'stock_key.value', storeId: 7, row: 'abc' }

describe('a sealed value', () => {
  test.each([
    ['text', 'Ünïcode 😀 key'],
    ['an empty text', ''],
    ['16 KiB', 'x'.repeat(16_384)],
  ])('opens in its context: %s', (_, text) => {
    expect(vault.open(context, vault.seal(context, text)).toString()).toBe(text)
  })

  test('bytes open as the same bytes', () => {
    const plain = randomBytes(100)
    expect(vault.open(context, vault.seal(context, plain)).equals(plain)).toBe(true)
  })

  test('a value in the middle of a larger buffer opens', () => {
    const sealed = vault.seal(context, 'secret')
    const whole = Buffer.concat([Buffer.alloc(5), sealed, Buffer.alloc(5)])
    expect(vault.open(context, whole.subarray(5, 5 + sealed.length)).toString()).toBe('secret')
  })

  test('does not contain its plain text, and differs each time', () => {
    const first = vault.seal(context, 'AAAA-BBBB-CCCC')
    const second = vault.seal(context, 'AAAA-BBBB-CCCC')
    expect(first.includes('AAAA')).toBe(false)
    expect(first.equals(second)).toBe(false)
  })

  test.each([
    ['column', { ...context, column: 'delivery.text' }],
    ['store', { ...context, storeId: 8 }],
    ['row', { ...context, row: 'abd' }],
  ])('does not open when it is moved to another %s', (_, elsewhere) => {
    const sealed = vault.seal(context, 'secret')
    expect(() => vault.open(elsewhere, sealed)).toThrow()
  })

  test('does not open when any one of its bytes was changed', () => {
    const sealed = vault.seal(context, 'secret')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => vault.open(context, changed), `byte ${at}`).toThrow()
    }
  })

  test('does not open when it was cut, at any length', () => {
    const sealed = vault.seal(context, 'secret')
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(context, sealed.subarray(0, length)), `length ${length}`).toThrow()
    }
  })
})

describe('several master keys', () => {
  const old = createVault([key], pepper)
  const next = randomBytes(32)

  test('all open, and the first one seals', () => {
    const both = createVault([next, key], pepper)
    expect(both.open(context, old.seal(context, 'old')).toString()).toBe('old')
    const sealed = both.seal(context, 'new')
    expect(createVault([next], pepper).open(context, sealed).toString()).toBe('new')
    expect(() => old.open(context, sealed)).toThrow(kidOf(next))
  })

  test('a key that is not here is named by its public id, which is not the key', () => {
    const alone = createVault([next], pepper)
    expect(() => alone.open(context, old.seal(context, 'x'))).toThrow(kidOf(key))
    expect(key.toString('hex')).not.toContain(kidOf(key))
  })

  test('a vault without a key is refused', () => {
    expect(() => createVault([], pepper)).toThrow(RangeError)
  })
})

describe('hashes for lookups of secrets', () => {
  test('are equal for the same text, and differ by purpose, text and pepper', () => {
    const hash = vault.hmac('api_key', 'text')
    expect(vault.hmac('api_key', 'text').equals(hash)).toBe(true)
    expect(vault.hmac('api_key', 'text2').equals(hash)).toBe(false)
    expect(vault.hmac('stock_key', 'text').equals(hash)).toBe(false)
    expect(createVault([key], randomBytes(32)).hmac('api_key', 'text').equals(hash)).toBe(false)
  })

  test('do not change when the master key is replaced', () => {
    const replaced = createVault([randomBytes(32), key], pepper)
    expect(replaced.hmac('api_key', 'text').equals(vault.hmac('api_key', 'text'))).toBe(true)
  })
})
