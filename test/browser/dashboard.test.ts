import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fromNow } from '../clock.ts'
import type { Json } from '../harness.ts'
import {
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  openEntry,
  press,
  tabTo,
  untilDialogHasFocus,
  untilLoaded,
  WAIT_MS,
} from './dashboard-harness.ts'
import { holdRequests } from './held-requests.ts'

/** An address without a listener. */
const UNUSED_URL = 'http://127.0.0.1:59999/hook'
const PASSWORD = 'correct horse battery staple'
const SESSION_ENDED = { status: 401, json: { success: false, code: 'SIGN_IN_REQUIRED' } }
const PASSWORD_NEEDED = { status: 403, json: { success: false, code: 'STEP_UP_REQUIRED' } }

let dashboard: OpenedDashboard
let context: BrowserContext
let ask: OpenedDashboard['ask']
let consoleErrors: string[]
let email: string
/** The ids in addresses, by the names in PATHS. */
let ids: Record<string, string | number>

const urlOf = (path: string) =>
  `${dashboard.server.origin}/dashboard/${dashboard.server.test.id}${path}`

beforeAll(async () => {
  dashboard = await openDashboard()
  ;({ context, ask } = dashboard)
  await dashboard.setPassword(PASSWORD)
  const page = await context.newPage()
  await dashboard.goTo(page, '')
  const { user } = (await inPage(page, 'GET', '/me')) as Json
  email = user.email
  const { webhook } = await ask('POST', '/webhooks', {
    url: UNUSED_URL,
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
  const side = `/stores/${dashboard.server.test.id}`
  ids = {
    order: order.id,
    product: product.id,
    variant: order.items[0].variant_id,
    customer: order.customer.id,
    webhook: webhook.id,
    key: await firstIdOf(page, `${side}/api-keys`, 'api_keys'),
    delivery: await firstIdOf(page, `${side}/v1/events/deliveries`, 'deliveries'),
    call: await firstIdOf(page, `${side}/v1/account/calls`, 'calls'),
  }
  await page.close()
})
afterAll(() => dashboard?.close())

/** The compressed size of the scripts that the home page loads before its heading is shown, in bytes. */
const FIRST_SCRIPT_MAX = 146_000
/** The compressed size of all its scripts, with those of charts and dialogs, which are loaded later. */
const ALL_SCRIPT_MAX = 200_000

test('the first page loads at most 146 KB of compressed script, and at most 200 KB in all', async () => {
  const page = await context.newPage()
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
  })
  const html = await (await context.request.get(urlOf(''))).text()
  const sum = async (isCounted: (url: string) => boolean) => {
    const bodies = [...scripts].filter(([url]) => isCounted(url)).map(([, body]) => body)
    return (await Promise.all(bodies)).reduce((size, body) => size + gzipSync(body).length, 0)
  }
  await page.goto(urlOf(''))
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  // The document names what the heading needs. The rest may arrive at any moment.
  const isNamed = (url: string) => html.includes(new URL(url).pathname)
  expect([...scripts.keys()].filter(isNamed).length).toBeGreaterThan(1)
  expect(await sum(isNamed)).toBeLessThanOrEqual(FIRST_SCRIPT_MAX)
  await vi.waitFor(() => {
    const names = [...scripts.keys()].join()
    for (const name of ['chart', 'palette', 'prompts']) expect(names).toContain(name)
  }, WAIT_MS)
  expect(await sum(() => true)).toBeLessThanOrEqual(ALL_SCRIPT_MAX)
  await page.close()
})

test('scripts and styles are sent in a compression that the browser accepts, or uncompressed', async () => {
  const html = await (await context.request.get(urlOf(''))).text()
  const assets = html.match(/[^"]+\.(js|css)(?=")/g) ?? []
  expect(assets.length).toBeGreaterThan(2)
  for (const asset of assets) {
    const download = async (accepted: string) => {
      const headers = { 'accept-encoding': accepted }
      const response = await fetch(dashboard.server.origin + asset, { headers })
      expect(response.headers.get('vary')).toBe('accept-encoding')
      expect(response.headers.get('cache-control')).toContain('immutable')
      return [response.headers.get('content-encoding'), await response.text()]
    }
    const [coding, text] = await download('identity')
    expect(coding).toBeNull()
    expect(await download('gzip, deflate, br')).toEqual(['br', text])
    expect(await download('gzip')).toEqual(['gzip', text])
    expect(await download('br;q=0, gzip;q=0')).toEqual([null, text])
  }
})

test('only the home page names the scripts that only it needs', async () => {
  const preloads = async (path: string) => {
    const html = await (await context.request.get(urlOf(path))).text()
    return html.match(/<link[^>]+modulepreload[^>]+home-[^>]+>/g) ?? []
  }
  expect((await preloads('')).length).toBeGreaterThan(0)
  expect(await preloads('/orders')).toEqual([])
})

test('a menu whose code is not loaded yet opens when its button is pressed', async () => {
  const page = await context.newPage()
  let releaseScript = () => {}
  const scriptRelease = new Promise<void>((resolve) => {
    releaseScript = resolve
  })
  await page.route(/menus-.*\.js$/, async (route) => {
    await scriptRelease
    await route.continue()
  })
  await page.goto(urlOf(''))
  const button = page.locator('.user-button')
  await button.focus()
  await button.press('Enter')
  releaseScript()
  const entry = page.getByRole('menuitem', { name: 'Sign out' })
  await entry.waitFor()
  await page.keyboard.press('Escape')
  await entry.waitFor({ state: 'detached' })
  await page.locator('.user-button:focus').waitFor()
  await page.close()
})

/** The id of the first record of a list, once the list has one. */
async function firstIdOf(page: Page, path: string, field: string): Promise<string | number> {
  const list = await vi.waitFor(
    async () => {
      const answer = (await inPage(page, 'GET', path)) as Json
      expect(answer[field]?.length, JSON.stringify(answer)).toBeGreaterThan(0)
      return answer[field]
    },
    { timeout: WAIT_MS, interval: 200 },
  )
  return list[0].id ?? list[0].request_id
}

/** Calls the private API as the page does. */
const inPage = (page: Page, method: string, path: string, body?: unknown): Promise<unknown> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const content = body === undefined ? {} : { body: JSON.stringify(body), headers }
      return (await fetch(`/dashboard/api${path}`, { method: String(method), ...content })).json()
    },
    [method, path, body] as const,
  )

/** Opens a page of the test side, and fails on errors in the browser's console. */
function on(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  consoleErrors = []
  const listen = (page: Page) => {
    page.on('pageerror', (error) => consoleErrors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
  }
  return dashboard.on(path, (page) => work(page).then(() => expectEmpty(consoleErrors)), listen)
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
  '/settings/payments',
  '/settings/wallet',
  '/settings/wallet/ledger',
  '/settings/mail',
  '/settings/mail/order_delivery/en',
  '/settings/outbox',
  '/settings/audit',
  '/settings/system',
]

describe('pages of the dashboard', () => {
  test('have no axe violations in either theme and do not scroll sideways', () =>
    dashboard.examine(
      PATHS.map((item) => item.replace(/\$(\w+)/g, (_, name) => String(ids[name]))),
    ))

  test('run under their content security policy without errors', async () => {
    await on('', async (page) => {
      for (const name of NAMES) {
        await openEntry(page, name)
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    })
  })
})

describe('tasks', () => {
  test('a test order is created, opened at its own address, and refunded with the keyboard', async () => {
    await on('/orders', async (page) => {
      await press(page, 'Make a test order')
      await untilDialogHasFocus(page.getByRole('dialog'))
      await page.keyboard.type('Space Game')
      const found = page.getByRole('dialog').getByRole('button', { name: /^Add / })
      await expect.poll(() => found.count()).toBe(1)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByLabel('Quantity of Space Game').waitFor()
      await tabTo(page, 'Email')
      await page.keyboard.type('new@example.com')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^Order #/ }).waitFor()
      expect(page.url()).toMatch(/\/orders\/ord_\w+$/)
      const id = page.url().split('/').at(-1) ?? ''
      await press(page, 'Refund')
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
      await page.getByRole('link', { name: 'Stock', exact: true }).click()
      await page.getByRole('link', { name: 'Keys', exact: true }).click()
      await page.getByRole('heading', { name: 'Add keys' }).waitFor()
      await untilLoaded(page)
      const tooLong = 'x'.repeat(5_000)
      await page.getByLabel('One key per line').fill(`KEY-1\nKEY-2\nKEY-2\n${tooLong}\n`)
      await page.getByRole('button', { name: 'Check 4 lines' }).click()
      await page.getByText('2 new, 1 repeated in this list or already in stock').waitFor()
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
    const items = [{ product_id: products[0].id, quantity: 2 }]
    const customer = { email: 'keys@example.com' }
    const { order } = await ask('POST', '/orders', { items, customer, mark_paid: true })
    expect(order.deliveries[0].keys.toSorted()).toEqual(['KEY-1', 'KEY-2'])
  })

  test('an order created through the API appears in the list without a reload', async () => {
    await on('/orders', async (page) => {
      await ask('POST', '/orders', {
        items: [{ product_id: ids.product, quantity: 1 }],
        customer: { email: 'live@example.com' },
        mark_paid: true,
      })
      await page.getByText('live@example.com').waitFor()
    })
  })

  test('orders are filtered by days, and the last day is included', async () => {
    await on('/orders', async (page) => {
      // Swedish dates have the form of the field.
      const day = (days: number) => new Date(fromNow(days * 86_400_000)).toLocaleDateString('sv')
      const filter = async (from: string, to: string) => {
        await page.getByLabel('From', { exact: true }).fill(from)
        await page.getByLabel('To', { exact: true }).fill(to)
        await page.getByRole('button', { name: 'Search', exact: true }).click()
      }
      await filter(day(-1), day(1))
      await page.getByText('mara@example.com').waitFor()
      await filter(day(-3), day(-2))
      await page.getByText(/^Nothing matches “From: .* and “To: /).waitFor()
    })
  })

  test('a session that ends while a form is open loses no typed text', async () => {
    const ownContext = await dashboard.browser.newContext({
      storageState: await context.storageState(),
    })
    const page = await ownContext.newPage()
    await page.goto(urlOf(`/orders/${ids.order}`))
    await page.getByRole('button', { name: 'Edit note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Called on Monday')
    const release = await holdRequests(page)
    await ownContext.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    release()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByRole('textbox', { name: 'Email (required)' }).fill(email)
    await page.getByRole('textbox', { name: 'Password (required)' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.facts').getByText('Called on Monday').waitFor()
    expect((await ask('GET', `/orders/${ids.order}`)).order.note).toBe('Called on Monday')
    await ownContext.close()
  })

  test('a read that is refused because the session was replaced meanwhile is repeated, without a sign-in', async () => {
    const page = await context.newPage()
    let refusals = 0
    await page.route(/\/counts$/, (route) =>
      refusals++ === 0 ? route.fulfill(SESSION_ENDED) : route.continue(),
    )
    const isRepeated = page.waitForResponse(
      (response) => /\/counts$/.test(response.url()) && response.ok(),
    )
    await page.goto(urlOf('/orders'))
    await isRepeated
    await page.getByText('mara@example.com').waitFor()
    expect(await page.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0)
    await page.close()
  })

  test('a change is sent after the password and the sign-in that are requested at the same time', async () => {
    const ownContext = await dashboard.browser.newContext({
      storageState: await context.storageState(),
    })
    const page = await ownContext.newPage()
    const stepUp = page.getByRole('heading', { name: 'Enter your password again' })
    let isSignedIn = false
    await page.route(/\/counts$/, async (route) => {
      if (isSignedIn) return route.continue()
      await stepUp.waitFor()
      await route.fulfill(SESSION_ENDED)
    })
    let changes = 0
    await page.route(/\/v1\/orders\/\w+$/, (route) =>
      route.request().method() === 'PATCH' && changes++ === 0
        ? route.fulfill(PASSWORD_NEEDED)
        : route.continue(),
    )
    await page.goto(urlOf(`/orders/${ids.order}`))
    await page.getByRole('button', { name: 'Edit note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Called on Tuesday')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    isSignedIn = true
    await page.getByRole('textbox', { name: 'Email (required)' }).fill(email)
    await page.getByRole('textbox', { name: 'Password (required)' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await stepUp.waitFor()
    await page.getByRole('textbox', { name: 'Password (required)' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('.facts').getByText('Called on Tuesday').waitFor()
    expect((await ask('GET', `/orders/${ids.order}`)).order.note).toBe('Called on Tuesday')
    await ownContext.close()
  })
})
