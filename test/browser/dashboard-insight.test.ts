import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../process/spawn-server.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const PASSWORD = 'correct horse battery staple'

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
  await page.evaluate(
    (password) =>
      fetch('/dashboard/api/password', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password }),
      }).then(({ status }) => status),
    PASSWORD,
  )
  await page.close()
  await sell()
})
afterAll(async () => {
  await browser?.close()
  await installation?.close()
})

/** Sales of two days by a partner, one of them flagged, with a refund and a requested payout. */
async function sell() {
  const rules = { enabled: true, hold_days: 0, min_payout_cents: 0, public_signup: true }
  await ask('PATCH', '/affiliates/program', rules)
  const { partner } = await ask('POST', '/affiliates/partners', { email: 'ada@example.com' })
  await ask('POST', `/affiliates/partners/${partner.id}/links`, { code: 'ada' })
  const applied = { email: 'bob@example.com', name: 'Bob' }
  const applicant = (await ask('POST', '/affiliates/applications', applied)).partner
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
  // The next noon, far from both ends of its day.
  const minutes = 36 * 60 - (Math.floor(Date.now() / 60_000) % 1_440)
  await ask('POST', '/account/test-clock', { advance: `${Math.floor(minutes / 2)}m` })
  await ask('POST', '/account/test-clock', { advance: `${Math.ceil(minutes / 2)}m` })
  await buy('ada@example.com')
  const refunded = await buy('mara@example.com')
  await ask('POST', `/orders/${refunded.id}/refund`, { amount_cents: 500 })
  await ask('POST', '/account/test-clock', { advance: '1h' })
  const asked = { partner_id: partner.id, method: 'bank_transfer', destination: 'DE02 1203' }
  const { payout } = await ask('POST', '/affiliates/payouts', asked)
  ids = { partner: partner.id, applicant: applicant.id, payout: payout.id }
}

const open = async (page: Page, path: string) => {
  const filled = path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
  await page.goto(at(filled))
  await page.locator('h1').waitFor()
  await vi.waitFor(async () => expect(await page.locator('.skeleton').count()).toBe(0), 30_000)
}

const PATHS = [
  '',
  '/analytics',
  '/analytics?days=365&show=orders',
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
      const check = async (name: string) => {
        expect(await page.locator('.failure').count(), name).toBe(0)
        await page.evaluate(AXE)
        const { violations } = (await page.evaluate('axe.run()')) as Json
        const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`)
        expect(found, name).toEqual([])
        const wide = 'document.documentElement.scrollWidth - window.innerWidth'
        expect(await page.evaluate(wide), name).toBeLessThanOrEqual(0)
      }
      for (const path of PATHS) {
        await open(page, path)
        await check(path)
        const twin = page.getByRole('button', { name: 'Table', exact: true })
        if ((await twin.count()) === 0) continue
        await twin.click()
        await check(`${path} as a table`)
      }
      await viewed.close()
    },
  )
})

describe('charts', () => {
  const money = (cents: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

  test('are read by the arrow keys, and have a table with the values of the API', async () => {
    const { summary } = await ask('GET', '/analytics/sales')
    const page = await context.newPage()
    await open(page, '/analytics')
    const chart = page.getByRole('application', { name: /^Net sales \(USD\)/ })
    const reading = page.locator('output.reading')
    await chart.focus()
    await page.keyboard.press('End')
    const last = summary.series.at(-1)
    expect(last.net_cents).toBe(2 * 1999 - 500)
    expect(await reading.textContent()).toContain(`: ${money(last.net_cents)}`)
    await page.keyboard.press('ArrowLeft')
    expect(await reading.textContent()).toContain(`: ${money(1999)}`)
    await page.keyboard.press('Home')
    expect(await reading.textContent()).toContain(`: ${money(0)}`)
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const rows = page.getByRole('table', { name: 'Net sales' }).locator('tbody tr')
    const shown = await rows.locator('td:nth-child(2)').allTextContents()
    expect(shown).toEqual(summary.series.map(({ net_cents }: Json) => money(net_cents)))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).first().click()
    const file = readFileSync((await (await download).path()) ?? '', 'utf8')
    const lines = file.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual(
      summary.series.map(({ date, net_cents }: Json) => `${date} ${(net_cents / 100).toFixed(2)}`),
    )
    await page.close()
  })

  test('show the range of the address, and another one after a wrong range', async () => {
    const page = await context.newPage()
    await open(page, '/analytics?from=2026-02-10&to=2026-02-01')
    await page.locator('.failure').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByLabel('By', { exact: true }).selectOption('month')
    await page.getByRole('button', { name: 'Show range' }).click()
    await page.getByText('Thu, Jan 1, 2026 to Sun, Feb 1, 2026.').waitFor()
    expect(new URL(page.url()).search).toBe('?from=2026-01-01&to=2026-02-01&interval=month')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const rows = page.getByRole('table', { name: 'Net sales' }).locator('tbody tr')
    expect(await rows.locator('td:first-child').allTextContents()).toEqual([
      'Thu, Jan 1, 2026',
      'Sun, Feb 1, 2026',
    ])
    await page.close()
  })

  test('of Home count each order in the hour in which it was paid', async () => {
    const { orders, pagination } = await ask('GET', '/orders?sort=-paid_at')
    expect(pagination.total).toBe(3)
    const today = orders.filter(
      ({ paid_at }: Json) => paid_at.slice(0, 10) === orders[0].paid_at.slice(0, 10),
    )
    const page = await context.newPage()
    await open(page, '')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const rows = page.getByRole('table', { name: 'Paid orders' }).locator('tbody tr')
    const shown = await rows.locator('td:nth-child(2)').allTextContents()
    expect(shown).toHaveLength(24)
    expect(Number(shown[new Date(today[0].paid_at).getUTCHours()])).toBe(today.length)
    await page.close()
  })
})

describe('the affiliate programme', () => {
  test('an application is approved, a conversion rejected, and a payout marked as sent', async () => {
    const page = await context.newPage()
    const act = async (label: string, submit: string | RegExp = label, name?: string) => {
      await page.getByRole('button', { name: label, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      if (name !== undefined) await dialog.getByRole('textbox').first().fill(name)
      await dialog.getByRole('button', { name: submit }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await open(page, '/affiliates/partners?status=applied')
    await page.getByRole('link', { name: 'bob@example.com' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
    await act('Approve')
    await page.locator('.stamp', { hasText: 'Approved' }).waitFor()

    await open(page, '/affiliates')
    await page.getByRole('button', { name: 'Flagged 1' }).click()
    await page.getByText('The buyer is the partner').waitFor()
    await act('Reject', 'Reject', 'Bought by themselves')
    await page.getByRole('button', { name: 'Rejected 1' }).waitFor()

    await open(page, '')
    await page.getByRole('link', { name: 'Payout requests of partners' }).click()
    await page.getByRole('link', { name: /^Payout \d+$/ }).click()
    await act('Mark as sent', /^Mark \$\S+ as sent$/, 'Transfer 4711')
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
