import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

const PASSWORD = 'correct horse battery staple'
const EVENTS_MAX = 100

let dashboard: OpenedDashboard
let receiver: Receiver
let product: Json

beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  const { ask } = dashboard
  const game = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  product = (await ask('POST', '/products', game)).product
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  const keys = Array.from({ length: 20 }, (_, n) => `STAR-${n}`)
  await ask('POST', `/products/${product.id}/variants/${id}/keys`, { keys })
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
})

async function sell(email: string): Promise<Json> {
  const items = [{ product_id: product.id, quantity: 1 }]
  const sent = { items, customer: { email }, mark_paid: true }
  return (await dashboard.ask('POST', '/orders', sent)).order
}

async function on(path: string, work: (page: Page) => Promise<void>) {
  const page = await dashboard.context.newPage()
  try {
    await dashboard.goTo(page, path)
    await work(page)
  } finally {
    await page.close()
  }
}

/** Tabs to a button and presses it. */
async function press(page: Page, name: string) {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Keys, secrets and the team ask for a password; an account from a sign-in link has none yet. */
async function passwordIfAsked(page: Page) {
  const asked = page.getByText('Your account has no password yet.')
  const secret = page.getByRole('dialog').getByText(/^(sk_test_|whsec_|http)\S+$/)
  await asked.or(secret).waitFor()
  if (!(await asked.isVisible())) return
  await tabTo(page, 'New password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

describe('by keyboard only', () => {
  test('the key of an order is replaced, and a part of its price refunded', async () => {
    const order = await sell('ada@example.com')
    const [delivery] = order.deliveries
    await on(`/orders/${order.id}`, async (page) => {
      await press(page, 'Replace keys')
      await page.getByRole('dialog').waitFor()
      await press(page, 'Replace keys')
      await closed(page)
      await press(page, 'Refund')
      await tabTo(page, 'Amount')
      await page.keyboard.type('2.50')
      await page.keyboard.press('Enter')
      await closed(page)
    })
    const { order: after } = await dashboard.ask('GET', `/orders/${order.id}`)
    expect(after).toMatchObject({ refunded_cents: 250, refund_status: 'partial' })
    const live = after.deliveries.filter(({ status }: Json) => status === 'delivered')
    expect(live).toHaveLength(1)
    expect(live[0].keys).toHaveLength(1)
    expect(live[0].keys).not.toEqual(delivery.keys)
  })

  test('an endpoint that was turned off is turned on again, and gets the next order', async () => {
    const { ask } = dashboard
    const url = { url: receiver.url, events: ['order.created'], enabled: false }
    const { webhook } = await ask('POST', '/webhooks', url)
    await on(`/webhooks/${webhook.id}`, async (page) => {
      await press(page, 'Turn on')
      await page.getByRole('dialog').waitFor()
      await press(page, 'Turn on')
      await closed(page)
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
    })
    const before = receiver.received.length
    await sell('bob@example.com')
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), 60_000)
    expect((await ask('GET', `/webhooks/${webhook.id}`)).webhook.enabled).toBe(true)
  })

  test('a secret is rolled while events are sent, and each delivery still fits the old one', async () => {
    const { ask } = dashboard
    const sent = { url: receiver.url, events: ['customer.created'] }
    const { webhook, secret } = await ask('POST', '/webhooks', sent)
    const from = receiver.received.length
    let isRolled = false
    let events = 0
    const addVisitor = () => ask('POST', '/customers', { email: `visitor-${events++}@example.com` })
    // A key has 300 calls a minute.
    const traffic = (async () => {
      while (!isRolled && events < EVENTS_MAX) await addVisitor().then(() => pause(200))
    })()
    let rolled = ''
    await on(`/webhooks/${webhook.id}/settings`, async (page) => {
      const roll = 'Roll, and sign with both for 24 hours'
      await press(page, roll)
      await page.getByRole('dialog').waitFor()
      await press(page, roll)
      await passwordIfAsked(page)
      rolled = (await page.getByText(/^whsec_\S+$/).textContent()) ?? ''
    })
    isRolled = true
    await traffic
    await addVisitor()
    await vi.waitFor(() => expect(receiver.received.length - from).toBe(events), 60_000)
    expect(rolled).not.toBe(secret)
    // A receiver that knows only the old secret goes on for 24 hours.
    const arrived = receiver.received.slice(from)
    for (const { body, headers } of arrived) await verify(body, headers, secret)
    const last = arrived.at(-1)
    await verify(last?.body ?? '', last?.headers, rolled)
  })

  test('a colleague is invited, accepts in a browser of their own, and may read but not write', async () => {
    let link = ''
    await on('/settings/team', async (page) => {
      await press(page, 'Invite somebody')
      await tabTo(page, 'E-mail')
      await page.keyboard.type('colleague@example.com')
      await tabTo(page, 'Role')
      await page.keyboard.type('Viewer')
      await press(page, 'Invite somebody')
      await passwordIfAsked(page)
      link = (await page.getByText(/^http\S+invitation\S+$/).textContent()) ?? ''
    })
    const theirs = await dashboard.context.browser()?.newContext()
    const page = await theirs?.newPage()
    if (!page) throw new Error('The browser is closed.')
    await page.goto(link)
    await tabTo(page, 'Your name')
    await page.keyboard.type('Colleague')
    await tabTo(page, 'New password')
    await page.keyboard.type(PASSWORD)
    await press(page, 'Accept')
    await page.getByRole('heading', { name: 'Choose a store' }).waitFor()
    await press(page, 'Demo · Test')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await dashboard.goTo(page, '/products')
    expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0)
    await page.getByText('Star Key').waitFor()
    await theirs?.close()
  })

  test('an order is found by the license key that it delivered', async () => {
    const { ask } = dashboard
    const game = { name: 'Licensed', type: 'license', price_cents: 1_000, status: 'active' }
    const { product } = await ask('POST', '/products', game)
    const items = [{ product_id: product.id, quantity: 1 }]
    const customer = { email: 'dee@example.com' }
    const { order } = await ask('POST', '/orders', { items, customer, mark_paid: true })
    await on('', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(order.deliveries[0].keys[0])
      await page.getByText('Order of this license').waitFor()
      expect(await page.getByText('Nothing found.').count()).toBe(0)
      // The first result is chosen already.
      await page.locator('[aria-selected=true]', { hasText: 'License …' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `Order #${order.number}` }).waitFor()
    })
  })

  test('a key is created for reading, narrowed, and loses the removed permissions', async () => {
    const { origin, test: store } = dashboard.server
    let key = ''
    await on('/api-keys', async (page) => {
      await press(page, 'Create key')
      await tabTo(page, 'Name')
      await page.keyboard.type('Till')
      await tabTo(page, 'What it may do')
      await page.keyboard.type('Read')
      await press(page, 'Create key')
      await passwordIfAsked(page)
      key = (await page.getByText(/^sk_test_\w+$/).textContent()) ?? ''
      await page.keyboard.press('Escape')
      await closed(page)
      await press(page, 'Till')
      await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
      await press(page, 'Edit')
      await tabTo(page, 'orders:read')
      await page.keyboard.press('Space')
      await press(page, 'Save')
      await closed(page)
    })
    const target = { origin, store: store.id, key }
    expect((await call(target, 'GET', '/products')).status).toBe(200)
    const refused = await call(target, 'GET', '/orders')
    expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })
})

test('at 320 px an order is refunded whole, and nothing scrolls sideways', async () => {
  const order = await sell('cyd@example.com')
  await on(`/orders/${order.id}`, async (page) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Refund/ }).click()
    await closed(page)
    const wide = 'document.documentElement.scrollWidth - window.innerWidth'
    expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
  })
  const { order: after } = await dashboard.ask('GET', `/orders/${order.id}`)
  expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1_000 })
})

test('an address that is no page says so, and leads back to Home', () =>
  on('/no-such-page', async (page) => {
    expect(await page.locator('h1').textContent()).toBe('This page does not exist.')
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  }))

test.each(VIEWS)(
  'at $width px in $colorScheme it has no fault that axe finds, and does not scroll sideways',
  (view) => dashboard.examine(['/no-such-page'], view),
)
