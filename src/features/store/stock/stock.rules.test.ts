import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  availableUnits,
  expectPlenty,
  mask,
  type PaidLine,
  planReservation,
  planReturn,
  planServing,
  type StockCounters,
  type VariantUnits,
} from './stock.rules.ts'

const reserve = (counters: readonly StockCounters[], items: readonly VariantUnits[]) =>
  planReservation(
    counters,
    items.map((line) => ({
      ...line,
      product_hash: 'a1B2c3D4e5F6',
      name: 'Game',
      variant_name: 'Standard',
    })),
  )

const counters = (fields: Partial<StockCounters> = {}): StockCounters => ({
  variant_id: 1,
  product_id: 100,
  stock_mode: 'calculated',
  track_inventory: true,
  allow_backorder: false,
  on_hand: 0,
  reserved: 0,
  owed: 0,
  ...fields,
})

const unitsOf = (...quantities: number[]) =>
  quantities.map((quantity) => ({ variant_id: 1, quantity }))

describe('a reservation', () => {
  test('reserves available units, and reports the product if no unit remains', () => {
    const stock = counters({ on_hand: 5, reserved: 2 })
    expect(reserve([stock], unitsOf(2))).toMatchObject({
      reserved: [2],
      emptiedProductIds: new Set(),
    })
    expect(reserve([stock], unitsOf(1, 2))).toEqual({
      reserved: [1, 2],
      changes: new Map([[1, 3]]),
      emptiedProductIds: new Set([100]),
    })
  })

  test('of more units than are available is refused with OUT_OF_STOCK and the available number', () => {
    const stock = counters({ on_hand: 5, reserved: 2 })
    const details = { product_id: 'a1B2c3D4e5F6', variant_id: 1, available: 3 }
    for (const items of [unitsOf(4), unitsOf(2, 2)]) {
      expect(() => reserve([stock], items)).toThrow(
        expect.objectContaining({ code: 'OUT_OF_STOCK', details }),
      )
    }
  })

  test('with backorders reserves the available units, and does not report a product that had none before', () => {
    const stock = counters({ on_hand: 2, allow_backorder: true })
    expect(reserve([stock], unitsOf(5))).toMatchObject({
      reserved: [2],
      emptiedProductIds: new Set([100]),
    })
    const empty = counters({ allow_backorder: true })
    expect(reserve([empty], unitsOf(5))).toMatchObject({
      reserved: [0],
      emptiedProductIds: new Set(),
    })
  })

  test.each([
    ['unlimited', counters({ stock_mode: 'unlimited' })],
    ['not tracked', counters({ track_inventory: false })],
  ])('of stock that is %s reserves no units', (_, stock) => {
    expect(reserve([stock], unitsOf(7))).toEqual({
      reserved: [0],
      changes: new Map(),
      emptiedProductIds: new Set(),
    })
  })
})

describe('stock that was seen without a lock', () => {
  const seen = (fields: Partial<StockCounters> = {}) => ({
    ...counters({ on_hand: 100, ...fields }),
    mode_changes: 3,
  })
  const twoVariants = [...unitsOf(1), { variant_id: 2, quantity: 1 }]
  const paid = (fields: object) => [
    { variant_id: 1, quantity: 2, reserved: 2, owed: 0, needsKeys: true, ...fields },
  ]
  test.each([
    ['plenty of it stays', [seen()], unitsOf(20, 30), { mode_changes: 3, available: 51 }],
    ['fewer than 50 units stay', [seen({ reserved: 1 })], unitsOf(20, 30), undefined],
    ['it has another variant', [seen(), seen({ variant_id: 2 })], twoVariants, undefined],
    ['it was not seen', [], unitsOf(1), undefined],
    [
      'it is not counted',
      [seen({ stock_mode: 'unlimited', on_hand: 0 })],
      unitsOf(1),
      { mode_changes: 3, available: null },
    ],
    [
      'the units are reserved already',
      [seen({ reserved: 50 })],
      paid({}),
      { mode_changes: 3, available: 1 },
    ],
    ['its keys are not its counted units', [seen({ stock_mode: 'manual' })], paid({}), undefined],
  ])('is relied on, or not, if %s', (_, stock, lines, expected) => {
    expect(expectPlenty(stock, lines)).toEqual(expected)
  })
})

const paidLine = (fields: Partial<PaidLine>): PaidLine => ({
  variant_id: 1,
  quantity: 1,
  reserved: 0,
  owed: 0,
  needsKeys: true,
  ...fields,
})

describe('a withdrawal for a paid line', () => {
  test('takes the reserved units of the line first, and then available units', () => {
    const plan = planServing(
      [counters({ on_hand: 5, reserved: 4 })],
      [paidLine({ quantity: 3, reserved: 2 })],
    )
    expect(plan).toEqual({
      served: [true],
      changes: new Map([[1, { on_hand: 3, reserved: 2, owed: 0, sold: 3 }]]),
      emptiedProductIds: new Set([counters({}).product_id]),
    })
  })

  test('takes no units that another order reserves, leaves the reservation of the line unchanged, and waits for the other units', () => {
    const plan = planServing(
      [counters({ on_hand: 5, reserved: 4 })],
      [paidLine({ quantity: 4, reserved: 2 })],
    )
    expect(plan).toEqual({
      served: [false],
      changes: new Map([[1, { on_hand: 0, reserved: 0, owed: -2, sold: 0 }]]),
      emptiedProductIds: new Set([counters({}).product_id]),
    })
  })

  test.each([
    ['is not served from units that another line waits for', { quantity: 1 }, false],
    ['is served from them if it waits itself', { quantity: 3, owed: 3 }, true],
    ['is served from the units that it reserves', { quantity: 1, reserved: 1 }, true],
  ])('%s', (_, line, isServed) => {
    const stock = counters({ on_hand: 4, reserved: 1, owed: 3 })
    expect(planServing([stock], [paidLine(line)]).served).toEqual([isServed])
  })

  test('takes unreserved units for each line of an order that waits', () => {
    const lines = [paidLine({ quantity: 2, owed: 2 }), paidLine({ quantity: 1, owed: 1 })]
    expect(planServing([counters({ on_hand: 3, owed: 5 })], lines)).toMatchObject({
      served: [true, true],
      changes: new Map([[1, { on_hand: 3, reserved: 0, owed: 3, sold: 3 }]]),
    })
  })
})

interface ModelOrder {
  quantity: number
  reserved: number
  owed: number
  isPaid: boolean
}

/** The expected state of one variant. */
interface Model {
  stock: StockCounters
  added_units: number
  sold: number
  /** The orders that are not served yet. */
  orders: ModelOrder[]
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('add'), units: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('order'), units: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('pay'), units: fc.nat(9) }),
  fc.record({ kind: fc.constant('deliver'), units: fc.nat(9) }),
  fc.record({ kind: fc.constant('end'), units: fc.nat(9) }),
  fc.record({ kind: fc.constant('pay_late'), units: fc.integer({ min: 1, max: 4 }) }),
)

const steps: Record<string, (model: Model, units: number) => void> = {
  add(model, units) {
    model.stock.on_hand += units
    model.added_units += units
  },

  order({ stock, orders }, units) {
    try {
      const { reserved, changes } = reserve([stock], unitsOf(units))
      stock.reserved += changes.get(1) ?? 0
      orders.push({ quantity: units, reserved: reserved[0] ?? 0, owed: 0, isPaid: false })
      if (!stock.allow_backorder) expect(reserved[0]).toBe(units)
    } catch (error) {
      // The order is refused only if there are too few units.
      expect(error).toMatchObject({ code: 'OUT_OF_STOCK' })
      expect(availableUnits(stock)).toBeLessThan(units)
    }
  },

  end({ stock, orders }, units) {
    const [endedOrder] = orders.splice(units % Math.max(1, orders.length), 1)
    stock.reserved -= endedOrder?.reserved ?? 0
    stock.owed -= endedOrder?.owed ?? 0
  },

  pay(model, units) {
    const unpaidOrders = model.orders.filter(({ isPaid }) => !isPaid)
    const order = unpaidOrders[units % Math.max(1, unpaidOrders.length)]
    if (order) pay(model, order)
  },

  pay_late(model, units) {
    const order = { quantity: units, reserved: 0, owed: 0, isPaid: false }
    model.orders.push(order)
    pay(model, order)
  },

  deliver(model, units) {
    const waitingOrders = model.orders.filter(({ isPaid }) => isPaid)
    const order = waitingOrders[units % Math.max(1, waitingOrders.length)]
    if (!order) return
    const { on_hand, reserved } = model.stock
    const hasEnough = on_hand - reserved + order.reserved >= order.quantity
    expect(takeStock(model, order)).toBe(hasEnough)
  },
}

function pay(model: Model, order: ModelOrder) {
  const heldBack = () => Math.min(model.stock.owed, model.stock.on_hand - model.stock.reserved)
  const heldBackBefore = heldBack()
  order.isPaid = true
  if (!takeStock(model, order)) order.owed = order.quantity - order.reserved
  expect(heldBack()).toBeGreaterThanOrEqual(heldBackBefore)
}

function takeStock(model: Model, order: ModelOrder): boolean {
  const plan = planServing([model.stock], [{ variant_id: 1, needsKeys: true, ...order }])
  const change = plan.changes.get(1) ?? { on_hand: 0, reserved: 0, owed: 0, sold: 0 }
  model.stock.on_hand -= change.on_hand
  model.stock.reserved -= change.reserved
  model.stock.owed -= change.owed
  model.sold += change.sold
  const isServed = plan.served[0] ?? false
  if (isServed) model.orders.splice(model.orders.indexOf(order), 1)
  return isServed
}

test.each([false, true])(
  'no sequence of orders, payments and cancellations makes stock negative or sells a unit twice (backorders: %s)',
  (allow_backorder) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (randomSteps) => {
        const model: Model = {
          stock: counters({ allow_backorder }),
          added_units: 0,
          sold: 0,
          orders: [],
        }
        for (const { kind, units } of randomSteps) {
          steps[kind]?.(model, units)
          const { stock, orders } = model
          expect(stock.on_hand).toBeGreaterThanOrEqual(0)
          expect(stock.reserved).toBeGreaterThanOrEqual(0)
          expect(stock.reserved).toBeLessThanOrEqual(stock.on_hand)
          expect(stock.reserved).toBe(orders.reduce((sum, order) => sum + order.reserved, 0))
          expect(stock.owed).toBe(orders.reduce((sum, order) => sum + order.owed, 0))
          expect(model.sold + stock.on_hand).toBe(model.added_units)
        }
      }),
      { numRuns: 500 },
    )
  },
)

describe('the return of a refunded line of two units', () => {
  const line = { variant_id: 1, quantity: 2, reserved: 0, owed: 0, served: true }
  test.each([
    ['keys, which are the stock', { stock_mode: 'calculated' }, 2, 2],
    ['one key, because the other one is burnt', { stock_mode: 'calculated' }, 1, 1],
    ['a set quantity', { stock_mode: 'manual' }, 0, 2],
    ['a set quantity beside keys', { stock_mode: 'manual' }, 2, 2],
    ['a quantity that is not counted', { stock_mode: 'manual', track_inventory: false }, 2, 0],
    ['unlimited stock', { stock_mode: 'unlimited' }, 2, 0],
  ])('of %s', (_, fields, keys, units) => {
    const { changes, added } = planReturn([counters(fields)], [line], new Map([[1, keys]]))
    expect(changes.get(1)).toEqual({
      on_hand: units === 0 ? 0 : -units,
      reserved: 0,
      owed: 0,
      sold: 0,
    })
    expect(added).toEqual(units === 0 ? [] : [{ product_id: 100, variant_id: 1, units }])
  })
})

test('a masked key shows its last four characters, or nothing if it is shorter than 12 characters', () => {
  expect(mask('ABCD-EFGH-1234')).toBe('••••1234')
  expect(mask('ABCDEFGH1234')).toBe('••••1234')
  expect(mask('ABCDEFG1234')).toBe('••••')
  expect(mask('1')).toBe('••••')
})
