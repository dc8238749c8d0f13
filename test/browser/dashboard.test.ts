import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../process/spawn-server.ts'
import { tabTo } from './dashboard-harness.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** An address without a listener. */
const NOBODY = 'http://127.0.0.1:59999/hook'
const PASSWORD = 'correct horse battery staple'

let installation: Installation
let server: Server
let browser: Browser
let context: BrowserContext
let complaints: string[]
let email: string
/** The ids that stand in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

const target = () => ({
  origin: server.origin,
  store: server.test.id,
  key: server.test.api_key ?? '',
})
const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
  (await call(target(), method, path, body === undefined ? {} : { body })).json
const at = (path: string) => `${server.origin}/dashboard/${server.test.id}${path}`

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(/http\S+sign-in\?token=\S+/.exec(server.stdout())?.[0] ?? '')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const { user } = (await inPage(page, 'GET', '/me')) as Json
  email = user.email
  await inPage(page, 'POST', '/password', { password: PASSWORD })
  const { webhook } = await ask('POST', '/webhooks', {
    url: NOBODY,
    events: ['order.created'],
  })
  const { product } = await ask('POST', '/products', {
    name: 'Space Game',
    price_cents: 1999,
    type: 'service',
    status: 'active',
  })
  const { order } = await ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email: 'mara@example.com' },
    mark_paid: true,
  })
  const side = `/stores/${server.test.id}`
  ids = {
    order: order.id,
    product: product.id,
    variant: order.items[0].variant_id,
    customer: order.customer.id,
    webhook: webhook.id,
    key: await first(page, `${side}/api-keys`, 'api_keys'),
    delivery: await first(page, `${side}/v1/events/deliveries`, 'deliveries'),
    call: await first(page, `${side}/request-log`, 'calls'),
  }
  await page.close()
})
afterAll(async () => {
  await browser?.close()
  await installation?.close()
})

test('the first page needs at most 200 KB of script, compressed', async () => {
  const page = await context.newPage()
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') {
      scripts.set(response.url(), response.body())
    }
  })
  await page.goto(at(''))
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const sizes = await Promise.all(
    [...scripts.values()].map(async (body) => gzipSync(await body).length),
  )
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(200_000)
  await page.close()
})

/** The id of the first record of a list, once there is one. */
async function first(page: Page, path: string, field: string): Promise<string | number> {
  const list = await vi.waitFor(
    async () => {
      const answer = (await inPage(page, 'GET', path)) as Json
      expect(answer[field]?.length, JSON.stringify(answer)).toBeGreaterThan(0)
      return answer[field]
    },
    { timeout: 60_000, interval: 200 },
  )
  return list[0].id ?? list[0].request_id
}

/** Calls the private API as the page does. */
const inPage = (page: Page, method: string, path: string, body?: unknown): Promise<unknown> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers }
      return (await fetch(`/dashboard/api${path}`, { method: String(method), ...sent })).json()
    },
    [method, path, body] as const,
  )

/** Opens a page of the test side, and fails on errors in the browser's console. */
async function on(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  complaints = []
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  try {
    await page.goto(at(path))
    await page.locator('h1').waitFor()
    await work(page)
    expect(complaints).toEqual([])
  } finally {
    await page.close()
  }
}

const NAMES = ['Home', 'Orders']
const PATHS = [
  '',
  '/orders',
  '/orders/$order',
  '/products',
  '/products/$product',
  '/customers',
  '/blocklist',
  '/products/$product/variants/$variant/keys',
  '/customers/$customer',
  '/api-keys',
  '/api-keys/$key',
  '/webhooks/$webhook',
  '/events/deliveries/$delivery',
  '/request-log/$call',
  '/webhooks',
  '/events',
  '/request-log',
  '/settings/team',
  '/settings/account',
  '/settings/store',
  '/settings/wallet',
  '/settings/outbox',
  '/settings/audit',
  '/settings/system',
]

describe('pages of the dashboard', () => {
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
      for (const path of PATHS.map((item) =>
        item.replace(/\$(\w+)/g, (_, name) => String(ids[name])),
      )) {
        await page.goto(at(path))
        await page.locator('h1').waitFor()
        await page.waitForFunction("document.querySelector('.skeleton') === null")
        expect(await page.locator('.failure').count(), path).toBe(0)
        await page.evaluate(AXE)
        const { violations } = (await page.evaluate('axe.run()')) as Json
        const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`)
        expect(found, path).toEqual([])
        const wide = 'document.documentElement.scrollWidth - window.innerWidth'
        expect(await page.evaluate(wide), path).toBeLessThanOrEqual(0)
      }
      await viewed.close()
    },
  )

  test('run under their content security policy without an error', async () => {
    await on('', async (page) => {
      for (const name of NAMES) {
        await page.getByRole('navigation').getByRole('link', { name }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    })
  })
})

describe('journeys', () => {
  test('a test order is made, found by its address and refunded by keyboard only', async () => {
    await on('/orders', async (page) => {
      const open = async (name: string) => {
        await tabTo(page, name)
        await page.keyboard.press('Enter')
      }
      await open('Make a test order')
      await page.getByRole('option', { name: 'Space Game' }).waitFor({ state: 'attached' })
      await tabTo(page, 'Product')
      await page.keyboard.type('Space')
      await tabTo(page, 'E-mail')
      await page.keyboard.type('new@example.com')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^Order #/ }).waitFor()
      expect(page.url()).toMatch(/\/orders\/ord_\w+$/)
      const id = page.url().split('/').at(-1) ?? ''
      await open('Refund')
      await tabTo(page, 'Amount')
      await page.keyboard.type('5')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const { order } = await ask('GET', `/orders/${id}`)
      expect(order).toMatchObject({ refunded_cents: 500, refund_status: 'partial' })
      expect(order.refunds).toMatchObject([{ amount_cents: 500, actor: { type: 'user' } }])
    })
  })

  test('keys are checked, then imported, and the product is published and sold', async () => {
    await on('/products', async (page) => {
      await page.getByRole('button', { name: 'New product' }).click()
      await page.getByRole('textbox', { name: 'Name (required)' }).fill('Star Key')
      await page.getByRole('textbox', { name: 'Price (required)' }).fill('4.50')
      await page.getByRole('dialog').getByRole('button', { name: 'New product' }).click()
      await page.getByRole('heading', { level: 1, name: 'Star Key' }).waitFor()
      await page.getByRole('link', { name: 'Keys', exact: true }).click()
      const tooLong = 'x'.repeat(5_000)
      await page.getByLabel('One key a line').fill(`KEY-1\nKEY-2\nKEY-2\n${tooLong}\n`)
      await page.getByRole('button', { name: 'Check 4 lines' }).click()
      await page.getByText('2 new, 1 twice in this list or in stock').waitFor()
      await page.getByText(/^Line 4: /).waitFor()
      await page.getByRole('button', { name: 'Add 2 new keys' }).click()
      await page.getByText('2 keys were added.').waitFor()
      await page.getByRole('link', { name: 'Star Key' }).click()
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
    const { products } = await ask('GET', '/products?search=Star')
    expect(products).toMatchObject([{ status: 'active', price_cents: 450 }])
    const bought = { items: [{ product_id: products[0].id, quantity: 2 }] }
    const customer = { email: 'keys@example.com' }
    const { order } = await ask('POST', '/orders', { ...bought, customer, mark_paid: true })
    expect(order.deliveries[0].keys.toSorted()).toEqual(['KEY-1', 'KEY-2'])
  })

  test('an order that the API makes appears in the list without a reload', async () => {
    await on('/orders', async (page) => {
      await ask('POST', '/orders', {
        items: [{ product_id: ids.product, quantity: 1 }],
        customer: { email: 'live@example.com' },
        mark_paid: true,
      })
      await page.getByText('live@example.com').waitFor()
    })
  })

  test('orders are filtered by days, of which the last is included', async () => {
    await on('/orders', async (page) => {
      const day = (days: number) => {
        const date = new Date(Date.now() + days * 86_400_000)
        return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
          .map((part) => String(part).padStart(2, '0'))
          .join('-')
      }
      const filter = async (from: string, to: string) => {
        await page.getByLabel('From', { exact: true }).fill(from)
        await page.getByLabel('To', { exact: true }).fill(to)
        await page.getByRole('button', { name: 'Search', exact: true }).click()
      }
      await filter(day(-1), day(1))
      await page.getByText('mara@example.com').waitFor()
      await filter(day(-3), day(-2))
      await page.getByText('Nothing matches these filters.').waitFor()
    })
  })

  test('a session that ends in the middle of a form loses nothing that was typed', async () => {
    const ended = await browser.newContext({ storageState: await context.storageState() })
    const page = await ended.newPage()
    await page.goto(at(`/orders/${ids.order}`))
    await page.getByRole('button', { name: 'Edit note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Called on Monday')
    await ended.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByRole('textbox', { name: 'E-mail (required)' }).fill(email)
    await page.getByRole('textbox', { name: 'Password (required)' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.facts').getByText('Called on Monday').waitFor()
    expect((await ask('GET', `/orders/${ids.order}`)).order.note).toBe('Called on Monday')
    await ended.close()
  })
})
