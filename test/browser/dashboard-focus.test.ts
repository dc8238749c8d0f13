import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, press, tabTo, WAIT_MS } from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

/** The keyboard focus and the scroll position of a list when pages are opened and left. */

/** More rows than a small window shows. */
const KEY_COUNT = 24

let dashboard: OpenedDashboard
let key: LicensedProgram['key']

beforeAll(async () => {
  dashboard = await openDashboard()
  ;({ key } = await startLicensedProgram(dashboard))
  await dashboard.management.licenseKeys.create({ count: KEY_COUNT })
})
afterAll(() => dashboard?.close())

const untilFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()
/** Waits for the code that moves the focus, which is loaded after the first page is shown. */
const untilReady = (page: Page) =>
  expect
    .poll(
      () => page.evaluate("performance.getEntriesByType('resource').map((item) => item.name)"),
      {
        timeout: WAIT_MS,
      },
    )
    .toContainEqual(expect.stringContaining('page-focus'))
const scrollPosition = (page: Page) => page.evaluate<number>('scrollY')

test('opening a page moves the focus to its heading', async () => {
  await dashboard.on('/strings', async (page) => {
    await untilReady(page)
    await press(page, 'License keys')
    await page.locator('h1:focus', { hasText: 'License keys' }).waitFor()
    await page.locator('.row-link').first().press('Enter')
    await page.locator('h1:focus', { hasText: '…' }).waitFor()
  })
})

test('a tab of a record keeps the focus after it is opened', async () => {
  await dashboard.on(`/license-keys/${key.id}`, async (page) => {
    await untilReady(page)
    for (const tab of ['Devices', 'Sessions', 'History']) {
      await tabTo(page, tab)
      await page.keyboard.press('Enter')
      await page.locator('.tabs a:focus[aria-current]', { hasText: tab }).waitFor()
    }
  })
})

test('“back” restores the scroll position of a list, and moves the focus to the row that was opened', async () => {
  const page = await dashboard.context.newPage()
  await page.setViewportSize({ width: 1280, height: 400 })
  await dashboard.goTo(page, '/license-keys')
  await untilReady(page)
  const row = page.locator('.row-link').nth(20)
  await row.focus()
  const address = await row.getAttribute('href')
  const position = await scrollPosition(page)
  expect(position).toBeGreaterThan(0)
  await page.keyboard.press('Enter')
  await untilFocused(page, 'h1')
  expect(await scrollPosition(page)).toBe(0)
  await page.goBack()
  await untilFocused(page, `a[href="${address}"]`)
  await expect.poll(() => scrollPosition(page)).toBe(position)
  await page.close()
})
