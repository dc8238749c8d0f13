import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLink, signLink } from './link.rules.ts'

const signer = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest()
const sign = signer('our key')
const NOW = Date.UTC(2026, 0, 1)

test('a link contains its target, and expires 15 minutes from now', () => {
  const link = signLink('file-42', NOW, sign)
  expect(link).toMatch(/^[\w.-]+$/)
  expect(openLink(link, sign)).toEqual({ target: 'file-42', expires_ms: NOW + 15 * 60_000 })
})

test('a link signed with another key does not open', () => {
  expect(openLink(signLink('file-42', NOW, signer('another key')), sign)).toBeUndefined()
})

test('a link with one character changed, added or removed does not open', () => {
  const link = signLink('file-42', NOW, sign)
  fc.assert(
    fc.property(fc.nat({ max: link.length - 1 }), fc.string({ maxLength: 2 }), (index, text) => {
      const changed = link.slice(0, index) + text + link.slice(index + 1)
      if (changed !== link) expect(openLink(changed, sign)).toBeUndefined()
    }),
  )
})
