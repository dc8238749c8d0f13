import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParcelItem, planParcel } from './parcels.rules.ts'

const quantities = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
const linesOf = (boughtUnits: readonly number[]) =>
  boughtUnits.map((quantity, index) => ({ id: index + 1, delivery_type: 'physical', quantity }))

function pack(packedUnits: Map<number, number>, items: readonly ParcelItem[]) {
  for (const { order_item_id, quantity } of items) {
    packedUnits.set(order_item_id, (packedUnits.get(order_item_id) ?? 0) + quantity)
  }
}

test('however an order is split into parcels, every unit is shipped exactly once', () => {
  const requests = fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 25 })))
  fc.assert(
    fc.property(quantities, requests, (boughtUnits, requested) => {
      const lines = linesOf(boughtUnits)
      const packedUnits = new Map<number, number>()
      for (const [order_item_id, quantity] of requested) {
        try {
          pack(packedUnits, planParcel(lines, packedUnits, [{ order_item_id, quantity }]))
        } catch {
          const remainingUnits =
            (boughtUnits[order_item_id - 1] ?? 0) - (packedUnits.get(order_item_id) ?? 0)
          expect(quantity).toBeGreaterThan(remainingUnits)
        }
      }
      const isAllPacked = lines.every((line) => packedUnits.get(line.id) === line.quantity)
      if (isAllPacked)
        expect(() => planParcel(lines, packedUnits, undefined)).toThrow('left to ship')
      else pack(packedUnits, planParcel(lines, packedUnits, undefined))
      expect(lines.map((line) => packedUnits.get(line.id))).toEqual(boughtUnits)
    }),
  )
})

test('a parcel contains physical lines only', () => {
  const lines = [...linesOf([2]), { id: 9, delivery_type: 'serial', quantity: 1 }]
  expect(planParcel(lines, new Map(), undefined)).toEqual([{ order_item_id: 1, quantity: 2 }])
  const digitalItem = [{ order_item_id: 9, quantity: 1 }]
  expect(() => planParcel(lines, new Map(), digitalItem)).toThrow('physical line')
})

test('a line with too few units left is refused, with a way to correct the parcel', () => {
  const shipTwo = (packedUnits: number) => () =>
    planParcel(linesOf([3]), new Map([[1, packedUnits]]), [{ order_item_id: 1, quantity: 2 }])
  expect(shipTwo(1)()).toEqual([{ order_item_id: 1, quantity: 2 }])
  expect(shipTwo(2)).toThrow('Send 1 or fewer.')
  expect(shipTwo(3)).toThrow('Leave the line out.')
})
