import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { examine, WIDTHS } from './dashboard-harness.ts'
import { openPlainPages, type PlainPages, tabTo } from './plain-pages.ts'

let pages: PlainPages
beforeAll(async () => {
  pages = await openPlainPages()
})
afterAll(() => pages?.close())

const PAGES = [
  '/',
  '/docs',
  '/docs/store/coupons',
  '/docs/errors/OUT_OF_STOCK',
  '/docs/webhooks',
  '/docs/guides/webhooks',
  '/docs/guides/backup',
]

describe('pages', () => {
  test.each(WIDTHS)(
    'at %i px have no axe violations in either theme and do not scroll sideways',
    async (width) => {
      const view = {
        viewport: { width, height: 800 },
        colorScheme: 'light',
        bypassCSP: true,
      } as const
      await pages.on('/', view, async (page) => {
        for (const path of PAGES) {
          await page.goto(pages.address + path)
          await examine(page, path)
        }
      })
    },
  )

  test('are complete without script: samples in every language, and search by the form', async () => {
    await pages.on('/docs/store/coupons', { javaScriptEnabled: false }, async (page) => {
      const create = page.locator('[id="coupons.create"]')
      expect(await create.locator('figure:visible').count()).toBe(3)
      expect(await page.locator('button.copy:visible, button.try:visible').count()).toBe(0)
      await page.getByRole('searchbox').fill('refund')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await page.getByRole('link', { name: 'orders.refund' }).count()).toBe(1)
    })
  })

  test('skip to their content with the first Tab', async () => {
    await pages.on('/docs', {}, async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')
    })
  })
})

describe('with the keyboard', () => {
  test('search finds results while typing, and Enter opens the selected one', async () => {
    await pages.on('/docs', {}, async (page) => {
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

  test('search forgives exchanged letters', async () => {
    await pages.on('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('refnud')
      await page.getByRole('option', { name: /orders\.refund/ }).waitFor()
    })
  })

  test('Enter without a selection submits the search, and Escape closes the list', async () => {
    await pages.on('/docs', {}, async (page) => {
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
    await pages.on('/docs/store/coupons', { permissions }, async (page) => {
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

  test('the reference makes a call with a test key, and the browser does not store the key', async () => {
    const { id } = await product(pages.tradepost, { name: 'Tried' }, { as: pages.tradepost.test })
    await pages.on('/docs/store/products', {}, async (page) => {
      await page.locator('[id="products.get"] button.try').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type(pages.tradepost.test.api_key ?? '')
      await page.keyboard.press('Tab')
      await page.keyboard.type(pages.tradepost.test.id)
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
      expect(page.url()).not.toContain(pages.tradepost.test.id)
    })
  })

  test('a live key is refused before anything is sent', async () => {
    await pages.on('/docs/store/products', {}, async (page) => {
      const sentRequests: string[] = []
      page.on('request', (request) => sentRequests.push(request.url()))
      await page.locator('[id="products.delete"] button.try').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type(pages.tradepost.live.api_key ?? '')
      await page.keyboard.press('Tab')
      await page.keyboard.type(pages.tradepost.live.id)
      await page.keyboard.press('Enter')
      await page
        .getByRole('status')
        .getByText(/begins with sk_test_/)
        .waitFor()
      expect(sentRequests).toEqual([])
    })
  })
})
