import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, openEntry, WIDTHS } from './dashboard-harness.ts'

// A page whose code is not loaded yet, while the server accepts requests and answers none.

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const SLOW = 'This takes longer than usual.'
const SILENT = 'The server does not answer. This page tries again.'

/** Opens the home page of a new context. From then on the server answers nothing until the returned function is called. */
async function openSilent(width: number, isLost: boolean) {
  const context = await dashboard.browser.newContext({
    viewport: { width, height: 800 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.clock.install()
  await dashboard.goTo(page, '/')
  await page.clock.runFor(2_000)
  await page.waitForLoadState('networkidle')
  let release = () => {}
  let isSilent = true
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/(api|assets)\//, async (route) => {
    if (!isSilent) return route.fallback()
    await released
    if (!isLost || !/assets/.test(route.request().url())) await route.fallback()
  })
  const answer = () => {
    isSilent = false
    release()
  }
  return { context, page, answer }
}

async function pressEntry(page: Page, name: string) {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await openEntry(page, name)
}

test.each(WIDTHS)(
  'at %i px a pressed entry is marked and its page is named while its code is loaded',
  async (width) => {
    const { context, page, answer } = await openSilent(width, false)
    await pressEntry(page, 'Affiliates')
    await page
      .locator('#navigation [aria-current]', { hasText: 'Affiliates' })
      .waitFor({ state: 'attached' })
    await page.clock.runFor(700)
    await page.getByRole('heading', { name: 'Affiliates' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Home' }).isVisible()).toBe(false)
    await page.clock.runFor(2_100)
    await page.getByText(SLOW).waitFor()
    await page.clock.runFor(8_000)
    await page.getByText(SILENT).waitFor()
    answer()
    await page.clock.runFor(1_000)
    await page.locator('.opening').waitFor({ state: 'detached' })
    await page.locator('h1', { hasText: 'Affiliates' }).waitFor()
    await context.close()
  },
)

test('a page whose code a silent server has lost is loaded with its document once the server answers', async () => {
  const { context, page, answer } = await openSilent(1280, true)
  await pressEntry(page, 'Coupons')
  await page.clock.runFor(700)
  await page.getByRole('heading', { name: 'Coupons' }).waitFor()
  await page.clock.runFor(11_000)
  await page.getByText(SILENT).waitFor()
  answer()
  const loaded = page.waitForEvent('load')
  for (let step = 0; step < 5; step += 1) await page.clock.runFor(2_000)
  await loaded
  await page.clock.runFor(1_000)
  await page.locator('.opening').waitFor({ state: 'detached' })
  await page.locator('h1', { hasText: 'Coupons' }).waitFor()
  await context.close()
})

test('a tab whose code is not loaded keeps the tabs, and says that it is loaded', async () => {
  const { context, page, answer } = await openSilent(1280, false)
  answer()
  await dashboard.goTo(page, '/affiliates')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\//, (route) => released.then(() => route.fallback()))
  await page.locator('.tabs a').nth(1).press('Enter')
  await page.clock.runFor(700)
  await page.locator('.opening').waitFor()
  expect(await page.locator('.tabs a').nth(1).isVisible()).toBe(true)
  await page.clock.runFor(2_100)
  await page.getByText(SLOW).waitFor()
  release()
  await page.locator('.opening').waitFor({ state: 'detached' })
  await context.close()
})

test('a menu whose code a silent server does not send says that it waits', async () => {
  const { context, page, answer } = await openSilent(1280, false)
  await page.locator('.user-button').press('Enter')
  await page.clock.runFor(11_000)
  await page.getByText('What you opened is not loaded yet.').waitFor()
  answer()
  await page.getByRole('menu').waitFor()
  await page.clock.runFor(6_000)
  await page.getByText('What you opened is not loaded yet.').waitFor({ state: 'detached' })
  await context.close()
})

test('a change that is not answered is named as slow, and as waiting while the server is silent', async () => {
  const { context, page, answer } = await openSilent(1280, false)
  answer()
  await dashboard.goTo(page, '/customers')
  await page.getByRole('button', { name: 'New customer', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name="email"]').fill('waiting@example.com')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/api\//, (route) => released.then(() => route.fallback()))
  await dialog.locator('button[type="submit"]').click()
  await page.clock.runFor(2_100)
  await dialog.getByText(SLOW).waitFor()
  await page.clock.runFor(9_000)
  await dialog.getByText('The change may have arrived').waitFor()
  release()
  await page.clock.runFor(3_000)
  await dialog.waitFor({ state: 'detached' })
  await context.close()
})
