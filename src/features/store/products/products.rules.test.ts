import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { asNewProduct, methodsOf, planMethods } from './products.rules.ts'
import type { NewProduct } from './schema.ts'

function fieldOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.field
    throw error
  }
  return undefined
}

const made = (fields: Partial<NewProduct> = {}) =>
  asNewProduct({ name: 'Game', ...fields } as NewProduct, 'EUR', 1000)

test('a new product is what decision 26 says where the seller does not', () => {
  expect(made()).toEqual({
    name: 'Game',
    type: 'serial',
    product_kind: 'single',
    status: 'active',
    active: true,
    visibility: 'public',
    price_cents: 1000,
    discount_percent: 0,
    currency: 'EUR',
    accepts_coupons: true,
    min_qty: 1,
    max_qty: null,
    sell_limit: null,
    requires_shipping: false,
    sku: null,
    delivery_note: null,
    best_seller: false,
    metadata: {},
    stock_alert_threshold: null,
  })
})

test('a physical product is shipped unless the seller says otherwise', () => {
  expect(made({ type: 'physical' }).requires_shipping).toBe(true)
  expect(made({ type: 'physical', requires_shipping: false }).requires_shipping).toBe(false)
})

test('another currency than that of the store, and a max_qty below min_qty, are refused', () => {
  expect(fieldOf(() => made({ currency: 'USD' }))).toBe('currency')
  expect(fieldOf(() => made({ currency: 'EUR' }))).toBeUndefined()
  expect(fieldOf(() => made({ min_qty: 3, max_qty: 2 }))).toBe('max_qty')
  expect(fieldOf(() => made({ min_qty: 3, max_qty: 3 }))).toBeUndefined()
})

describe('payment methods', () => {
  test('are enabled at first if they are connected; `test` is one on the test side only (decision 125)', () => {
    expect(methodsOf(true)).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance'])
    expect(methodsOf(false)).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance', 'test'])
    const enabled = planMethods(true, []).filter((method) => method.enabled)
    expect(enabled.map(({ method }) => method)).toEqual(['manual', 'balance'])
  })

  test('that are not named keep their state', () => {
    const before = planMethods(true, [], [{ method: 'card', enabled: true }])
    const after = planMethods(true, before, [{ method: 'crypto', enabled: false }])
    expect(after).toEqual([
      { method: 'manual', enabled: true },
      { method: 'crypto', enabled: false },
      { method: 'card', enabled: true },
      { method: 'paypal', enabled: false },
      { method: 'balance', enabled: true },
    ])
  })

  test('that the store does not have are refused by their place', () => {
    const sent = [
      { method: 'card' as const, enabled: true },
      { method: 'test' as const, enabled: true },
    ]
    expect(fieldOf(() => planMethods(true, [], sent))).toBe('methods[1].method')
    expect(fieldOf(() => planMethods(false, [], sent))).toBeUndefined()
  })
})
