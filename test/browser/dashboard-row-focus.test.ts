import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAllPages } from './all-pages.ts'
import {
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  untilLoaded,
  WIDTHS,
} from './dashboard-harness.ts'

// One rule for all lists: Enter opens the record and focuses its heading, and going back focuses its row.

let dashboard: OpenedDashboard
let paths: string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  paths = await createAllPages(dashboard)
})
afterAll(() => dashboard?.close())

const FOCUSED =
  "(({ tagName, className, href }) => href ?? tagName + ' ' + className)(document.activeElement)"

/** Waits until the focused element fits. Returns the last one if none does. */
async function wrongFocus(page: Page, isRight: (focused: string) => boolean) {
  let focused = ''
  const found = expect
    .poll(
      async () => {
        focused = String(await page.evaluate(FOCUSED))
        return isRight(focused)
      },
      { timeout: 12_000 },
    )
    .toBe(true)
  return found.then(
    () => undefined,
    () => focused,
  )
}

/** Opens the first record of a list with Enter, and leaves it. Returns what lost the focus; undefined for a page without rows. */
async function walkList(page: Page, path: string): Promise<string[] | undefined> {
  await dashboard.goTo(page, path)
  const row = page.locator('main a.row-link').first()
  if ((await row.count()) === 0) return undefined
  const listAddress = page.url()
  const href = String(await page.evaluate("document.querySelector('main a.row-link').href"))
  await row.press('Enter')
  await expect.poll(() => page.url()).not.toBe(listAddress)
  const opened = await wrongFocus(page, (name) => /^H1 |^H2 panel-title/.test(name))
  const isPanel = new URL(page.url()).searchParams.has('open')
  if (isPanel) await page.keyboard.press('Escape')
  else await page.goBack()
  await expect.poll(() => page.url()).toBe(listAddress)
  await untilLoaded(page)
  const left = await wrongFocus(page, (name) => name === href)
  return [
    ...(opened === undefined ? [] : [`${path} opened: ${opened}`]),
    ...(left === undefined ? [] : [`${path} left: ${left}`]),
  ]
}

test.each(WIDTHS)(
  'at %i px Enter on a row focuses the record, and leaving it focuses the row',
  async (width) => {
    const page = await dashboard.context.newPage()
    await page.setViewportSize({ width, height: 700 })
    const findings: string[] = []
    let listCount = 0
    for (const path of paths.filter((item) => !/\d/.test(item))) {
      const found = await walkList(page, path)
      if (found) listCount += 1
      findings.push(...(found ?? []))
    }
    await page.close()
    expectEmpty(findings)
    expect(listCount).toBeGreaterThan(15)
  },
)
