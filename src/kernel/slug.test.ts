import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Käse & Co', 'kase-co'],
  ['Straße', 'strasse'],
  ['Привет мир', 'privet-mir'],
  ['Щука, объект', 'shchuka-obekt'],
  ['商品', 'shang-pin'],
  ['カタカナ', 'katakana'],
  ['한국어', 'hangugeo'],
  ['İstanbul', 'istanbul'],
  ['½ price ™', '1-2-price-tm'],
  ['€5', '5'],
  ['🎮 Game', 'game'],
  ['🎮', ''],
])('%s becomes "%s"', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('any name gives a valid slug of at most 100 characters, or an empty one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const slug = slugOf(name)
      expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
      expect(slug.length).toBeLessThanOrEqual(100)
    }),
    { numRuns: 1_000 },
  )
})
