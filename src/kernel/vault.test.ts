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
    const larger = Buffer.concat([Buffer.alloc(5), sealed, Buffer.alloc(5)])
    expect(vault.open(context, larger.subarray(5, 5 + sealed.length)).toString()).toBe('secret')
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
  ])('does not open when it is moved to another %s', (_, otherContext) => {
    const sealed = vault.seal(context, 'secret')
    expect(() => vault.open(otherContext, sealed)).toThrow()
  })

  test('does not open after any of its bytes was changed', () => {
    const sealed = vault.seal(context, 'secret')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => vault.open(context, changed), `byte ${index}`).toThrow()
    }
  })

  test('does not open after it was cut to any length', () => {
    const sealed = vault.seal(context, 'secret')
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(context, sealed.subarray(0, length)), `length ${length}`).toThrow()
    }
  })
})

describe('several master keys', () => {
  const oldVault = createVault([key], pepper)
  const newKey = randomBytes(32)

  test('open the values of each key, and seal with the first one', () => {
    const vaultWithBoth = createVault([newKey, key], pepper)
    expect(vaultWithBoth.open(context, oldVault.seal(context, 'old')).toString()).toBe('old')
    const sealed = vaultWithBoth.seal(context, 'new')
    expect(createVault([newKey], pepper).open(context, sealed).toString()).toBe('new')
    expect(() => oldVault.open(context, sealed)).toThrow(kidOf(newKey))
  })

  test('the error of a missing key names the public id of the key, and not the key', () => {
    const newVault = createVault([newKey], pepper)
    expect(() => newVault.open(context, oldVault.seal(context, 'x'))).toThrow(kidOf(key))
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
