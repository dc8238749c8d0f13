import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

let tradepost: Tradepost
let browser: Browser
let address: string
beforeAll(async () => {
  tradepost = await openTradepost()
  address = await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await browser?.close()
  await tradepost.close()
})

/** Opens a page, does the work, and fails on whatever the browser complains of. */
async function on<T>(
  path: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(address + path)
  const result = await work(page)
  expect(complaints).toEqual([])
  await context.close()
  return result
}

const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent",
    )
    if (focused === name) return
  }
  throw new Error(`No Tab leads to ${name}.`)
}

const PAGES = ['/', '/docs', '/docs/store/coupons', '/docs/errors/OUT_OF_STOCK', '/docs/webhooks']

describe('pages', () => {
  const views = [320, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  )
  test.each(views)(
    'at $width px in $colorScheme have no fault that axe finds, and do not scroll sideways',
    async ({ width, colorScheme }) => {
      const view = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true }
      await on('/', view, async (page) => {
        for (const path of PAGES) {
          await page.goto(address + path)
          await page.evaluate(AXE)
          const { violations } = (await page.evaluate('axe.run()')) as Json
          const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`)
          expect(found, path).toEqual([])
          const wide = 'document.documentElement.scrollWidth - window.innerWidth'
          expect(await page.evaluate(wide), path).toBeLessThanOrEqual(0)
        }
      })
    },
  )

  test('are whole without a script: the samples in both languages, and search by the form', async () => {
    await on('/docs/store/coupons', { javaScriptEnabled: false }, async (page) => {
      const create = page.locator('[id="coupons.create"]')
      expect(await create.locator('figure:visible').count()).toBe(3)
      expect(await page.locator('button.copy:visible, button.try:visible').count()).toBe(0)
      await page.getByRole('searchbox').fill('refund')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await page.getByRole('link', { name: 'orders.refund' }).count()).toBe(1)
    })
  })

  test('skip to their content with the first Tab', async () => {
    await on('/docs', {}, async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')
    })
  })
})

describe('by keyboard', () => {
  test('search finds while typing, and Enter opens the selected result', async () => {
    await on('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('orders.refund')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
      expect(await page.getByRole('option', { selected: true }).textContent()).toContain(
        'orders.refund',
      )
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/store/orders#orders.refund')
    })
  })

  test('Enter without a choice asks the server, and Escape closes the list', async () => {
    await on('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('coupon')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('option').count()).toBe(0)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/search?q=coupon')
    })
  })

  test('a sample is copied as it is printed, in the language that was chosen', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await on('/docs/store/coupons', { permissions }, async (page) => {
      await page.locator('[id="coupons.create"] [data-show="TypeScript"]').first().focus()
      await page.keyboard.press('Enter')
      await tabTo(page, 'Copy TypeScript')
      await page.keyboard.press('Enter')
      await page.getByText('Copied').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain('await tradepost.coupons.create(')
      expect(await page.locator('figure[data-language="curl"]:visible').count()).toBe(0)
    })
  })

  test('a call is tried with a test key, which is kept nowhere (decision 242)', async () => {
    const { id } = await product(tradepost, { name: 'Tried' }, { as: tradepost.test })
    await on('/docs/store/products', {}, async (page) => {
      await page.locator('[id="products.get"] button.try').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type(tradepost.test.api_key ?? '')
      await page.keyboard.press('Tab')
      await page.keyboard.type(tradepost.test.id)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Control+A')
      await page.keyboard.type(id)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText(/^200 /).waitFor()
      expect(
        await page.getByRole('region', { name: 'Answer', exact: true }).textContent(),
      ).toContain('"name": "Tried"')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
      const stored = '[document.cookie, localStorage.length, sessionStorage.length].join()'
      expect(await page.evaluate(stored)).toBe(',0,0')
      expect(page.url()).not.toContain(tradepost.test.id)
    })
  })

  test('a live key is refused before anything is sent (decision 242)', async () => {
    await on('/docs/store/products', {}, async (page) => {
      const sent: string[] = []
      page.on('request', (request) => sent.push(request.url()))
      await page.locator('[id="products.delete"] button.try').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type(tradepost.live.api_key ?? '')
      await page.keyboard.press('Tab')
      await page.keyboard.type(tradepost.live.id)
      await page.keyboard.press('Enter')
      await page
        .getByRole('status')
        .getByText(/begins with sk_test_/)
        .waitFor()
      expect(sent).toEqual([])
    })
  })
})
