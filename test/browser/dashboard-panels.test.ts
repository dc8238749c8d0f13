import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fromNow } from '../clock.ts'
import type { Json } from '../harness.ts'
import {
  examine,
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  WAIT_MS,
} from './dashboard-harness.ts'
import { holdRequests } from './held-requests.ts'

/** A record opens in a panel next to its list. */

const HOUR_MS = 3_600_000
const LONG_EMAIL = 'a.rather.long.name@example.com'

interface PanelledList {
  path: string
  /** The name of the panel. */
  label: string
  /** The beginning of the paths of the records. */
  records: string
}

const LISTS: readonly PanelledList[] = [
  { path: '/orders', label: 'Order', records: '/orders/' },
  { path: '/products', label: 'Product', records: '/products/' },
  { path: '/customers', label: 'Customer', records: '/customers/' },
  { path: '/license-keys', label: 'License key', records: '/license-keys/' },
  { path: '/tickets', label: 'Ticket', records: '/tickets/' },
  { path: '/events/deliveries', label: 'Webhook delivery', records: '/events/deliveries/' },
]

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask, management } = dashboard
  const fields = { type: 'service', price_cents: 1_000, status: 'active' }
  const { product } = await ask('POST', '/products', { name: 'Game', ...fields })
  await ask('POST', '/products', { name: 'Second game', ...fields })
  for (const name of ['mara', 'nils']) {
    const customer = { email: `${name}@example.com` }
    const items = [{ product_id: product.id, quantity: 1 }]
    await ask('POST', '/orders', { items, customer, mark_paid: true })
    const ticket = { ...customer, subject: `Key of ${name}`, message: 'It does not work.' }
    await ask('POST', '/tickets', ticket)
  }
  await management.licenseKeys.create({ count: 2 })
  await management.licenseKeys.create({ count: 1, customer_email: LONG_EMAIL })
  const buyer = { email: LONG_EMAIL, name: 'Maximiliane Mustermann-Beispiel' }
  const items = [{ product_id: product.id, quantity: 1 }]
  await ask('POST', '/orders', { items, customer: buyer })
  const question = 'Where is the download of my order?'
  await ask('POST', '/tickets', { email: LONG_EMAIL, subject: question, message: 'It is gone.' })
  const url = 'http://127.0.0.1:59999/hook'
  const { webhook } = await ask('POST', '/webhooks', { url, events: ['*'] })
  const since = fromNow(-HOUR_MS)
  const { queued } = await ask('POST', `/webhooks/${webhook.id}/replay`, { since })
  // A delivery that is made later becomes the first of its list.
  await vi.waitFor(
    async () => expect((await ask('GET', '/events/deliveries')).deliveries).toHaveLength(queued),
    WAIT_MS,
  )
})
afterAll(() => dashboard?.close())

/** The number of rows that the shown tools of the list take. */
const TOOL_ROWS = `new Set([...document.querySelectorAll('.list-tools .filter, .list-tools button')]
  .filter((tool) => tool.checkVisibility())
  .map((tool) => Math.round(tool.getBoundingClientRect().bottom))).size`

const idIn = (page: Page) => new URL(page.url()).searchParams.get('open')
const openRow = (page: Page) => page.locator('a.row-link[aria-current="true"]:not(aside *)')

describe.each(LISTS)('a record of $path next to its list', ({ path, label, records }) => {
  test('opens, changes to the next one, opens as a page and closes, with keys alone', () =>
    dashboard.on(path, async (page) => {
      const panel = page.getByRole('complementary', { name: label })
      const rows = page.locator('a.row-link')
      await page.keyboard.press('j')
      const firstId = (await rows.first().getAttribute('href'))?.split('/').at(-1)
      const secondId = (await rows.nth(1).getAttribute('href'))?.split('/').at(-1)
      await page.keyboard.press('Enter')
      await expect.poll(() => idIn(page)).toBe(firstId)
      const title = panel.locator('.panel-title:focus')
      await title.waitFor()
      await page.keyboard.press('j')
      await expect.poll(() => idIn(page)).toBe(secondId)
      await title.waitFor()
      await page.keyboard.press('k')
      await expect.poll(() => idIn(page)).toBe(firstId)
      await title.waitFor()
      await page.reload()
      await title.waitFor()
      await openRow(page).waitFor()
      expect(idIn(page)).toBe(firstId)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      expect(idIn(page)).toBeNull()
      await rows.first().and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await title.waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`${records}${firstId}$`))
      await page.locator('h1').waitFor()
      await page.goBack()
      await openRow(page).waitFor()
      await page.goBack()
      await panel.waitFor({ state: 'detached' })
      await rows.first().and(page.locator(':focus')).waitFor()
    }))

  test('leaves no room for the tools of the list in a window of 1,280 px, which a button then shows', () =>
    dashboard.on(path, async (page) => {
      await page.locator('a.row-link').first().click()
      await page.locator('.panel-title').waitFor()
      const button = page.locator('.tools-button')
      await button.waitFor()
      expect(await page.evaluate(TOOL_ROWS)).toBe(0)
      expect((await page.locator('.list-head').boundingBox())?.height).toBeLessThan(45)
      await button.click()
      expect(await page.evaluate(TOOL_ROWS)).toBeGreaterThan(0)
      await page.setViewportSize({ width: 1_920, height: 900 })
      await button.waitFor({ state: 'hidden' })
      expect(await page.evaluate(TOOL_ROWS)).toBe(1)
    }))

  test('is one entry of the history while it is open, and none once it is closed', () =>
    dashboard.on('/', async (page) => {
      await dashboard.show(page, path)
      await page.locator('a.row-link').first().click()
      const panel = page.getByRole('complementary', { name: label })
      await panel.locator('.panel-title').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await page.locator('a.row-link').first().waitFor()
      await expect.poll(() => idIn(page)).toBeNull()
      await page.locator('a.row-link:focus').waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    }))

  test('is a page of its own on a phone', () =>
    dashboard.on(path, async (page) => {
      const href = await page.locator('a.row-link').first().getAttribute('href')
      const id = href?.split('/').at(-1)
      await page.setViewportSize({ width: 320, height: 700 })
      await dashboard.goTo(page, `${path}?open=${id}`)
      await page.waitForURL(new RegExp(`${records}${id}$`))
    }))
})

test('a panel that is closed while its list is loading moves the focus to the heading of the page', () =>
  dashboard.on('/tickets', async (page) => {
    await page.locator('a.row-link').first().click()
    await page.locator('.panel-title:focus').waitFor()
    const release = await holdRequests(page, (request) => /\/tickets\?/.test(request.url()))
    await page.reload()
    await page.locator('.panel-title:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('h1:focus').waitFor()
    release()
    await page.locator('a.row-link').first().waitFor()
  }))

test.each(
  LISTS.flatMap(({ path, label }) => ['999999999', 'abc'].map((id) => ({ path, label, id }))),
)(
  '$path with the id $id, which no record has, says so and offers to close',
  ({ path, label, id }) =>
    dashboard.on(`${path}?open=${id}`, async (page) => {
      const panel = page.getByRole('complementary', { name: label })
      await panel.locator('h2:focus', { hasText: 'This record does not exist' }).waitFor()
      expect(await panel.getByRole('link').count()).toBe(0)
      await page.keyboard.press('Enter')
      expect(idIn(page)).toBe(id)
      await panel.getByRole('button', { name: 'Close' }).click()
      await panel.waitFor({ state: 'detached' })
      expect(idIn(page)).toBeNull()
      await page.locator('a.row-link').first().waitFor()
    }),
)

test.each(LISTS)('$path opens no panel for an empty id in its address', ({ path }) =>
  dashboard.on(`${path}?open=`, async (page) => {
    await page.locator('a.row-link').first().waitFor()
    expect(await page.locator('.with-panel, .failure').count()).toBe(0)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.locator('a.row-link').first().waitFor()
    expect(new URL(page.url()).pathname.endsWith(path)).toBe(true)
  }),
)

test('a record that cannot be read has a heading in its panel, which has the focus', () =>
  dashboard.on('/tickets', async (page) => {
    await page.route(/\/tickets\/\d+$/, (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'Broken.', code: 'INTERNAL' } }),
    )
    await page.locator('a.row-link').first().click()
    const panel = page.getByRole('complementary', { name: 'Ticket' })
    await panel.locator('h2:focus').waitFor()
    await panel.getByRole('button', { name: 'Try again' }).waitFor()
  }))

test('a ticket is answered in its panel', () =>
  dashboard.on('/tickets', async (page) => {
    await page.locator('a.row-link', { hasText: 'Key of mara' }).click()
    const panel = page.getByRole('complementary', { name: 'Ticket' })
    await panel.getByRole('textbox').first().fill('Here is a new one.')
    await panel.getByRole('button', { name: 'Reply', exact: true }).click()
    await panel.getByText('Here is a new one.').waitFor()
    const { tickets } = await dashboard.ask('GET', '/tickets?email=mara@example.com')
    const { ticket } = await dashboard.ask('GET', `/tickets/${tickets[0].id}`)
    expect(ticket.messages.map(({ body }: Json) => body)).toContain('Here is a new one.')
  }))

test('panels have no axe violations in either theme and do not scroll sideways', async () => {
  const paths: string[] = []
  for (const { path } of LISTS) {
    await dashboard.on(path, async (page) => {
      const href = await page.locator('a.row-link').first().getAttribute('href')
      paths.push(`${path}?open=${href?.split('/').at(-1)}`)
    })
  }
  const page = await dashboard.context.newPage()
  for (const path of paths) {
    await dashboard.goTo(page, path)
    await page.locator('.panel-title').waitFor()
    await examine(page, path)
  }
  await page.close()
})

test.each(['en-US', 'de-DE', 'es-ES'])(
  'in %s no list is wider than its frame next to a panel in a window of 1,280 px',
  async (locale) => {
    const storageState = await dashboard.context.storageState()
    const viewport = { width: 1_280, height: 900 }
    const context = await dashboard.browser.newContext({ locale, viewport, storageState })
    const page = await context.newPage()
    const findings: string[] = []
    for (const { path } of LISTS) {
      await dashboard.goTo(page, path)
      await page.locator('a.row-link').first().click()
      await page.locator('.panel-title').waitFor()
      const hidden = await page.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.list .table-frame'))",
      )
      if (hidden > 0) findings.push(`${path} by ${hidden} px`)
    }
    await context.close()
    expectEmpty(findings)
  },
)

test('the choice of a view and of a sort is never blank', async () => {
  const page = await dashboard.context.newPage()
  const chosen = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.list-head select, .narrow-only > select')].filter((item) => item.checkVisibility()).map((item) => item.selectedOptions[0].text)",
    )
  const findings: string[] = []
  for (const { path } of LISTS) {
    await page.setViewportSize({ width: 1_280, height: 900 })
    await dashboard.goTo(page, path)
    const id = (await page.locator('a.row-link').first().getAttribute('href'))?.split('/').at(-1)
    await dashboard.goTo(page, `${path}?search=a&status=none&open=${id}`)
    if ((await chosen()).includes('')) findings.push(`${path} next to a panel`)
    await page.setViewportSize({ width: 320, height: 700 })
    await dashboard.goTo(page, path)
    await page.locator('.tools-button').click()
    if ((await chosen()).includes('')) findings.push(`${path} at 320 px`)
  }
  await page.close()
  expectEmpty(findings)
})

test('the headings that sort are targets of at least 24 px', async () => {
  const page = await dashboard.context.newPage()
  const findings: string[] = []
  for (const { path } of LISTS) {
    await dashboard.goTo(page, path)
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('th button')].map((item) => item.getBoundingClientRect().height)",
    )
    if (heights.some((height) => height < 24)) findings.push(`${path}: ${heights}`)
  }
  await page.close()
  expectEmpty(findings)
})

test('at 320 px an email address breaks before its @', async () => {
  const page = await dashboard.context.newPage()
  await page.setViewportSize({ width: 320, height: 700 })
  await dashboard.goTo(page, '/customers')
  // The parts before and after the break are text nodes of their own, each on one line.
  const lines = await page.evaluate<number[]>(
    `[...[...document.querySelectorAll('a.row-link')].find((link) => link.textContent === '${LONG_EMAIL}').childNodes]
      .filter((node) => node.data)
      .map((node) => {
        const range = document.createRange()
        range.selectNode(node)
        return range.getClientRects().length
      })`,
  )
  await page.close()
  expect(lines).toEqual([1, 1])
})
