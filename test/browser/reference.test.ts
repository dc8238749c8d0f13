import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { examine, expectEmpty, launchInstalled, WIDTHS } from './dashboard-harness.ts'

let tradepost: Tradepost
let browser: Browser
let address: string
beforeAll(async () => {
  tradepost = await openTradepost()
  address = await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchInstalled()
})
afterAll(async () => {
  await browser?.close()
  await tradepost.close()
})

/** Opens a page, runs the work, and fails on any error in the browser. */
async function onPage<T>(
  path: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const browserErrors: string[] = []
  page.on('pageerror', (error) => browserErrors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(message.text())
  })
  await page.goto(address + path)
  const result = await work(page)
  expectEmpty(browserErrors)
  await context.close()
  return result
}

/** Moves the focus with Tab to the element that has exactly this label or text. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
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
  test.each(WIDTHS)(
    'at %i px have no axe violations in either theme and do not scroll sideways',
    async (width) => {
      const view = {
        viewport: { width, height: 800 },
        colorScheme: 'light',
        bypassCSP: true,
      } as const
      await onPage('/', view, async (page) => {
        for (const path of PAGES) {
          await page.goto(address + path)
          await examine(page, path)
        }
      })
    },
  )

  test('are complete without script: samples in every language, and search by the form', async () => {
    await onPage('/docs/store/coupons', { javaScriptEnabled: false }, async (page) => {
      const create = page.locator('[id="coupons.create"]')
      expect(await create.locator('figure:visible').count()).toBe(3)
      expect(await page.locator('button.copy:visible, button.try:visible').count()).toBe(0)
      await page.getByRole('searchbox').fill('refund')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await page.getByRole('link', { name: 'orders.refund' }).count()).toBe(1)
    })
  })

  test('skip to their content with the first Tab', async () => {
    await onPage('/docs', {}, async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')
    })
  })
})

describe('with the keyboard', () => {
  test('search finds results while typing, and Enter opens the selected one', async () => {
    await onPage('/docs', {}, async (page) => {
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

  test('Enter without a selection submits the search, and Escape closes the list', async () => {
    await onPage('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('coupon')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('option').count()).toBe(0)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/search?q=coupon')
    })
  })

  test('a sample is copied as printed, in the selected language', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await onPage('/docs/store/coupons', { permissions }, async (page) => {
      await page.locator('[id="coupons.create"] [data-show="TypeScript"]').first().focus()
      await page.keyboard.press('Enter')
      await tabTo(page, 'Copy TypeScript')
      await page.keyboard.press('Enter')
      await page.getByText('Copied').waitFor()
      const copiedText = await page.evaluate('navigator.clipboard.readText()')
      expect(copiedText).toContain('await tradepost.coupons.create(')
      expect(await page.locator('figure[data-language="curl"]:visible').count()).toBe(0)
    })
  })

  test('the reference makes a call with a test key, and the browser does not store the key (decision 242)', async () => {
    const { id } = await product(tradepost, { name: 'Tried' }, { as: tradepost.test })
    await onPage('/docs/store/products', {}, async (page) => {
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
      const storage = '[document.cookie, localStorage.length, sessionStorage.length].join()'
      expect(await page.evaluate(storage)).toBe(',0,0')
      expect(page.url()).not.toContain(tradepost.test.id)
    })
  })

  test('a live key is refused before anything is sent (decision 242)', async () => {
    await onPage('/docs/store/products', {}, async (page) => {
      const sentRequests: string[] = []
      page.on('request', (request) => sentRequests.push(request.url()))
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
      expect(sentRequests).toEqual([])
    })
  })
})
