import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard, press, tabTo } from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

/** The keyboard focus and the scroll position of a list when pages are opened and left. */

/** More rows than a small window shows. */
const KEY_COUNT = 24

let dashboard: OpenedDashboard
let key: LicensedProgram['key']
let product: Json
let order: Json
let webhook: Json

beforeAll(async () => {
  dashboard = await openDashboard()
  ;({ key } = await startLicensedProgram(dashboard))
  await dashboard.management.licenseKeys.create({ count: KEY_COUNT })
  const { ask } = dashboard
  ;({ product } = await ask('POST', '/products', {
    name: 'Photo editor',
    type: 'license',
    price_cents: 900,
    status: 'active',
  }))
  ;({ order } = await ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email: 'ada@example.com' },
  }))
  ;({ webhook } = await ask('POST', '/webhooks', {
    url: 'http://127.0.0.1:59999/hook',
    events: ['order.created'],
  }))
})
afterAll(() => dashboard?.close())

const untilFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()
const scrollPosition = (page: Page) => page.evaluate<number>('scrollY')
/** Waits until the page has got its scroll event, which the browser sends with the next frame. The router keeps a position only then. */
const untilScrollIsSeen = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

test('opening a page moves the focus to its heading', async () => {
  await dashboard.on('/strings', async (page) => {
    await press(page, 'License keys')
    await page.locator('h1:focus', { hasText: 'License keys' }).waitFor()
    // In a wider window the record opens next to its list.
    await page.setViewportSize({ width: 900, height: 800 })
    await page.locator('.row-link').first().press('Enter')
    await page.locator('h1:focus', { hasText: '…' }).waitFor()
  })
})

test('a tab of a record keeps the focus after it is opened', async () => {
  await dashboard.on(`/license-keys/${key.id}`, async (page) => {
    for (const tab of ['Devices', 'Sessions', 'History']) {
      await tabTo(page, tab)
      await page.keyboard.press('Enter')
      await page.locator('.tabs a:focus[aria-current]', { hasText: tab }).waitFor()
    }
  })
})

/** Holds back what the page asks for, until the returned function is called. */
async function holdRequests(page: Page): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**', async (route) => {
    await released
    await route.continue()
  })
  return () => {
    release()
    return page.unrouteAll({ behavior: 'wait' })
  }
}

/** Waits until the page of a link is rendered. The address is that of the next page already while it loads. */
async function untilRendered(page: Page, link: Locator) {
  const address = await link.getAttribute('href')
  const renderedPath = '__TSR_ROUTER__.stores.resolvedLocation.get().pathname'
  await expect
    .poll(() => page.evaluate<string>(renderedPath))
    .toSatisfy((path: string) => address?.endsWith(path) === true)
}

test.each([
  ['license key', () => `/license-keys/${key.id}`],
  ['product', () => `/products/${product.id}`],
  ['customer', () => `/customers/${order.customer.id}`],
  ['webhook', () => `/webhooks/${webhook.id}`],
  ['list of categories', () => '/categories'],
  ['list of events', () => '/events'],
  ['list of reviews', () => '/reviews'],
  ['list of tickets', () => '/tickets'],
  ['list of stock', () => '/stock'],
  ['list of shipping zones', () => '/settings/shipping'],
  ['wallet', () => '/settings/wallet'],
  ['affiliate programme', () => '/affiliates'],
])('keys that are pressed while a tab loads reach the tabs: %s', async (_, pathOf) => {
  await dashboard.on(pathOf(), async (page) => {
    const tabs = page.locator('.tabs a')
    const first = tabs.nth(0)
    const second = tabs.nth(1)
    const release = await holdRequests(page)
    await second.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await first.and(page.locator(':focus')).waitFor()
    await release()
    await untilRendered(page, second)
    await page.keyboard.press('Enter')
    await untilRendered(page, first)
    await first.and(page.locator(':focus')).waitFor()
  })
})

test('leaving a record from one of its tabs moves the focus to the heading of the page', async () => {
  await dashboard.on(`/license-keys/${key.id}`, async (page) => {
    await page.locator('.tabs a').last().focus()
    await page.keyboard.type('gi')
    await page.locator('h1:focus', { hasText: 'License keys' }).waitFor()
  })
})

test('“back” restores the scroll position of a list, and moves the focus to the row that was opened', async () => {
  const page = await dashboard.context.newPage()
  // In a wider window the record opens next to its list.
  await page.setViewportSize({ width: 900, height: 400 })
  await dashboard.goTo(page, '/license-keys')
  const row = page.locator('.row-link').nth(20)
  await row.focus()
  const address = await row.getAttribute('href')
  const position = await scrollPosition(page)
  expect(position).toBeGreaterThan(0)
  await untilScrollIsSeen(page)
  await page.keyboard.press('Enter')
  await untilFocused(page, 'h1')
  expect(await scrollPosition(page)).toBe(0)
  await page.goBack()
  await untilFocused(page, `a[href="${address}"]`)
  await expect.poll(() => scrollPosition(page)).toBe(position)
  await page.close()
})
