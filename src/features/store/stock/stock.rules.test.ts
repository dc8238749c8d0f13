import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import {
  type Counters,
  free,
  mask,
  planReservation,
  planWithdrawal,
  type Wanted,
} from './stock.rules.ts'

const reserves = (counters: readonly Counters[], wanted: readonly Wanted[]) =>
  planReservation(
    counters,
    wanted.map((line) => ({
      ...line,
      product_hash: 'a1B2c3D4e5F6',
      name: 'Game',
      variant_name: 'Standard',
    })),
  )

const counters = (fields: Partial<Counters> = {}): Counters => ({
  variant_id: 1,
  product_id: 100,
  stock_mode: 'calculated',
  track_inventory: true,
  allow_backorder: false,
  on_hand: 0,
  reserved: 0,
  ...fields,
})

const want = (...quantities: number[]) =>
  quantities.map((quantity) => ({ variant_id: 1, quantity }))

describe('reserving', () => {
  test('free units are reserved, and the last one empties the product', () => {
    const stock = counters({ on_hand: 5, reserved: 2 })
    expect(reserves([stock], want(2))).toMatchObject({ held: [2], emptied: new Set() })
    expect(reserves([stock], want(1, 2))).toEqual({
      held: [1, 2],
      changes: new Map([[1, 3]]),
      emptied: new Set([100]),
    })
  })

  test('more units than are free are OUT_OF_STOCK with the remaining number', () => {
    const stock = counters({ on_hand: 5, reserved: 2 })
    for (const wanted of [want(4), want(2, 2)]) {
      expect(() => reserves([stock], wanted)).toThrow(Refusal)
      try {
        reserves([stock], wanted)
      } catch (error) {
        expect(error).toMatchObject({
          code: 'OUT_OF_STOCK',
          details: { product_id: 'a1B2c3D4e5F6', variant_id: 1, available: 3 },
        })
      }
    }
  })

  test('with backorders an order passes and holds what there is; nothing held empties nothing', () => {
    const stock = counters({ on_hand: 2, allow_backorder: true })
    expect(reserves([stock], want(5))).toMatchObject({ held: [2], emptied: new Set([100]) })
    const empty = counters({ allow_backorder: true })
    expect(reserves([empty], want(5))).toMatchObject({ held: [0], emptied: new Set() })
  })

  test.each([
    ['unlimited', counters({ stock_mode: 'unlimited' })],
    ['not tracked', counters({ track_inventory: false })],
  ])('stock that is %s is not counted', (_, stock) => {
    expect(reserves([stock], want(7))).toEqual({
      held: [0],
      changes: new Map(),
      emptied: new Set(),
    })
  })
})

describe('withdrawing', () => {
  test('a line takes its reserved units, and then free ones', () => {
    const plan = planWithdrawal(
      [counters({ on_hand: 5, reserved: 4 })],
      [{ variant_id: 1, quantity: 3, held: 2, serial: true }],
    )
    expect(plan).toEqual({
      served: [true],
      changes: new Map([[1, { on_hand: 3, reserved: 2, sold: 3 }]]),
      emptied: new Set([counters({}).product_id]),
    })
  })

  test('a line never takes what another order holds, and keeps its own then', () => {
    const plan = planWithdrawal(
      [counters({ on_hand: 5, reserved: 4 })],
      [{ variant_id: 1, quantity: 4, held: 2, serial: true }],
    )
    expect(plan.served).toEqual([false])
    expect([...plan.changes.values()]).toEqual([{ on_hand: 0, reserved: 0, sold: 0 }])
  })
})

/** The state of one variant, apart from its counters. */
interface Model {
  stock: Counters
  loaded: number
  sold: number
  orders: { quantity: number; held: number }[]
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('add'), units: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('order'), units: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('pay'), units: fc.nat(9) }),
  fc.record({ kind: fc.constant('give_back'), units: fc.nat(9) }),
  fc.record({ kind: fc.constant('pay_late'), units: fc.integer({ min: 1, max: 4 }) }),
)

const steps: Record<string, (tradepost: Model, units: number) => void> = {
  add(tradepost, units) {
    tradepost.stock.on_hand += units
    tradepost.loaded += units
  },

  order({ stock, orders }, units) {
    try {
      const { held, changes } = reserves([stock], want(units))
      stock.reserved += changes.get(1) ?? 0
      orders.push({ quantity: units, held: held[0] ?? 0 })
      if (!stock.allow_backorder) expect(held[0]).toBe(units)
    } catch (error) {
      // No false "out of stock": it is said only where there was too little.
      expect(error).toMatchObject({ code: 'OUT_OF_STOCK' })
      expect(free(stock)).toBeLessThan(units)
    }
  },

  give_back({ stock, orders }, units) {
    const [order] = orders.splice(units % Math.max(1, orders.length), 1)
    stock.reserved -= order?.held ?? 0
  },

  pay(tradepost, units) {
    const at = units % Math.max(1, tradepost.orders.length)
    const order = tradepost.orders[at]
    if (order && takes(tradepost, order)) tradepost.orders.splice(at, 1)
  },

  pay_late(tradepost, units) {
    takes(tradepost, { quantity: units, held: 0 })
  },
}

function takes(tradepost: Model, order: { quantity: number; held: number }): boolean {
  const plan = planWithdrawal([tradepost.stock], [{ variant_id: 1, serial: true, ...order }])
  const change = plan.changes.get(1) ?? { on_hand: 0, reserved: 0, sold: 0 }
  tradepost.stock.on_hand -= change.on_hand
  tradepost.stock.reserved -= change.reserved
  tradepost.sold += change.sold
  return plan.served[0] ?? false
}

test.each([false, true])(
  'no order of buying, paying and giving back makes stock negative or sells it twice (backorders: %s)',
  (allow_backorder) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (taken) => {
        const tradepost: Model = {
          stock: counters({ allow_backorder }),
          loaded: 0,
          sold: 0,
          orders: [],
        }
        for (const { kind, units } of taken) {
          steps[kind]?.(tradepost, units)
          const { stock, orders } = tradepost
          expect(stock.on_hand).toBeGreaterThanOrEqual(0)
          expect(stock.reserved).toBeGreaterThanOrEqual(0)
          expect(stock.reserved).toBeLessThanOrEqual(stock.on_hand)
          expect(stock.reserved).toBe(orders.reduce((sum, order) => sum + order.held, 0))
          expect(tradepost.sold + stock.on_hand).toBe(tradepost.loaded)
        }
      }),
      { numRuns: 500 },
    )
  },
)

test('the last four characters of a key are shown, and nothing of a key shorter than 12', () => {
  expect(mask('ABCD-EFGH-1234')).toBe('••••1234')
  expect(mask('ABCDEFGH1234')).toBe('••••1234')
  expect(mask('ABCDEFG1234')).toBe('••••')
  expect(mask('1')).toBe('••••')
})
