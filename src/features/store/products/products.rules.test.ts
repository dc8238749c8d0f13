import { describe, expect, test } from 'vitest'
import { refusedField } from '../../../../test/refusal.ts'
import { methodsOf } from '../../../kernel/payment-methods.ts'
import { allMethods, changedMethods, newProductRow } from './products.rules.ts'
import type { NewProduct } from './schema.ts'

const newRow = (fields: Partial<NewProduct> = {}) =>
  newProductRow({ name: 'Game', ...fields } as NewProduct, 'EUR', 1000)

test('a new product has the defaults of decision 26', () => {
  expect(newRow()).toEqual({
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

test('a physical product is shipped unless the seller sets it otherwise', () => {
  expect(newRow({ type: 'physical' }).requires_shipping).toBe(true)
  expect(newRow({ type: 'physical', requires_shipping: false }).requires_shipping).toBe(false)
})

test('a currency other than that of the store, and a max_qty below min_qty, are refused', () => {
  expect(refusedField(() => newRow({ currency: 'USD' }))).toBe('currency')
  expect(refusedField(() => newRow({ currency: 'EUR' }))).toBeUndefined()
  expect(refusedField(() => newRow({ min_qty: 3, max_qty: 2 }))).toBe('max_qty')
  expect(() => newRow({ min_qty: 3, max_qty: 2 })).toThrow('Use min_qty (3) or more, or null.')
  expect(refusedField(() => newRow({ min_qty: 3, max_qty: 3 }))).toBeUndefined()
})

const LIVE = { livemode: true, payment_providers: [] as string[] }
const TEST = { livemode: false, payment_providers: ['test'] }

describe('payment methods', () => {
  test('are enabled by default while they are connected, and only the test side has `test` (decision 125)', () => {
    expect(methodsOf(true)).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance'])
    expect(methodsOf(false)).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance', 'test'])
    const enabledNames = (store: typeof LIVE) =>
      allMethods(store, []).flatMap(({ method, enabled }) => (enabled ? [method] : []))
    expect(enabledNames(LIVE)).toEqual(['manual', 'balance'])
    expect(enabledNames({ ...LIVE, payment_providers: ['stripe'] })).toEqual([
      'manual',
      'card',
      'balance',
    ])
  })

  test('that are not sent keep their setting', () => {
    const before = changedMethods(LIVE, [], [{ method: 'card', enabled: true }])
    const after = changedMethods(LIVE, before, [{ method: 'crypto', enabled: false }])
    expect(after).toEqual([
      { method: 'crypto', enabled: false },
      { method: 'card', enabled: true },
    ])
    expect(allMethods(LIVE, after)).toEqual([
      { method: 'manual', enabled: true },
      { method: 'crypto', enabled: false },
      { method: 'card', enabled: true },
      { method: 'paypal', enabled: false },
      { method: 'balance', enabled: true },
    ])
  })

  test('that the store does not have are refused, and the error has their position', () => {
    const methods = [
      { method: 'card' as const, enabled: true },
      { method: 'test' as const, enabled: true },
    ]
    expect(refusedField(() => changedMethods(LIVE, [], methods))).toBe('methods[1].method')
    expect(refusedField(() => changedMethods(TEST, [], methods))).toBeUndefined()
  })
})
