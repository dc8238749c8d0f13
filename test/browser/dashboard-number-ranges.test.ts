import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

/** Forms refuse a number that the API would refuse, before it is sent, in the words of the seller. */

let dashboard: OpenedDashboard
let productPath: string
let zonePath: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const { product } = await ask('POST', '/products', {
    ...{ name: 'Mug', type: 'physical', price_cents: 900, status: 'active' },
  })
  productPath = `/products/${product.id}`
  const { zone } = await ask('POST', '/shipping/zones', {
    name: 'Alps',
    countries: ['AT'],
    rates: [{ name: 'Letter', calc_type: 'flat', price_cents: 490 }],
  })
  zonePath = `/settings/shipping/zones/${zone.id}`
})
afterAll(() => dashboard?.close())

interface Range {
  form: string
  path: () => string
  button: string
  /** The choices that show the field. */
  choices?: Record<string, string>
  /** The beginning of the label. */
  field: string
  refused: readonly string[]
  text: string
}

const COUPON = { form: 'a coupon', path: () => '/coupons', button: 'New coupon' }
const VARIANT = { form: 'a variant', path: () => productPath, button: 'Add variant' }
const RATE = { form: 'a shipping rate', path: () => zonePath, button: 'Add rate' }
const SETTINGS = { form: 'settings', path: () => '/settings/store', button: 'Change settings' }
const FIXED = { choices: { Kind: 'fixed' } }

const RANGES: readonly Range[] = [
  { ...COUPON, field: 'Percent off', refused: ['0', '100.5'], text: 'Use 0.01 to 100.' },
  { ...COUPON, ...FIXED, field: 'Amount off', refused: ['0'], text: 'Use $0.01 or more.' },
  { ...COUPON, field: 'Maximum uses', refused: ['0'], text: 'Use 1 to 1,000,000,000.' },
  { ...VARIANT, field: 'Price', refused: ['-1'], text: 'Use $0.00 or more.' },
  {
    ...{ ...VARIANT, field: 'Price', refused: ['1000000000'] },
    text: 'Use $0.00 to $999,999,999.99.',
  },
  { ...VARIANT, field: 'Weight', refused: ['-1'], text: 'Use 0 to 1,000,000,000.' },
  { ...RATE, field: 'Earliest arrival', refused: ['-1', '366'], text: 'Use 0 to 365.' },
  { ...RATE, field: 'Price', refused: ['-1'], text: 'Use $0.00 or more.' },
  { ...SETTINGS, field: 'Minutes until', refused: ['14'], text: 'Use 15 to 10,080.' },
  { ...SETTINGS, field: 'Days until an automatic', refused: ['0', '31'], text: 'Use 1 to 30.' },
  { ...SETTINGS, field: 'Days to request', refused: ['366'], text: 'Use 0 to 365.' },
  { ...SETTINGS, field: 'Days to request', refused: ['1.5'], text: 'Use a whole number.' },
  { ...COUPON, field: 'Maximum uses', refused: ['2.5'], text: 'Use a whole number.' },
  { ...VARIANT, field: 'Weight', refused: ['0.5'], text: 'Use a whole number.' },
  {
    ...{ ...VARIANT, field: 'SKU', refused: ['S'.repeat(65)] },
    text: 'Use at most 64 characters. These are 65.',
  },
  {
    ...{ ...COUPON, field: 'Code', refused: ['C'.repeat(65)] },
    text: 'Use at most 64 characters. These are 65.',
  },
  {
    ...{ ...VARIANT, field: 'Name', refused: ['N'.repeat(129)] },
    text: 'Use at most 128 characters. These are 129.',
  },
]

/** Returns a growing list of the changes that the page sends. */
function recordChanges(page: Page): string[] {
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(`${request.method()} ${request.url()}`)
  })
  return changes
}

test.each(RANGES)(
  '$field of $form is refused at its field with a value outside of its limits',
  ({ path, button, choices = {}, field, refused, text }) =>
    dashboard.on(path(), async (page) => {
      const changes = recordChanges(page)
      await page.getByRole('button', { name: button, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      for (const [label, value] of Object.entries(choices)) {
        await dialog.getByRole('combobox', { name: label }).first().selectOption(value)
      }
      for (const typed of refused) {
        await dialog.getByRole('textbox', { name: field }).first().fill(typed)
        await dialog.locator('button[type=submit]').click()
        await dialog.locator('.field', { hasText: field }).getByText(text).waitFor()
      }
      expect(changes).toEqual([])
    }),
)

test('a band of a shipping rate is refused with a weight or a price below 0', () =>
  dashboard.on(zonePath, async (page) => {
    await page.getByRole('button', { name: 'Add rate', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Price by' }).selectOption('weight')
    await dialog.locator('.tier input').nth(2).fill('-4')
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('Use $0.00 or more.').waitFor()
    await dialog.locator('.tier input').nth(0).fill('-4')
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('Use 0 or more.').waitFor()
  }))

test('the API names the range of the discount of a coupon, which 0 is not in', async () => {
  for (const discount_percent of [0, 101]) {
    const coupon = { code: 'ZERO', type: 'percentage', discount_percent }
    await expect(dashboard.ask('POST', '/coupons', coupon)).rejects.toThrow('Use 0.01 to 100.')
  }
})
