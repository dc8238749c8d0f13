import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../process/spawn-server.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let installation: Installation
let server: Server
let browser: Browser
let context: BrowserContext
/** The ids that stand in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const target = { origin: server.origin, store: server.test.id, key: server.test.api_key ?? '' }
  const { status, json } = await call(target, method, path, body === undefined ? {} : { body })
  if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
  return json
}
const at = (path: string) => `${server.origin}/dashboard/${server.test.id}${path}`

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(/http\S+sign-in\?token=\S+/.exec(server.stdout())?.[0] ?? '')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.close()
  await stockUp()
})
afterAll(async () => {
  await browser?.close()
  await installation?.close()
})

/** A record of each kind that the pages show. */
async function stockUp() {
  const { product } = await ask('POST', '/products', {
    ...{ name: 'Enamel mug', price_cents: 1450, type: 'physical', status: 'active' },
    variants: [
      { name: 'White', weight_grams: 320, stock_mode: 'manual', stock_quantity: 40 },
      { name: 'Blue', weight_grams: 320, stock_mode: 'manual', stock_quantity: 2 },
    ],
  })
  const inside = { product_ids: [product.id] }
  const { category } = await ask('POST', '/categories', { name: 'Kitchen' })
  await ask('PUT', `/categories/${category.id}/products`, inside)
  await ask('POST', '/categories', { name: 'Garden' })
  const { group } = await ask('POST', '/groups', { name: 'Mugs' })
  await ask('PUT', `/groups/${group.id}/products`, inside)
  const { coupon } = await ask('POST', '/coupons', {
    ...{ code: 'SPRING', type: 'percentage', discount_percent: 10, max_uses_per_customer: 1 },
    ...inside,
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
  '/products/$product/stock-alerts',
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

const filled = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))

async function open(path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(at(filled(path)))
  await page.locator('h1').waitFor()
  return page
}

/** Uses a button as a keyboard does. */
async function press(page: Page, name: string | RegExp) {
  const button = page.getByRole('button', { name, exact: true }).last()
  await button.focus()
  await page.keyboard.press('Enter')
}
const field = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true })
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

describe('pages of the catalogue and of shipping', () => {
  const views = [320, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  )
  test.each(views)(
    'at $width px in $colorScheme have no fault that axe finds, and do not scroll sideways',
    async ({ width, colorScheme }) => {
      const storageState = await context.storageState()
      const view = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true, storageState }
      const viewed = await browser.newContext(view)
      const page = await viewed.newPage()
      for (const path of PATHS.map(filled)) {
        await page.goto(at(path))
        await page.locator('h1').waitFor()
        await page.waitForFunction("document.querySelector('.skeleton') === null")
        expect(await page.locator('.failure').count(), path).toBe(0)
        await page.evaluate(AXE)
        const { violations } = (await page.evaluate('axe.run()')) as Json
        const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`)
        expect(found, path).toEqual([])
        const wide = 'document.documentElement.scrollWidth - window.innerWidth'
        expect(await page.evaluate(wide), path).toBeLessThanOrEqual(0)
      }
      await viewed.close()
    },
  )
})

describe('journeys', () => {
  test('a product gets two variants, a picture and a shipping zone by keyboard', async () => {
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
    await closed(page)
    await page.getByRole('cell', { name: '$49.50' }).waitFor()
    await press(page, 'Change stock')
    await field(page, 'Units more, or fewer (required)').fill('-2')
    await press(page, 'Take 2 units away')
    await closed(page)
    await press(page, 'Move Large up')
    await page.getByText('Moved to place 1 of 2.').waitFor({ state: 'attached' })

    await page.getByRole('link', { name: 'Media', exact: true }).press('Enter')
    await press(page, 'Upload a picture')
    const picture = { name: 'teapot.png', mimeType: 'image/png', buffer: PNG }
    await page.getByLabel('File (required)').setInputFiles(picture)
    await press(page, 'Upload')
    await closed(page)
    await page.getByText('Main picture').waitFor()

    const { product, variants, media } = await ask('GET', `/products/${id}`)
    expect(product).toMatchObject({ name: 'Teapot', price_cents: 3900, status: 'draft' })
    expect(media).toMatchObject([{ kind: 'image', is_main: true }])
    expect(variants).toMatchObject([
      { name: 'Large', price_cents: 4950, stock_quantity: 10, option_values: ['L', 'Blue'] },
      { name: 'Default', price_cents: 3900 },
    ])

    await page.goto(at('/settings/shipping'))
    await press(page, 'Add zone')
    await field(page, 'Name (required)').fill('Alps')
    await field(page, 'Countries').fill('Austria, CH')
    await page.getByText('It goes to: Austria and Switzerland').waitFor()
    await field(page, 'Name (required)').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Alps' }).waitFor()
    await press(page, 'Add rate')
    await field(page, 'Name (required)').fill('Post')
    await page.getByLabel('Price by (required)').selectOption('weight')
    await page.getByRole('textbox', { name: /^To \(kg\)/ }).fill('2.5')
    await page.getByRole('textbox', { name: /^Price \(USD\)/ }).fill('6.90')
    await press(page, 'Save rate')
    await closed(page)
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

  test('if two users edit the same field, the second sees both values and decides', async () => {
    const [mine, theirs] = [await open('/products/$product'), await open('/products/$product')]
    const path = `/products/${ids.product}`
    const edit = async (page: Page) => {
      await page.getByRole('button', { name: 'Edit' }).first().click()
      await page.getByRole('dialog').waitFor()
    }
    const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
    await edit(mine)
    await edit(theirs)
    await field(theirs, 'Price (required)').fill('9')
    await field(theirs, 'SKU').fill('MUG')
    await save(theirs)
    await closed(theirs)

    await field(mine, 'Price (required)').fill('12')
    await save(mine)
    await mine.getByText('Somebody changed this while you were editing.').waitFor()
    await mine.getByRole('cell', { name: '$12.00' }).waitFor()
    await mine.getByRole('cell', { name: '$9.00' }).waitFor()
    expect((await ask('GET', path)).product.price_cents).toBe(900)
    await mine.getByRole('button', { name: 'Keep mine' }).click()
    await closed(mine)
    // A field that only the other user changed is kept.
    expect((await ask('GET', path)).product).toMatchObject({ price_cents: 1200, sku: 'MUG' })

    await edit(mine)
    await field(mine, 'Name (required)').fill('My mug')
    await ask('PATCH', path, { name: 'Their mug' })
    await save(mine)
    await mine.getByRole('button', { name: 'Take theirs' }).click()
    await closed(mine)
    await mine.getByRole('heading', { level: 1, name: 'Their mug' }).waitFor()
    expect((await ask('GET', path)).product.name).toBe('Their mug')
    await mine.close()
    await theirs.close()
  })

  test('a variant that was changed meanwhile shows both values too', async () => {
    const page = await open('/products/$product/variants')
    const { variants } = await ask('GET', `/products/${ids.product}/variants`)
    await page.getByRole('button', { name: 'Edit' }).last().click()
    await field(page, 'SKU').fill('MINE')
    await ask('PATCH', `/products/${ids.product}/variants/${variants.at(-1).id}`, { sku: 'THEIRS' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'THEIRS' }).first().waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await closed(page)
    await page.getByRole('cell', { name: 'MINE' }).waitFor()
    await page.close()
  })
})
