import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/refusal.ts'
import type { NewProduct } from './schema.ts'
import { planVariants } from './variants.rules.ts'

const plan = (fields: Partial<NewProduct>, type: Parameters<typeof planVariants>[1] = 'serial') =>
  planVariants({ name: 'Game', ...fields } as NewProduct, type)

const refusedDetails = (fields: Partial<NewProduct>) => refusalOf(() => plan(fields))?.details

test('a product without variants gets the variant "Default" with its price and type', () => {
  const { variants, price_cents } = plan({ price_cents: 500 }, 'service')
  expect(price_cents).toBe(500)
  expect(variants).toEqual([
    expect.objectContaining({
      name: 'Default',
      slug: 'default',
      is_default: true,
      active: true,
      price_cents: 500,
      delivery_type: 'service',
      stock_mode: 'unlimited',
      sort_order: 0,
    }),
  ])
})

test.each([
  ['serial', 'calculated'],
  ['file', 'unlimited'],
  ['service', 'unlimited'],
  ['dynamic', 'unlimited'],
  ['license', 'unlimited'],
  ['physical', 'manual'],
] as const)('the stock of a %s variant is %s by default', (type, stock_mode) => {
  expect(plan({ price_cents: 1 }, type).variants[0]?.stock_mode).toBe(stock_mode)
})

describe('the default variant', () => {
  const defaults = (fields: Partial<NewProduct>) =>
    plan(fields).variants.map((variant) => variant.is_default)

  test('is the variant with is_default, or else the first variant', () => {
    const [first, second] = [{ name: 'A' }, { name: 'B' }]
    expect(defaults({ price_cents: 1, variants: [first, second] })).toEqual([true, false])
    const markedVariants = [first, { ...second, is_default: true }]
    expect(defaults({ price_cents: 1, variants: markedVariants })).toEqual([false, true])
  })

  test('is the only one with is_default; a second is_default is refused', () => {
    const twoDefaults = [
      { name: 'A', is_default: true },
      { name: 'B' },
      { name: 'C', is_default: true },
    ]
    expect(refusedDetails({ price_cents: 1, variants: twoDefaults })).toMatchObject({
      field: 'variants[2].is_default',
    })
  })
})

describe('the price', () => {
  test('of a variant without a price is the price of the product', () => {
    const { variants, price_cents } = plan({
      price_cents: 900,
      variants: [{ name: 'A' }, { name: 'B', price_cents: 1500 }],
    })
    expect(price_cents).toBe(900)
    expect(variants.map((variant) => variant.price_cents)).toEqual([900, 1500])
  })

  test('is that of the default variant if the product has none, and variants without a price get it too', () => {
    const { variants, price_cents } = plan({
      variants: [{ name: 'A' }, { name: 'B', price_cents: 1500, is_default: true }],
    })
    expect(price_cents).toBe(1500)
    expect(variants.map((variant) => variant.price_cents)).toEqual([1500, 1500])
  })

  test('is required for the product or its default variant, and the error names the field to set', () => {
    expect(refusedDetails({})).toMatchObject({ field: 'price_cents' })
    expect(
      refusedDetails({ variants: [{ name: 'A' }, { name: 'B', price_cents: 5 }] }),
    ).toMatchObject({
      field: 'variants[0].price_cents',
    })
  })

  test('of a product must equal the price of its default variant, and the error says what to send', () => {
    const variants = [{ name: 'A' }, { name: 'B', price_cents: 2000, is_default: true }]
    expect(refusedDetails({ price_cents: 1000, variants })).toEqual({ field: 'price_cents' })
    expect(() => plan({ price_cents: 1000, variants })).toThrow(
      'variants[1] is the default one and costs 2000; write 2000 here too, or leave this out.',
    )
    expect(plan({ price_cents: 2000, variants })).toMatchObject({
      price_cents: 2000,
      variants: [{ price_cents: 2000 }, { price_cents: 2000 }],
    })
  })
})

describe('the slug of a variant', () => {
  const slugs = (...variants: { name: string; slug?: string }[]) =>
    plan({ price_cents: 1, variants }).variants.map((variant) => variant.slug)

  test('gets a number if a sibling has the same slug', () => {
    expect(slugs({ name: 'Été' }, { name: 'ete' }, { name: 'Ete!' })).toEqual([
      'ete',
      'ete-2',
      'ete-3',
    ])
    expect(slugs({ name: '★' }, { name: '☆' })).toEqual(['variant', 'variant-2'])
  })

  test('is refused if it is sent for two variants', () => {
    const twins = [
      { name: 'A', slug: 'x' },
      { name: 'B', slug: 'x' },
    ]
    expect(refusedDetails({ price_cents: 1, variants: twins })).toMatchObject({
      field: 'variants[1].slug',
      reason: 'taken',
    })
  })

  test('is stored as it was sent, even if an earlier sibling would generate the same slug', () => {
    expect(slugs({ name: 'X' }, { name: 'B', slug: 'x' })).toEqual(['x-2', 'x'])
  })
})

describe('the stock', () => {
  test.each([
    [
      'counted by keys, for a variant that is not serial,',
      { delivery_type: 'file', stock_mode: 'calculated' },
      'stock_mode',
    ],
    [
      'of a variant that is counted by keys, sent as a quantity,',
      { stock_quantity: 5 },
      'stock_quantity',
    ],
    [
      'of an unlimited variant, sent as a quantity,',
      { delivery_type: 'file', stock_quantity: 5 },
      'stock_quantity',
    ],
  ] as const)('%s is refused', (_, fields, field) => {
    const variants = [{ name: 'A' }, { name: 'B', ...fields }]
    expect(refusedDetails({ price_cents: 1, variants })).toMatchObject({
      field: `variants[1].${field}`,
    })
  })

  test('of a variant with the stock mode manual may have a quantity', () => {
    const variants = [{ name: 'A', stock_mode: 'manual' as const, stock_quantity: 5 }]
    expect(plan({ price_cents: 1, variants }).variants[0]?.stock_quantity).toBe(5)
  })
})
