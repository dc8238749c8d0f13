import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitPrice } from './bundle.rules.ts'

test.each([
  [
    1_000,
    [
      [1, 500],
      [1, 1_500],
    ],
    [
      [0, 1, 250],
      [1, 1, 750],
    ],
  ],
  [
    1_000,
    [[3, 100]],
    [
      [0, 1, 334],
      [0, 2, 333],
    ],
  ],
  [
    5,
    [
      [2, 0],
      [1, 0],
    ],
    [
      [0, 2, 2],
      [1, 1, 1],
    ],
  ],
  [0, [[2, 700]], [[0, 2, 0]]],
] as const)('the price %i is split over the parts %j', (price, parts, shares) => {
  const asParts = parts.map(([quantity, unit_price_cents]) => ({ quantity, unit_price_cents }))
  const asShares = shares.map(([part_index, quantity, unit_price_cents]) => ({
    part_index,
    quantity,
    unit_price_cents,
  }))
  expect(splitPrice(price, asParts)).toEqual(asShares)
})

test('the shares add up to the price, and equal units differ by at most one cent', () => {
  const part = fc.record({
    quantity: fc.integer({ min: 1, max: 100 }),
    unit_price_cents: fc.integer({ min: 0, max: 99_999_999_999 }),
  })
  const parts = fc.array(part, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), parts, (price, input) => {
      const shares = splitPrice(price, input)
      const sum = shares.reduce((cents, item) => cents + item.quantity * item.unit_price_cents, 0)
      expect(sum).toBe(price)
      for (const [index, { quantity }] of input.entries()) {
        const partShares = shares.filter((share) => share.part_index === index)
        expect(partShares.reduce((units, share) => units + share.quantity, 0)).toBe(quantity)
        const prices = partShares.map((share) => share.unit_price_cents)
        expect(Math.max(...prices) - Math.min(...prices)).toBeLessThanOrEqual(1)
      }
    }),
  )
})
