import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { now_s } from '../clock.ts'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let context: BrowserContext
let ask: OpenedDashboard['ask']
/** The ids in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

beforeAll(async () => {
  dashboard = await openDashboard()
  ;({ context, ask } = dashboard)
  await dashboard.setPassword(PASSWORD)
  await createSales()
})
afterAll(() => dashboard?.close())

/** Creates sales of two days by a partner, one of them flagged, with a refund and a requested payout. */
async function createSales() {
  const rules = { enabled: true, hold_days: 0, min_payout_cents: 0, public_signup: true }
  await ask('PATCH', '/affiliates/program', rules)
  const { partner } = await ask('POST', '/affiliates/partners', { email: 'ada@example.com' })
  await ask('POST', `/affiliates/partners/${partner.id}/links`, { code: 'ada' })
  const application = { email: 'bob@example.com', name: 'Bob' }
  const applicant = (await ask('POST', '/affiliates/applications', application)).partner
  const { product } = await ask('POST', '/products', {
    ...{ name: 'Space Game', price_cents: 1999, type: 'license', status: 'active' },
  })
  const buy = async (email: string) =>
    (
      await ask('POST', '/orders', {
        items: [{ product_id: product.id, quantity: 1 }],
        customer: { email, country: 'DE' },
        affiliate_code: 'ada',
        mark_paid: true,
      })
    ).order
  await buy('mara@example.com')
  // The other sales are at noon of the next day, so that midnight does not divide them.
  const minutesToNoon = 36 * 60 - (Math.floor(now_s() / 60) % 1_440)
  await ask('POST', '/account/test-clock', { advance: `${minutesToNoon}m` })
  await buy('ada@example.com')
  const refunded = await buy('mara@example.com')
  await ask('POST', `/orders/${refunded.id}/refund`, {
    ...{ amount_cents: 500, reason: 'requested_by_customer' },
  })
  await ask('POST', '/account/test-clock', { advance: '1h' })
  const payoutRequest = {
    ...{ partner_id: partner.id, method: 'bank_transfer', destination: 'DE02 1203' },
  }
  const { payout } = await ask('POST', '/affiliates/payouts', payoutRequest)
  ids = { partner: partner.id, applicant: applicant.id, payout: payout.id }
}

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
const open = (page: Page, path: string) => dashboard.goTo(page, pathOf(path))

const CHART_PATHS = ['', '/analytics', '/analytics?days=365&show=orders&refunds=count']
const PATHS = [
  ...CHART_PATHS,
  '/affiliates',
  '/affiliates?status=flagged',
  '/affiliates/partners',
  '/affiliates/partners/$partner',
  '/affiliates/partners/$applicant',
  '/affiliates/payouts',
  '/affiliates/payouts/$payout',
  '/affiliates/program',
]

describe('pages of insight and the affiliate programme', () => {
  test('have no axe violations in either theme and do not scroll sideways', () =>
    dashboard.examine(PATHS.map(pathOf)))

  test('show tables without axe violations in either theme or sideways scrolling', () =>
    dashboard.examine(CHART_PATHS, async (page) => {
      const buttons = await page.getByRole('button', { name: 'Table', exact: true }).all()
      expect(buttons.length).toBeGreaterThan(0)
      for (const button of buttons) await button.click()
    }))
})

describe('charts', () => {
  const money = (cents: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

  test('are read with the arrow keys, and have a table with the values of the API', async () => {
    const { summary } = await ask('GET', '/analytics/sales')
    const page = await context.newPage()
    await open(page, '/analytics')
    const section = page.locator('section', { hasText: 'Sales over time' })
    const chart = section.getByRole('application', { name: /^Net sales \(USD\)/ })
    const reading = section.locator('output.reading')
    await chart.focus()
    await page.keyboard.press('End')
    const lastDay = summary.series.at(-1)
    expect(lastDay.net_cents).toBe(2 * 1999 - 500)
    expect(await reading.textContent()).toContain(`: ${money(lastDay.net_cents)}`)
    await page.keyboard.press('ArrowLeft')
    expect(await reading.textContent()).toContain(`: ${money(1999)}`)
    await page.keyboard.press('Home')
    expect(await reading.textContent()).toContain(`: ${money(0)}`)
    await section.getByRole('button', { name: 'Table', exact: true }).click()
    const table = section.getByRole('table', { name: 'Net sales' })
    await table.waitFor()
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Day',
      'Net sales (USD)',
      'Previous period: Day',
      'Previous period: Net sales (USD)',
    ])
    const shownAmounts = await table.locator('tbody tr td:nth-child(2)').allTextContents()
    expect(shownAmounts).toEqual(summary.series.map(({ net_cents }: Json) => money(net_cents)))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).first().click()
    const file = readFileSync((await (await download).path()) ?? '', 'utf8')
    const lines = file.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual(
      summary.series.map(
        ({ date, net_cents }: Json) => `"${date}" "${(net_cents / 100).toFixed(2)}"`,
      ),
    )
    await page.close()
  })

  test('show refunds by amount and number, with a table, a file, and the products and reasons', async () => {
    const page = await context.newPage()
    await open(page, '/analytics')
    const section = page.locator('section', { hasText: 'Refunds over time' })
    await section.getByText(money(500)).first().waitFor()
    await section.getByRole('application', { name: /^Refunded \(USD\)/ }).focus()
    await page.keyboard.press('End')
    const reading = section.locator('output.reading')
    expect(await reading.textContent()).toContain(`: ${money(500)}`)
    await page.keyboard.press('ArrowLeft')
    expect(await reading.textContent()).toContain(`: ${money(0)}`)

    const measure = section.getByLabel('Refunds by')
    await measure.focus()
    await page.keyboard.type('Number')
    await section.getByRole('application', { name: /^Refunds\./ }).waitFor()
    expect(new URL(page.url()).search).toBe('?refunds=count')
    await section.getByRole('button', { name: 'Table', exact: true }).focus()
    await page.keyboard.press('Enter')
    const table = section.getByRole('table', { name: 'Refunds' })
    await table.waitFor()
    const counts = await table.locator('tbody tr td:nth-child(2)').allTextContents()
    expect(counts).toEqual([...Array.from({ length: 29 }, () => '0'), '1'])
    const download = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Export CSV' }).focus()
    await page.keyboard.press('Enter')
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^refunds-count/)
    const lines = readFileSync((await file.path()) ?? '', 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(31)
    expect(lines.at(-1)).toMatch(/^"\d{4}-\d\d-\d\d","1"$/)

    const rowsOf = (name: string) =>
      page.getByRole('table', { name, exact: true }).locator('tbody tr').allTextContents()
    expect((await rowsOf('Refunds by product'))[0]).toContain(`Space Game1${money(500)}`)
    expect((await rowsOf('Refunds by reason'))[0]).toContain(`Requested by customer1${money(500)}`)
    expect(await rowsOf('Refunds by payment method')).toHaveLength(1)
    await page.getByRole('button', { name: '7 days' }).click()
    await vi.waitFor(() => expect(new URL(page.url()).searchParams.get('refunds')).toBe('count'))
    await page.close()
  })

  test('say that nothing was refunded in a period without refunds', async () => {
    const page = await context.newPage()
    await open(page, '/analytics?from=2026-01-01&to=2026-01-31')
    await page.getByText('Nothing was refunded in this period.').waitFor()
    await page.close()
  })

  test('show the days of the range in the address, also after an invalid range was corrected', async () => {
    const page = await context.newPage()
    await open(page, '/analytics?from=2026-02-10&to=2026-02-01')
    await page.locator('.failure').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByLabel('By', { exact: true }).selectOption('month')
    await page.getByRole('button', { name: 'Show range' }).click()
    await page.getByText('Thu, Jan 1, 2026 to Sun, Feb 1, 2026.').waitFor()
    expect(new URL(page.url()).search).toBe('?from=2026-01-01&to=2026-02-01&interval=month')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const table = page.getByRole('table', { name: 'Net sales' })
    await table.waitFor()
    expect(await table.locator('tbody tr td:first-child').allTextContents()).toEqual([
      'Thu, Jan 1, 2026',
      'Sun, Feb 1, 2026',
    ])
    await page.close()
  })

  test('on Home show the net sales of each hour, with each order in the hour of its payment', async () => {
    const { orders, pagination } = await ask('GET', '/orders?sort=-paid_at')
    expect(pagination.total).toBe(3)
    const ordersOfLastDay = orders.filter(
      ({ paid_at }: Json) => paid_at.slice(0, 10) === orders[0].paid_at.slice(0, 10),
    )
    const page = await context.newPage()
    await open(page, '')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const table = page.getByRole('table', { name: 'Net sales' })
    await table.waitFor()
    // The hour and its net sales, of today and of the day to compare with.
    expect(await table.getByRole('columnheader').count()).toBe(4)
    const shownAmounts = await table.locator('tbody tr td:nth-child(2)').allTextContents()
    const netOfHour = ordersOfLastDay.length * 1999 - 500
    const hour = new Date(ordersOfLastDay[0].paid_at).getUTCHours()
    expect(shownAmounts).toEqual(
      Array.from({ length: 24 }, (_, hourOfRow) => money(hourOfRow === hour ? netOfHour : 0)),
    )
    await page.close()
  })
})

describe('the affiliate programme', () => {
  test('an application is approved, a conversion rejected, and a payout marked as sent', async () => {
    const page = await context.newPage()
    const confirmAction = async (label: string, submit: string | RegExp = label, text?: string) => {
      await page.getByRole('button', { name: label, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      if (text !== undefined) await dialog.getByRole('textbox').first().fill(text)
      await dialog.getByRole('button', { name: submit }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await open(page, '/affiliates/partners?status=applied')
    await page.getByRole('link', { name: 'bob@example.com' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
    await confirmAction('Approve')
    await page.locator('.stamp', { hasText: 'Approved' }).waitFor()

    await open(page, '/affiliates')
    await page.getByRole('button', { name: 'Flagged 1' }).click()
    await page.getByText('The buyer is the partner').waitFor()
    await confirmAction('Reject', 'Reject', 'Bought by themselves')
    await page.getByRole('button', { name: 'Rejected 1' }).waitFor()

    await open(page, '')
    await page.getByRole('link', { name: 'Payout requests of partners' }).click()
    await page.getByRole('link', { name: /^Payout \d+$/ }).click()
    await confirmAction('Mark as sent', /^Mark \$\S+ as sent$/, 'Transfer 4711')
    await page.locator('.stamp', { hasText: 'Sent' }).waitFor()
    await page.close()

    expect((await ask('GET', `/affiliates/partners/${ids.applicant}`)).partner.status).toBe(
      'approved',
    )
    const { payout } = await ask('GET', `/affiliates/payouts/${ids.payout}`)
    expect(payout).toMatchObject({ status: 'sent', reference: 'Transfer 4711' })
    const { counts } = await ask('GET', '/affiliates/conversions')
    expect(counts).toEqual({ all: 3, valid: 2, flagged: 0, rejected: 1 })
  })
})
