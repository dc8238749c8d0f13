import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import type { NewProduct } from './schema.ts'
import { planVariants } from './variants.rules.ts'

const plan = (fields: Partial<NewProduct>, type: Parameters<typeof planVariants>[1] = 'serial') =>
  planVariants({ name: 'Game', ...fields } as NewProduct, type)

function refusal(fields: Partial<NewProduct>) {
  try {
    plan(fields)
  } catch (error) {
    if (error instanceof Refusal) return error.details
    throw error
  }
  return undefined
}

test('without variants one is made: "Default", with the price and the type of the product', () => {
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
] as const)('stock of a %s variant is %s by default', (type, stock_mode) => {
  expect(plan({ price_cents: 1 }, type).variants[0]?.stock_mode).toBe(stock_mode)
})

describe('which one is the default', () => {
  const defaults = (fields: Partial<NewProduct>) =>
    plan(fields).variants.map((variant) => variant.is_default)

  test('the first if none is marked, else the marked one', () => {
    const [a, b] = [{ name: 'A' }, { name: 'B' }]
    expect(defaults({ price_cents: 1, variants: [a, b] })).toEqual([true, false])
    const second = [a, { ...b, is_default: true }]
    expect(defaults({ price_cents: 1, variants: second })).toEqual([false, true])
  })

  test('two are refused, and the second is named', () => {
    const both = [{ name: 'A', is_default: true }, { name: 'B' }, { name: 'C', is_default: true }]
    expect(refusal({ price_cents: 1, variants: both })).toMatchObject({
      field: 'variants[2].is_default',
    })
  })
})

describe('prices', () => {
  test("a variant without one takes the product's, and the default's is the product's", () => {
    const { variants, price_cents } = plan({
      price_cents: 900,
      variants: [{ name: 'A' }, { name: 'B', price_cents: 1500 }],
    })
    expect(price_cents).toBe(900)
    expect(variants.map((variant) => variant.price_cents)).toEqual([900, 1500])
  })

  test("without a price of the product, it is the default variant's, and others may take it", () => {
    const { variants, price_cents } = plan({
      variants: [{ name: 'A' }, { name: 'B', price_cents: 1500, is_default: true }],
    })
    expect(price_cents).toBe(1500)
    expect(variants.map((variant) => variant.price_cents)).toEqual([1500, 1500])
  })

  test('no price anywhere names the field to fill', () => {
    expect(refusal({})).toMatchObject({ field: 'price_cents' })
    expect(refusal({ variants: [{ name: 'A' }, { name: 'B', price_cents: 5 }] })).toMatchObject({
      field: 'variants[0].price_cents',
    })
  })

  test("a price of the product that is not its default variant's is refused, and says what to write", () => {
    const variants = [{ name: 'A' }, { name: 'B', price_cents: 2000, is_default: true }]
    expect(refusal({ price_cents: 1000, variants })).toEqual({ field: 'price_cents' })
    expect(() => plan({ price_cents: 1000, variants })).toThrow(
      'variants[1] is the default one and costs 2000; write 2000 here too, or leave this out.',
    )
    expect(plan({ price_cents: 2000, variants })).toMatchObject({
      price_cents: 2000,
      variants: [{ price_cents: 2000 }, { price_cents: 2000 }],
    })
  })
})

describe('slugs', () => {
  const slugs = (...variants: { name: string; slug?: string }[]) =>
    plan({ price_cents: 1, variants }).variants.map((variant) => variant.slug)

  test('one that is made is numbered where a sibling has it', () => {
    expect(slugs({ name: 'Été' }, { name: 'ete' }, { name: 'Ete!' })).toEqual([
      'ete',
      'ete-2',
      'ete-3',
    ])
    expect(slugs({ name: '★' }, { name: '☆' })).toEqual(['variant', 'variant-2'])
  })

  test('one that was sent is refused where a sibling has it', () => {
    const twice = [
      { name: 'A', slug: 'x' },
      { name: 'B', slug: 'x' },
    ]
    expect(refusal({ price_cents: 1, variants: twice })).toMatchObject({
      field: 'variants[1].slug',
      reason: 'taken',
    })
  })

  test('one that was sent is kept, although a sibling before it would make the same of its name', () => {
    expect(slugs({ name: 'X' }, { name: 'B', slug: 'x' })).toEqual(['x-2', 'x'])
  })
})

describe('stock', () => {
  test.each([
    [
      'counts keys that only serial variants have',
      { delivery_type: 'file', stock_mode: 'calculated' },
      'stock_mode',
    ],
    ['takes a quantity though keys are counted', { stock_quantity: 5 }, 'stock_quantity'],
    [
      'takes a quantity though stock never ends',
      { delivery_type: 'file', stock_quantity: 5 },
      'stock_quantity',
    ],
  ] as const)('a variant that %s is refused', (_, fields, field) => {
    const variants = [{ name: 'A' }, { name: 'B', ...fields }]
    expect(refusal({ price_cents: 1, variants })).toMatchObject({ field: `variants[1].${field}` })
  })

  test('a quantity kept by the seller is taken', () => {
    const variants = [{ name: 'A', stock_mode: 'manual' as const, stock_quantity: 5 }]
    expect(plan({ price_cents: 1, variants }).variants[0]?.stock_quantity).toBe(5)
  })
})
