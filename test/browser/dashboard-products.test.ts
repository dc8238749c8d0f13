import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import {
  type OpenedDashboard,
  openDashboard,
  tabTo,
  untilDialogCloses,
  WAIT_MS,
} from './dashboard-harness.ts'
import { PNG } from './selling-records.ts'

/** The pages for sales forecasts, contents of bundles, billing, and amounts of coupons. */

let dashboard: OpenedDashboard
let game: Json
let bundle: Json
/** The ids in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const create = async (fields: Json) =>
    ask('POST', '/products', { price_cents: 2_000, status: 'active', ...fields })
  game = await create({ name: 'Space Game', type: 'serial' })
  const [pool] = game.variants
  const keys = Array.from({ length: 12 }, (_, n) => `SPACE-${n}`)
  await ask('POST', `/products/${game.product.id}/variants/${pool.id}/keys`, { keys })
  const mug = await create({
    ...{ name: 'Enamel mug', type: 'physical', price_cents: 900 },
    variants: [{ name: 'White', price_cents: 900, stock_mode: 'manual', stock_quantity: 1 }],
  })
  const club = await create({ name: 'Club', type: 'service', product_kind: 'subscription' })
  bundle = await create({ name: 'Starter set', type: 'service', product_kind: 'bundle' })
  const { coupon } = await ask('POST', '/coupons', {
    ...{ code: 'SPRING', type: 'percentage', discount_percent: 10 },
  })
  const createPaidOrder = (id: string, quantity: number, fields: Json = {}) =>
    ask('POST', '/orders', {
      items: [{ product_id: id, quantity }],
      customer: { email: 'mara@example.com', country: 'DE' },
      mark_paid: true,
      ...fields,
    })
  await createPaidOrder(game.product.id, 2, { coupon_code: 'SPRING' })
  await createPaidOrder(mug.product.id, 1)
  const question = { customer_email: 'mara@example.com', body: 'Does it run offline?' }
  await ask('POST', '/questions', { product_id: game.product.id, ...question })
  ids = {
    game: game.product.id,
    pool: pool.id,
    mug: mug.product.id,
    club: club.product.id,
    bundle: bundle.product.id,
    coupon: coupon.id,
  }
})
afterAll(() => dashboard?.close())

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
async function open(path: string): Promise<Page> {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, pathOf(path))
  return page
}
const dialogOf = (page: Page) => page.getByRole('dialog')

const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name })
const readBundleItems = async (): Promise<Json[]> =>
  (await dashboard.ask('GET', `/products/${ids.bundle}/bundle`)).bundle.items

const PATHS = [
  '/products',
  '/products/$game',
  '/products/$game?copy_of=$mug',
  '/products/$game/questions',
  '/products/$mug/questions',
  '/products/$bundle/contents',
  '/products/$club/billing',
  '/products/$game/variants/$pool/keys',
  '/stock',
  '/stock/pools',
  '/coupons',
  '/coupons/$coupon',
  '/analytics',
  '/exports',
  '/categories',
]

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine(PATHS.map(pathOf)))

describe('the page of a draft', () => {
  test('shows variants and pictures too, takes several pictures at once, and warns before it is published without stock', async () => {
    const fields = { name: 'Moon Game', type: 'serial', price_cents: 900, status: 'draft' }
    const { product } = await dashboard.ask('POST', '/products', fields)
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/products/${product.id}`)
    await page.getByRole('table', { name: 'Variants' }).waitFor()
    const picture = (name: string, buffer = PNG) => ({ name, mimeType: 'image/png', buffer })
    const files = [picture('front.png'), picture('back.png'), picture('x.png', Buffer.from('x'))]
    await page.locator('.drop-zone input').setInputFiles(files)
    await page.getByText('2 of 3 uploaded').waitFor()
    await page.locator('.drop-zone .failure', { hasText: 'x.png: ' }).waitFor()
    await expect.poll(() => page.locator('.gallery img').count()).toBe(2)
    await page.getByRole('button', { name: 'Publish' }).press('Enter')
    await dialogOf(page).getByText('It has no stock yet, so nobody can buy it.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Publish without stock' }).waitFor()
    await dialogOf(page).getByRole('link', { name: 'Add keys first' }).press('Enter')
    await page.waitForURL(/\/variants\/\d+\/keys$/)
    await page.close()
  })
})

describe('the list of products', () => {
  test('shows when the stock runs out and the recent sales, with one request for all rows', async () => {
    const page = await dashboard.context.newPage()
    const requestedUrls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/product-paces')) requestedUrls.push(request.url())
    })
    await dashboard.goTo(page, '/products')
    await rowOf(page, 'Space Game')
      .getByText(/^until about /)
      .waitFor()
    await rowOf(page, 'Enamel mug').getByText('Sold out').waitFor()
    await rowOf(page, 'Starter set').getByText('As its contents').waitFor()
    expect(await rowOf(page, 'Space Game').locator('.spark').textContent()).toBe('2')
    expect(requestedUrls).toHaveLength(1)
    await page.close()
  })

  test('still shows the stock if the forecast cannot be loaded, and loads it again', async () => {
    const page = await dashboard.context.newPage()
    const forecastUrls = '**/product-paces*'
    await page.route(forecastUrls, (route) => route.fulfill({ status: 500, body: '{}' }))
    await dashboard.goTo(page, '/products')
    await page.locator('.failure').waitFor()
    await rowOf(page, 'Space Game').getByText('10', { exact: true }).waitFor()
    await page.unroute(forecastUrls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowOf(page, 'Space Game')
      .getByText(/^until about /)
      .waitFor()
    await page.close()
  })

  test('duplicates a product by keyboard, and the draft lists what was not copied', async () => {
    const page = await open('/products?search=Space')
    await tabTo(page, 'Duplicate')
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor()
    await tabTo(page, 'Duplicate')
    await page.keyboard.press('Enter')
    await page.waitForURL(/copy_of=/)
    await page.getByText('Stock, keys, files, SKUs and sales were not copied.').waitFor()
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { product } = await dashboard.ask('GET', `/products/${id}`)
    expect(product.status).toBe('draft')
    await dashboard.ask('DELETE', `/products/${id}`)
    await page.close()
  })
})

test('a product is shown as buyers see it, without anything that its text could load or run', async () => {
  const { ask } = dashboard
  await ask('PATCH', `/products/${ids.mug}`, {
    discount_percent: 50,
    details: {
      short_description: 'Holds a pint.',
      description_html: '<h2>Care</h2><p>Use <strong>soap</strong>.</p><img src="http://x.test/a">',
    },
  })
  const page = await open('/products/$mug')
  const preview = page.getByRole('region', { name: 'As buyers see it' })
  await preview.getByText('$4.50').waitFor()
  await preview.getByText('before $9.00').waitFor()
  await preview.getByText('It cannot be bought now: all variants are sold out.').waitFor()
  await preview.getByRole('heading', { name: 'Care' }).waitFor()
  expect(await preview.locator('.html img').count()).toBe(0)
  await page.close()
})

describe('contents of a bundle', () => {
  test('are added, counted, sorted and removed by keyboard only', async () => {
    const page = await open('/products/$bundle/contents')
    const add = async (search: string, option: string) => {
      await tabTo(page, 'Add content')
      await page.keyboard.press('Enter')
      await tabTo(page, 'Search by name')
      await page.keyboard.type(search)
      const matchingOptions = page.locator('select[name=variant_id] option')
      // The empty choice, and the only variant that matches.
      await vi.waitFor(
        async () => expect(await matchingOptions.allTextContents()).toEqual(['', option]),
        WAIT_MS,
      )
      await tabTo(page, 'Product and variant')
      await page.keyboard.press('ArrowDown')
      await tabTo(page, 'Add content')
      await page.keyboard.press('Enter')
      await untilDialogCloses(page)
    }
    await page.getByText('This bundle contains nothing yet').waitFor()
    await add('Space', 'Space Game · Default')
    await add('mug', 'Enamel mug · White')
    expect(await readBundleItems()).toMatchObject([
      { product_name: 'Space Game', quantity: 1 },
      { product_name: 'Enamel mug', quantity: 1 },
    ])

    await tabTo(page, 'Change quantity')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Quantity')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('101')
    await page.keyboard.press('Enter')
    await dialogOf(page).locator('.field-error', { hasText: 'Use at most 100.' }).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'Move Enamel mug · White up' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Moved to position 1 of 2.').waitFor({ state: 'attached' })
    expect(await readBundleItems()).toMatchObject([
      { product_name: 'Enamel mug', quantity: 1 },
      { product_name: 'Space Game', quantity: 3 },
    ])

    await tabTo(page, 'Remove')
    await page.keyboard.press('Enter')
    await page.getByText('New orders of the bundle no longer contain Enamel mug').waitFor()
    await tabTo(page, 'Remove Enamel mug')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    expect(await readBundleItems()).toMatchObject([{ product_name: 'Space Game', quantity: 3 }])
    await page.close()
  })

  test('keep what another user added meanwhile, and show both quantities in a conflict', async () => {
    const { ask } = dashboard
    const path = `/products/${ids.bundle}/bundle`
    const [variant] = game.variants
    const { variants } = await ask('GET', `/products/${ids.mug}/variants`)
    await ask('PUT', path, { items: [{ variant_id: variant.id, quantity: 3 }] })
    const page = await open('/products/$bundle/contents')
    await page.getByRole('button', { name: 'Change quantity' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Quantity' }).fill('5')
    const itemsOfOtherUser = [
      { variant_id: variant.id, quantity: 4 },
      { variant_id: variants[0].id, quantity: 2 },
    ]
    await ask('PUT', path, { items: itemsOfOtherUser })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^A program with the API key “.+” changed this/).waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await untilDialogCloses(page)
    expect(await readBundleItems()).toMatchObject([
      { product_name: 'Space Game', quantity: 5 },
      { product_name: 'Enamel mug', quantity: 2 },
    ])
    await page.close()
  })

  test('offer only variants that the bundle lacks, and no change while the bundle has a maximum per customer', async () => {
    const { ask } = dashboard
    const page = await open('/products/$bundle/contents')
    await page.getByRole('button', { name: 'Add content' }).click()
    await ask('PATCH', `/products/${ids.bundle}`, { sell_limit: 2 })
    await dialogOf(page).getByRole('searchbox').fill('Space')
    const choice = dialogOf(page).getByRole('combobox', { name: 'Product and variant' })
    expect(await choice.getByRole('option', { name: 'Space Game · Default' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await dashboard.goTo(page, pathOf('/products/$bundle/contents'))
    await page.getByText('This bundle has a maximum per customer (2)').waitFor()
    expect(await page.getByRole('button', { name: 'Add content' }).count()).toBe(0)
    await ask('PATCH', `/products/${ids.bundle}`, { sell_limit: null })
    await page.close()
  })
})

test('the billing of a subscription is set and changed, and changes of another user are kept', async () => {
  const { ask } = dashboard
  const page = await open('/products/$club/billing')
  await page.getByText('No billing cycle is set').waitFor()
  await page.getByRole('button', { name: 'Set billing' }).click()
  await dialogOf(page).getByLabel('Renews').selectOption('yearly')
  await dialogOf(page).getByRole('button', { name: 'Set billing' }).click()
  await untilDialogCloses(page)
  const readBilling = async () => (await ask('GET', `/products/${ids.club}/billing`)).billing
  expect(await readBilling()).toMatchObject({ billing_cycle: 'yearly', trial_days: 0 })
  await page.getByRole('button', { name: 'Edit' }).click()
  await ask('PUT', `/products/${ids.club}/billing`, { billing_cycle: 'monthly' })
  await dialogOf(page).getByLabel('Trial in days').fill('14')
  await dialogOf(page).getByRole('button', { name: 'Set billing' }).click()
  await untilDialogCloses(page)
  expect(await readBilling()).toMatchObject({ billing_cycle: 'monthly', trial_days: 14 })
  await page.close()
})

test('the page of the stock begins with the products that run out first, and key pools link to their keys', async () => {
  const page = await open('/stock')
  const names = await page.locator('tbody .row-link').allTextContents()
  expect(names).toEqual(['Enamel mug', 'Space Game'])
  await page.getByRole('link', { name: 'Waiting buyers: Enamel mug' }).waitFor()
  await page.getByRole('link', { name: 'Key pools' }).click()
  await rowOf(page, 'Space Game').getByRole('link', { name: 'Default' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Keys of Space Game' }).waitFor()
  await page.close()
})

test('coupons show their total discount, and the analytics show the sales by coupon and source', async () => {
  const page = await open('/coupons')
  await rowOf(page, 'SPRING').getByText('$4.00').waitFor()
  await dashboard.goTo(page, pathOf('/coupons/$coupon'))
  await page.getByText('$4.00').waitFor()
  await dashboard.goTo(page, '/analytics')
  const coupons = page.getByRole('table', { name: 'By coupon' })
  await coupons.getByRole('row', { name: 'SPRING 1 $40.00 $4.00' }).waitFor()
  await page
    .getByRole('table', { name: 'By source' })
    .getByRole('row', { name: /^API 2/ })
    .waitFor()
  await coupons.getByRole('link', { name: 'SPRING' }).click()
  await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor()
  await page.close()
})

test('categories are sorted by dragging a row to another position', async () => {
  const { ask } = dashboard
  for (const name of ['Books', 'Games', 'Tools']) await ask('POST', '/categories', { name })
  const page = await open('/categories')
  await rowOf(page, 'Tools').locator('.drag').hover()
  await page.mouse.down()
  await rowOf(page, 'Books').locator('.drag').hover()
  await page.mouse.up()
  await page.getByText(/^Moved to position /).waitFor({ state: 'attached' })
  const { categories } = await ask('GET', '/categories')
  const names = categories.map(({ name }: Json) => name)
  expect(names.slice(names.indexOf('Tools'))).toEqual(['Tools', 'Books', 'Games'])
  await page.close()
})

test('an edit of a category keeps changes that another user made meanwhile', async () => {
  const { ask } = dashboard
  const { category } = await ask('POST', '/categories', { name: 'Music' })
  const page = await open(`/categories/${category.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Sheet music')
  await ask('PATCH', `/categories/${category.id}`, { description: 'For the piano.' })
  await page.getByRole('button', { name: 'Save' }).click()
  await untilDialogCloses(page)
  expect((await ask('GET', `/categories/${category.id}`)).category).toMatchObject({
    name: 'Sheet music',
    description: 'For the piano.',
  })
  await page.close()
})

test('a coupon shows both values if two users changed the same field', async () => {
  const { ask } = dashboard
  const fields = { code: 'AUTUMN', type: 'percentage', discount_percent: 10 }
  const { coupon } = await ask('POST', '/coupons', fields)
  const page = await open(`/coupons/${coupon.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page).getByRole('textbox', { name: 'Percent off' }).fill('20')
  await ask('PATCH', `/coupons/${coupon.id}`, { discount_percent: 15, max_uses: 5 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^A program with the API key “.+” changed this/).waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await untilDialogCloses(page)
  expect((await ask('GET', `/coupons/${coupon.id}`)).coupon).toMatchObject({
    discount_percent: 20,
    max_uses: 5,
  })
  await page.close()
})

test('a list is exported whole, with the fields of the API as columns', async () => {
  const page = await open('/exports')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV: Coupons' }).press('Enter')
  const file = readFileSync((await (await download).path()) ?? '', 'utf8')
  const [head = '', ...lines] = file.replace('\uFEFF', '').trim().split('\r\n')
  const { pagination } = await dashboard.ask('GET', '/coupons')
  expect(lines).toHaveLength(pagination.total)
  const codeColumn = head.split(',').indexOf('"code"')
  expect(lines.map((line) => line.split(',')[codeColumn])).toContain('"SPRING"')
  await page.getByText(`${lines.length} exported`).waitFor()
  await page.close()
})
