import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkPart } from '../walks.ts'
import { createAllPages } from './all-pages.ts'
import { expectEmpty, type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

// The sizes and places of what pages show, on a phone, a laptop and a large screen.

let dashboard: OpenedDashboard
let paths: string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  paths = await createAllPages(dashboard)
})
afterAll(() => dashboard?.close())

/** Opens each page at this width and measures it. Returns the findings, each with the path of its page. */
async function measureAll(width: number, measure: string): Promise<string[]> {
  const context = await dashboard.browser.newContext({
    viewport: { width, height: 800 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  const findings: string[] = []
  for (const path of walkPart(paths, `measures at ${width}`)) {
    await dashboard.show(page, path)
    const found = (await page.evaluate(measure)) as string[]
    findings.push(...found.map((text) => `${path}: ${text}`))
  }
  await context.close()
  return findings
}

const IS_SHOWN = `const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0
  && !element.closest('.visually-hidden, .skip, [aria-hidden=true]')`

/** Buttons, fields and links that are no part of a sentence, and that are lower than 44 px. */
const SMALL_TARGETS = `(() => { ${IS_SHOWN}
  const targets = 'button, select, summary, input:not([type=checkbox]):not([type=radio]):not([type=range]), nav a, a.primary, .row-link, .receipt a, .steps a, .store-list a, .card-head a, .page-head .actions a, .empty a, .delivery li a, td.check label'
  return [...document.querySelectorAll(targets)].filter(isShown)
    .map((element) => [element, element.getBoundingClientRect().height])
    .filter(([, height]) => height > 0 && height < 43.5)
    .map(([element, height]) => element.outerHTML.slice(0, 100) + ' is ' + Math.round(height) + ' px high')
})()`

/** Tables that scroll sideways, times in two lines, and an entry of the navigation that is out of view. */
const CUT_PARTS = `(() => { ${IS_SHOWN}
  const findings = []
  for (const frame of document.querySelectorAll('.table-frame')) {
    if (frame.scrollWidth > frame.clientWidth + 1) {
      findings.push('the table "' + frame.firstElementChild.ariaLabel + '" is cut by ' + (frame.scrollWidth - frame.clientWidth) + ' px')
    }
  }
  for (const time of document.querySelectorAll('main time')) {
    const lines = new Set([...time.getClientRects()].map(({ top }) => Math.round(top)))
    if (isShown(time) && lines.size > 1) findings.push('a time is broken: ' + time.textContent)
  }
  const entry = document.querySelector('.navigation [aria-current=page]')
  const list = document.querySelector('.navigation').getBoundingClientRect()
  if (entry && list.height > 0) {
    const { top, bottom } = entry.getBoundingClientRect()
    if (top < list.top || bottom > Math.min(list.bottom, innerHeight)) findings.push('the entry of the navigation is out of view')
  }
  return findings
})()`

const UNUSED_WIDTH = `(() => {
  const { right } = document.querySelector('main').getBoundingClientRect()
  const sections = [...document.querySelectorAll('main :is(.card, .table-frame, .page-head)')]
  const used = Math.max(...sections.map((section) => section.getBoundingClientRect().right))
  return innerWidth - used > 120 ? ['the page ends at ' + Math.round(used) + ' px'] : []
})()`

test('on a phone each button, field and entry is at least 44 px high', async () =>
  expectEmpty(await measureAll(320, SMALL_TARGETS)))

test('on a phone the box of a record stands in front of its name, and hidden headings take no focus', async () => {
  const context = await dashboard.browser.newContext({
    viewport: { width: 320, height: 800 },
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  for (const path of ['/orders', '/products', '/customers', '/license-keys']) {
    await dashboard.show(page, path)
    const box = await page.locator('td.check label').first().boundingBox()
    const name = await page.locator('td.check + td a').first().boundingBox()
    if (!box || !name) throw new Error(`${path} shows no box or no name.`)
    expect(name.x, path).toBeGreaterThanOrEqual(box.x + box.width)
    expect(Math.abs(name.y + name.height / 2 - box.y - box.height / 2), path).toBeLessThan(4)
    const hidden = page.locator('thead button').first()
    if ((await hidden.count()) > 0) {
      await hidden.focus({ timeout: 500 }).catch(() => {})
      expect(await page.locator('thead :focus').count(), path).toBe(0)
    }
  }
  await context.close()
})

test('on a laptop no table is cut, no time is broken, and the entry of the page is in view', async () =>
  expectEmpty(await measureAll(1280, CUT_PARTS)))

/** Actions that follow one which deletes, blocks or ends something, and main actions that are not the first. */
const ACTION_SEQUENCE = `(() => { ${IS_SHOWN}
  const findings = []
  for (const row of document.querySelectorAll('.page-head .actions')) {
    const buttons = [...row.querySelectorAll(':scope > button')].filter(isShown)
    const dangerous = buttons.findIndex((button) => button.classList.contains('danger'))
    const harmless = buttons.findLastIndex((button) => !button.classList.contains('danger'))
    if (dangerous !== -1 && dangerous < harmless) findings.push(buttons[dangerous].textContent + ' precedes ' + buttons[harmless].textContent)
    const main = buttons.findIndex((button) => button.classList.contains('primary'))
    if (main > 0) findings.push(buttons[main].textContent + ' is not the first action')
  }
  return findings
})()`

test('the main action of a page is the first one, and dangerous ones are the last', async () =>
  expectEmpty(await measureAll(1280, ACTION_SEQUENCE)))

test('on a phone a record begins on the first screen, and its further actions appear when they are asked for', async () => {
  const context = await dashboard.browser.newContext({
    viewport: { width: 320, height: 568 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  for (const path of ['/orders', '/customers', '/license-keys']) {
    await dashboard.goTo(page, path)
    await page.locator('main .row-link').first().click()
    const actions = page.locator('.page-head .actions')
    await actions.getByRole('button', { name: 'More actions' }).waitFor()
    expect(await topOf(page, 'main :is(.tabs, .card)'), path).toBeLessThan(400)
    const shownCount = () => actions.getByRole('button').count()
    expect(await shownCount(), path).toBe(2)
    await actions.getByRole('button', { name: 'More actions' }).press('Enter')
    expect(await shownCount(), path).toBeGreaterThan(3)
    const second = actions.getByRole('button').nth(1)
    await expect.poll(() => second.and(page.locator(':focus')).count()).toBe(1)
  }
  await context.close()
})

test('a large screen is used, and nothing on it is cut', async () => {
  expectEmpty(await measureAll(1920, UNUSED_WIDTH))
  expectEmpty(await measureAll(1920, CUT_PARTS))
})

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY

test('on a phone the first order begins within 300 px, and home begins with the waiting records', async () => {
  const context = await dashboard.browser.newContext({
    viewport: { width: 320, height: 640 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  await dashboard.goTo(page, '/orders')
  expect(await topOf(page, 'tbody tr')).toBeLessThan(300)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Status' }).waitFor()
  await dashboard.goTo(page, '')
  await page.getByRole('region', { name: 'Last 30 days, net after refunds' }).waitFor()
  const headings = await page.locator('main section h2').allTextContents()
  expect(headings[0]).toBe('Needs attention')
  expect(await topOf(page, 'main section')).toBeLessThan(200)
  await context.close()
})

test('a page that scrolls is as wide as one that does not', () =>
  dashboard.on('', async (page) => {
    // A gutter without a scrollbar would be a strip next to the top bar.
    const read = '(({ overflowY, scrollbarGutter }) => [overflowY, scrollbarGutter])'
    expect(await page.evaluate(`${read}(getComputedStyle(document.documentElement))`)).toEqual([
      'scroll',
      'auto',
    ])
  }))
