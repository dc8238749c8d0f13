import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, untilDialogCloses } from './dashboard-harness.ts'

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let dashboard: OpenedDashboard
let context: BrowserContext
let ask: OpenedDashboard['ask']
/** The ids in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

beforeAll(async () => {
  dashboard = await openDashboard()
  ;({ context, ask } = dashboard)
  await createRecords()
})
afterAll(() => dashboard?.close())

/** Creates a record of each kind that the pages show. */
async function createRecords() {
  const { product } = await ask('POST', '/products', {
    ...{ name: 'Enamel mug', price_cents: 1450, type: 'physical', status: 'active' },
    variants: [
      { name: 'White', weight_grams: 320, stock_mode: 'manual', stock_quantity: 40 },
      { name: 'Blue', weight_grams: 320, stock_mode: 'manual', stock_quantity: 2 },
    ],
  })
  const onlyMug = { product_ids: [product.id] }
  const { category } = await ask('POST', '/categories', { name: 'Kitchen' })
  await ask('PUT', `/categories/${category.id}/products`, onlyMug)
  await ask('POST', '/categories', { name: 'Garden' })
  const { group } = await ask('POST', '/groups', { name: 'Mugs' })
  await ask('PUT', `/groups/${group.id}/products`, onlyMug)
  const { coupon } = await ask('POST', '/coupons', {
    ...{ code: 'SPRING', type: 'percentage', discount_percent: 10, max_uses_per_customer: 1 },
    ...onlyMug,
  })
  const tiers = [
    { min: 0, max: 2_000, price_cents: 490 },
    { min: 2_000, max: null, price_cents: 690 },
  ]
  const { zone } = await ask('POST', '/shipping/zones', {
    name: 'Germany',
    countries: ['DE'],
    rates: [{ name: 'Parcel', calc_type: 'weight', tiers }],
  })
  await ask('POST', '/shipping/zones', { name: 'Elsewhere', countries: ['*'] })
  await ask('POST', `/products/${product.id}/stock-alerts`, { email: 'mara@example.com' })
  ids = {
    product: product.id,
    category: category.id,
    group: group.id,
    coupon: coupon.id,
    zone: zone.id,
  }
}

const PATHS = [
  '/products/$product',
  '/products/$product/variants',
  '/products/$product/media',
  '/products/$product/delivery',
  '/products/$product/payment-methods',
  '/products/$product/seo',
  '/products/$product/stock',
  '/categories',
  '/categories/$category',
  '/groups',
  '/groups/$group',
  '/coupons',
  '/coupons/$coupon',
  '/settings/shipping',
  '/settings/shipping/zones/$zone',
  '/settings/shipping/locations',
]

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))

async function open(path: string): Promise<Page> {
  const page = await context.newPage()
  await dashboard.goTo(page, pathOf(path))
  return page
}

/** Presses a button with the keyboard. */
async function press(page: Page, name: string | RegExp) {
  const button = page.getByRole('button', { name, exact: true }).last()
  await button.focus()
  await page.keyboard.press('Enter')
}
const field = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true })

describe('pages of the catalogue and of shipping', () => {
  test('have no axe violations in either theme and do not scroll sideways', () =>
    dashboard.examine(PATHS.map(pathOf)))
})

describe('tasks of the catalogue', () => {
  test('a product gets two variants, a picture and a shipping zone with the keyboard', async () => {
    const page = await open('/products')
    await press(page, 'New product')
    await field(page, 'Name (required)').fill('Teapot')
    await page.getByLabel('Delivery (required)').selectOption('physical')
    await field(page, 'Price (required)').fill('39')
    await field(page, 'Price (required)').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Teapot' }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''

    await page.getByRole('link', { name: 'Variants', exact: true }).first().press('Enter')
    await press(page, 'Add variant')
    await field(page, 'Name (required)').fill('Large')
    await field(page, 'Price (required)').fill('49.50')
    await field(page, 'Stock').fill('12')
    await field(page, 'Weight in grams').fill('900')
    await field(page, 'Options').fill('L, Blue')
    await field(page, 'Options').press('Enter')
    await untilDialogCloses(page)
    await page.getByRole('cell', { name: '$49.50' }).waitFor()
    await press(page, 'Change stock')
    await field(page, 'Change in units (required)').fill('-2')
    await press(page, 'Remove 2 units')
    await untilDialogCloses(page)
    await press(page, 'Move Large up')
    await page.getByText('Moved to position 1 of 2.').waitFor({ state: 'attached' })

    await page.getByRole('link', { name: 'Media', exact: true }).press('Enter')
    await press(page, 'Upload a picture')
    const picture = { name: 'teapot.png', mimeType: 'image/png', buffer: PNG }
    await page.getByLabel('File (required)').setInputFiles(picture)
    await press(page, 'Upload')
    await untilDialogCloses(page)
    await page.getByText('Main picture').waitFor()

    const { product, variants, media } = await ask('GET', `/products/${id}`)
    expect(product).toMatchObject({ name: 'Teapot', price_cents: 3900, status: 'draft' })
    expect(media).toMatchObject([{ kind: 'image', is_main: true }])
    expect(variants).toMatchObject([
      { name: 'Large', price_cents: 4950, stock_quantity: 10, option_values: ['L', 'Blue'] },
      { name: 'Default', price_cents: 3900 },
    ])

    await dashboard.goTo(page, '/settings/shipping')
    await press(page, 'Add zone')
    await field(page, 'Name (required)').fill('Alps')
    await field(page, 'Countries').fill('Austria, CH')
    await page.getByText('Ships to: Austria and Switzerland').waitFor()
    await field(page, 'Name (required)').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Alps' }).waitFor()
    await press(page, 'Add rate')
    await field(page, 'Name (required)').fill('Post')
    await page.getByLabel('Price by (required)').selectOption('weight')
    await page.getByRole('textbox', { name: /^To \(kg\)/ }).fill('2.5')
    await page.getByRole('textbox', { name: /^Price \(USD\)/ }).fill('6.90')
    await press(page, 'Save rate')
    await untilDialogCloses(page)
    await page.getByLabel('Product', { exact: true }).selectOption({ label: 'Enamel mug · Blue' })
    await page.getByLabel('Quantity').fill('2')
    await page.getByText('0.64 kg to Austria:').waitFor()
    await page.locator('.receipt').getByText('$6.90').waitFor()
    const { zones } = await ask('GET', '/shipping/zones')
    expect(zones.at(-1)).toMatchObject({
      name: 'Alps',
      countries: ['AT', 'CH'],
      rates: [{ name: 'Post', tiers: [{ min: 0, max: 2_500, price_cents: 690 }] }],
    })
    await page.close()
  })

  test('the second of two windows that change the same field shows both values, and its user decides', async () => {
    const [myPage, theirPage] = [await open('/products/$product'), await open('/products/$product')]
    const path = `/products/${ids.product}`
    const edit = async (page: Page) => {
      await page.getByRole('button', { name: 'Edit' }).first().click()
      await page.getByRole('dialog').waitFor()
    }
    const save = (page: Page) => page.getByRole('button', { name: 'Publish changes' }).click()
    await edit(myPage)
    await edit(theirPage)
    await field(theirPage, 'Price (required)').fill('9')
    await field(theirPage, 'SKU').fill('MUG')
    await save(theirPage)
    await untilDialogCloses(theirPage)

    await field(myPage, 'Price (required)').fill('12')
    await save(myPage)
    await myPage.getByText(/^You changed this in another window .+\.$/).waitFor()
    await myPage.getByRole('cell', { name: '$12.00' }).waitFor()
    await myPage.getByRole('cell', { name: '$9.00' }).waitFor()
    expect((await ask('GET', path)).product.price_cents).toBe(900)
    await myPage.getByRole('button', { name: 'Keep mine' }).click()
    await untilDialogCloses(myPage)
    // The field that only the other window changed keeps its new value.
    expect((await ask('GET', path)).product).toMatchObject({ price_cents: 1200, sku: 'MUG' })

    await edit(myPage)
    await field(myPage, 'Name (required)').fill('My mug')
    await ask('PATCH', path, { name: 'Their mug' })
    await save(myPage)
    await myPage.getByRole('button', { name: 'Take theirs' }).click()
    await untilDialogCloses(myPage)
    await myPage.getByRole('heading', { level: 1, name: 'Their mug' }).waitFor()
    expect((await ask('GET', path)).product.name).toBe('Their mug')
    await myPage.close()
    await theirPage.close()
  })

  test('the buttons of a variant are in a group that its name describes, as those of every row are', async () => {
    const page = await open('/products/$product/variants')
    const { variants } = await ask('GET', `/products/${ids.product}/variants`)
    for (const { name } of variants) {
      const row = page.getByRole('row').filter({ hasText: name })
      const group = row.getByRole('group')
      await group.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      const id = await group.getAttribute('aria-describedby')
      expect(await page.locator(`[id="${id}"]`).textContent()).toContain(name)
    }
    await page.close()
  })

  test('the form of a variant that another user changed meanwhile shows both values', async () => {
    const page = await open('/products/$product/variants')
    const { variants } = await ask('GET', `/products/${ids.product}/variants`)
    await page.getByRole('button', { name: 'Edit' }).last().click()
    await field(page, 'SKU').fill('MINE')
    await ask('PATCH', `/products/${ids.product}/variants/${variants.at(-1).id}`, { sku: 'THEIRS' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'THEIRS' }).first().waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await untilDialogCloses(page)
    await page.getByRole('cell', { name: 'MINE' }).waitFor()
    await page.close()
  })
})
