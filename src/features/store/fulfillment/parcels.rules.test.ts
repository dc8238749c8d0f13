import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParcelItem, planParcel, shippedSoFar } from './parcels.rules.ts'

const quantities = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
const linesOf = (bought: readonly number[]) =>
  bought.map((quantity, at) => ({ id: at + 1, delivery_type: 'physical', quantity }))

function pack(packed: Map<number, number>, items: readonly ParcelItem[]) {
  for (const { order_item_id, quantity } of items) {
    packed.set(order_item_id, (packed.get(order_item_id) ?? 0) + quantity)
  }
}

test('however an order is split into parcels, all of it is sent and nothing twice', () => {
  const wishes = fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 25 })))
  fc.assert(
    fc.property(quantities, wishes, (bought, tried) => {
      const lines = linesOf(bought)
      const packed = new Map<number, number>()
      for (const [order_item_id, quantity] of tried) {
        try {
          pack(packed, planParcel(lines, packed, [{ order_item_id, quantity }]))
        } catch {
          const left = (bought[order_item_id - 1] ?? 0) - (packed.get(order_item_id) ?? 0)
          expect(quantity).toBeGreaterThan(left)
        }
      }
      const sentAll = lines.every((line) => packed.get(line.id) === line.quantity)
      if (sentAll) expect(() => planParcel(lines, packed, undefined)).toThrow('left to ship')
      else pack(packed, planParcel(lines, packed, undefined))
      expect(lines.map((line) => packed.get(line.id))).toEqual(bought)
    }),
  )
})

test('lines without parcels are in none', () => {
  const lines = [...linesOf([2]), { id: 9, delivery_type: 'serial', quantity: 1 }]
  expect(planParcel(lines, new Map(), undefined)).toEqual([{ order_item_id: 1, quantity: 2 }])
  const named = [{ order_item_id: 9, quantity: 1 }]
  expect(() => planParcel(lines, new Map(), named)).toThrow('physical line')
})

test('an order is shipped in part until its last unit is', () => {
  expect([0, 1, 4, 5].map((shipped) => shippedSoFar(5, shipped))).toEqual([
    'unfulfilled',
    'partial',
    'partial',
    'fulfilled',
  ])
})
