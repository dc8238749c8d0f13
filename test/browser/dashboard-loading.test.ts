import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkPart } from '../walks.ts'
import { createAllPages } from './all-pages.ts'
import { expectEmpty, type OpenedDashboard, openDashboard, WIDTHS } from './dashboard-harness.ts'

// How a page appears after its address was opened: nothing that is shown moves, and nothing is read twice.

let dashboard: OpenedDashboard
let paths: string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  paths = await createAllPages(dashboard)
})
afterAll(() => dashboard?.close())

/** The sum of all layout shifts of a document that does not count as moved, by the definition of Web Vitals. */
const SHIFT_MAX = 0.02

/** Collects the layout shifts that no input caused, and the elements that moved. */
const OBSERVE_SHIFTS = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80))
      globalThis.shifts.push([value, moved])
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** A record that changes while its page loads is read again, so only a repetition in each of these loads counts. */
const LOADS_MAX = 4

/** Opens each page in a new document at this width. Returns the findings, each with the path of its page. */
async function loadAll(width: number): Promise<string[]> {
  const context = await dashboard.browser.newContext({
    viewport: { width, height: 800 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  await context.addInitScript(OBSERVE_SHIFTS)
  const page = await context.newPage()
  const findings: string[] = []
  for (const path of walkPart(paths, `loads at ${width}`)) {
    for (let load = 1; load <= LOADS_MAX; load += 1) {
      const found = [...repeated(await requestsOf(page, path)), ...(await shiftsOf(page))]
      if (found.length === 0) break
      if (load === LOADS_MAX) findings.push(...found.map((text) => `${path}: ${text}`))
    }
  }
  await context.close()
  return findings
}

/** Opens a page, and returns its requests of data. */
async function requestsOf(page: Page, path: string): Promise<string[]> {
  await page.goto('about:blank')
  const requests: string[] = []
  const record = (request: Request) => {
    if (request.resourceType() === 'fetch') requests.push(`${request.method()} ${request.url()}`)
  }
  page.on('request', record)
  await dashboard.goTo(page, path)
  await page.waitForLoadState('networkidle')
  page.off('request', record)
  expect(requests.length, path).toBeGreaterThan(0)
  return requests
}

const repeated = (requests: readonly string[]): string[] =>
  requests
    .filter((request, index) => requests.indexOf(request) < index)
    .map((request) => `${request} is sent twice`)

async function shiftsOf(page: Page): Promise<string[]> {
  const shifts = (await page.evaluate('globalThis.shifts')) as [number, string[]][]
  const sum = shifts.reduce((total, [value]) => total + value, 0)
  return sum < SHIFT_MAX ? [] : [`moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`]
}

/** Opens the orders while the server accepts these requests and does not answer them. Returns what lets it answer. */
async function openUnanswered(page: Page, isUnanswered: (url: string) => boolean) {
  let isWaiting = true
  await page.route('**/api/**', async (route) => {
    if (!isWaiting || !isUnanswered(route.request().url())) await route.fallback()
  })
  await page.clock.install()
  await page.goto(`${dashboard.server.origin}/dashboard/${dashboard.server.test.id}/orders`)
  await page.locator('.skeleton > p').first().waitFor({ state: 'attached' })
  return () => {
    isWaiting = false
  }
}

const openContext = async (width: number) => {
  const context = await dashboard.browser.newContext({
    viewport: { width, height: 800 },
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
    serviceWorkers: 'block',
  })
  await context.addInitScript(OBSERVE_SHIFTS)
  return context
}

const SLOW = 'This takes longer than usual.'
const SILENT = 'The server does not answer. This page tries again.'

test.each(WIDTHS)(
  'at %i px a silent server is named after 10 s until it answers, a slow answer after 2 s, and nothing moves',
  async (width) => {
    const context = await openContext(width)
    const page = await context.newPage()
    const answer = await openUnanswered(page, () => true)
    expect(await page.locator('.skeleton > p').first().textContent()).toBe('')
    await page.clock.runFor(2_100)
    await page.getByText(SLOW).first().waitFor()
    await page.clock.runFor(8_000)
    await page.getByText(SILENT).first().waitFor()
    expectEmpty(await shiftsOf(page))
    answer()
    await page.clock.runFor(12_000)
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await context.close()
  },
)

test('a list whose answer is slow is not read again while the server answers other requests', async () => {
  const context = await openContext(1280)
  const page = await context.newPage()
  const isList = (url: string) => /\/orders\?/.test(url)
  const lists: string[] = []
  page.on('request', (request) => isList(request.url()) && lists.push(request.url()))
  await openUnanswered(page, isList)
  await page.clock.runFor(2_100)
  await page.getByText(SLOW).first().waitFor()
  const checked = page.waitForResponse(/\/me$/)
  await page.clock.runFor(4_000)
  await checked
  await page.clock.runFor(6_000)
  expect(await page.getByText(SILENT).count()).toBe(0)
  expect(lists).toHaveLength(1)
  await context.close()
})

test.each(WIDTHS)(
  'at %i px no page moves what it shows while it loads, and none reads anything twice',
  async (width) => expectEmpty(await loadAll(width)),
)
