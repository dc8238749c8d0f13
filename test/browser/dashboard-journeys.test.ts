import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { elapse } from '../until.ts'
import {
  HIDDEN_WIDTH,
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
  WAIT_MS,
} from './dashboard-harness.ts'

const PASSWORD = 'correct horse battery staple'
const EVENTS_MAX = 100

let dashboard: OpenedDashboard
let receiver: Receiver
let product: Json

beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  const { ask } = dashboard
  const fields = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  product = (await ask('POST', '/products', fields)).product
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  const keys = Array.from({ length: 20 }, (_, n) => `STAR-KEY-${1_000 + n}`)
  await ask('POST', `/products/${product.id}/variants/${id}/keys`, { keys })
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
})

async function sell(email: string, quantity = 1): Promise<Json> {
  const items = [{ product_id: product.id, quantity }]
  const requestBody = { items, customer: { email }, mark_paid: true }
  return (await dashboard.ask('POST', '/orders', requestBody)).order
}

/** The text of a page that needs no session. */
async function textOf(url: string): Promise<string> {
  const response = await dashboard.context.request.get(url)
  return response.text()
}

const on: OpenedDashboard['on'] = (path, work) => dashboard.on(path, work)

/**
 * Sets a password if the form asks for one: the owner signed in with a link, and the first change of
 * a key, a secret or the team needs a password.
 */
async function setPasswordIfRequested(page: Page) {
  const request = page.getByText('Your account has no password yet.')
  const secret = page.getByRole('dialog').getByText(/^(sk_test_|whsec_|http)\S+$/)
  await request.or(secret).waitFor()
  if (!(await request.isVisible())) return
  await tabTo(page, 'New password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

describe('with the keyboard only', () => {
  test('the key of an order is replaced, and a part of its price refunded', async () => {
    const order = await sell('ada@example.com')
    const [delivery] = order.deliveries
    await on(`/orders/${order.id}`, async (page) => {
      await press(page, 'Replace keys')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, 'Reason')
      await page.keyboard.type('It was used before.')
      await page.keyboard.press('Enter')
      await untilDialogCloses(page)
      await page.getByText(/^1 key of .* replaced: It was used before\./).waitFor()
      await press(page, 'Refund')
      await tabTo(page, 'Amount')
      await page.keyboard.type('2.50')
      await page.keyboard.press('Enter')
      await untilDialogCloses(page)
    })
    const { order: refundedOrder } = await dashboard.ask('GET', `/orders/${order.id}`)
    expect(refundedOrder).toMatchObject({ refunded_cents: 250, refund_status: 'partial' })
    const validDeliveries = refundedOrder.deliveries.filter(
      ({ status }: Json) => status === 'delivered',
    )
    expect(validDeliveries).toHaveLength(1)
    expect(validDeliveries[0].keys).toHaveLength(1)
    expect(validDeliveries[0].keys).not.toEqual(delivery.keys)
  })

  test('one of three keys is replaced with a reason; the history says which, who did it and why', async () => {
    const order = await sell('grace@example.com', 3)
    const [first, second, third] = order.deliveries[0].keys
    await on(`/orders/${order.id}`, async (page) => {
      await press(page, 'Replace keys')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Which key').selectOption({ label: second })
      await dialog.getByText('The other keys stay as they are.').waitFor()
      await tabTo(page, 'Reason')
      await page.keyboard.type('It was used before.')
      await page.keyboard.press('Enter')
      await untilDialogCloses(page)
      const entry = page.locator('.timeline li', { hasText: 'replaced: It was used before.' })
      await entry.getByText(`Key ••••${second.slice(-4)} of Star Key replaced`).waitFor()
      expect(await entry.textContent()).toMatch(/ · \S/)
    })
    const { deliveries } = (await dashboard.ask('GET', `/orders/${order.id}`)).order
    const { keys } = deliveries.find(({ status }: Json) => status === 'delivered')
    expect(keys).toEqual([first, third, expect.stringMatching(/^STAR-/)])
    expect(keys).not.toContain(second)
    const buyer = await textOf(order.order_url)
    for (const key of keys) expect(buyer).toContain(key)
    expect(buyer).not.toContain(second)
  })

  test('an endpoint that was turned off is turned on again, and gets the next order', async () => {
    const { ask } = dashboard
    const requestBody = { url: receiver.url, events: ['order.created'], enabled: false }
    const { webhook } = await ask('POST', '/webhooks', requestBody)
    await on(`/webhooks/${webhook.id}`, async (page) => {
      await press(page, 'Turn on')
      await page.getByRole('dialog').waitFor()
      await press(page, 'Turn on')
      await untilDialogCloses(page)
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
    })
    const requestsBefore = receiver.received.length
    await sell('bob@example.com')
    await vi.waitFor(
      () => expect(receiver.received.length).toBeGreaterThan(requestsBefore),
      WAIT_MS,
    )
    expect((await ask('GET', `/webhooks/${webhook.id}`)).webhook.enabled).toBe(true)
  })

  test('a secret is rolled while events are sent, and each delivery still matches the old secret', async () => {
    const { ask } = dashboard
    const requestBody = { url: receiver.url, events: ['customer.created'] }
    const { webhook, secret } = await ask('POST', '/webhooks', requestBody)
    const requestsBefore = receiver.received.length
    let isRolled = false
    let events = 0
    const createCustomer = () =>
      ask('POST', '/customers', { email: `visitor-${events++}@example.com` })
    const createCustomersUntilRolled = async () => {
      while (!isRolled && events < EVENTS_MAX) {
        await createCustomer()
        // The API key is limited to 300 calls a minute.
        await elapse(200)
      }
    }
    const traffic = createCustomersUntilRolled()
    let newSecret = ''
    await on(`/webhooks/${webhook.id}/settings`, async (page) => {
      const roll = 'Roll, and sign with both for 24 hours'
      await press(page, roll)
      await page.getByRole('dialog').waitFor()
      await press(page, roll)
      await setPasswordIfRequested(page)
      newSecret = (await page.getByText(/^whsec_\S+$/).textContent()) ?? ''
    })
    isRolled = true
    await traffic
    await createCustomer()
    await vi.waitFor(() => expect(receiver.received.length - requestsBefore).toBe(events), WAIT_MS)
    expect(newSecret).not.toBe(secret)
    // A receiver with the old secret accepts deliveries for 24 hours.
    const requests = receiver.received.slice(requestsBefore)
    for (const { body, headers } of requests) await verify(body, headers, secret)
    const lastRequest = requests.at(-1)
    await verify(lastRequest?.body ?? '', lastRequest?.headers, newSecret)
  })

  test('a colleague is invited, accepts in another browser, and can read but not write', async () => {
    let link = ''
    await on('/settings/team', async (page) => {
      await press(page, 'Invite somebody')
      await tabTo(page, 'Email')
      await page.keyboard.type('colleague@example.com')
      await tabTo(page, 'Role')
      await page.keyboard.type('Viewer')
      await press(page, 'Invite somebody')
      await setPasswordIfRequested(page)
      link = (await page.getByText(/^http\S+invitation\S+$/).textContent()) ?? ''
    })
    const colleague = await dashboard.browser.newContext()
    const page = await colleague.newPage()
    await page.goto(link)
    await tabTo(page, 'Your name')
    await page.keyboard.type('Colleague')
    await tabTo(page, 'New password')
    await page.keyboard.type(PASSWORD)
    await press(page, 'Accept')
    await page.getByRole('heading', { name: 'Choose a store' }).waitFor()
    await press(page, 'Demo Test')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await dashboard.goTo(page, '/products')
    expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0)
    await page.getByText('Star Key').waitFor()
    await colleague.close()
  })

  test('an order is found by its license key', async () => {
    const { ask } = dashboard
    const fields = { name: 'Licensed', type: 'license', price_cents: 1_000, status: 'active' }
    const { product } = await ask('POST', '/products', fields)
    const items = [{ product_id: product.id, quantity: 1 }]
    const customer = { email: 'dee@example.com' }
    const { order } = await ask('POST', '/orders', { items, customer, mark_paid: true })
    await on('', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(order.deliveries[0].keys[0])
      await page.getByText('Order of this license').waitFor()
      expect(await page.getByText('Nothing found.').count()).toBe(0)
      // The first result is selected.
      await page.locator('[aria-selected=true]', { hasText: 'License …' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `Order #${order.number}` }).waitFor()
    })
  })

  test('a read-only key is created, narrowed, and loses the removed permissions', async () => {
    const { origin, test: store } = dashboard.server
    let key = ''
    await on('/api-keys', async (page) => {
      await press(page, 'Create key')
      await tabTo(page, 'Name')
      await page.keyboard.type('Till')
      await tabTo(page, 'Access')
      await page.keyboard.type('Read')
      await press(page, 'Create key')
      await setPasswordIfRequested(page)
      key = (await page.getByText(/^sk_test_\w+$/).textContent()) ?? ''
      await page.getByText(`TRADEPOST_API_KEY=${key}`).waitFor()
      // The value is not shown again, so the Escape key must not close the dialog.
      await page.keyboard.press('Escape')
      await press(page, 'I stored it')
      await untilDialogCloses(page)
      await press(page, 'Till')
      await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
      await press(page, 'Edit')
      await tabTo(page, 'Orders: read')
      await page.keyboard.press('Space')
      await press(page, 'Save')
      await untilDialogCloses(page)
    })
    const target = { origin, store: store.id, key }
    expect((await call(target, 'GET', '/products')).status).toBe(200)
    const refused = await call(target, 'GET', '/orders')
    expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })
})

test('at 320 px an order is refunded in full, and its page does not scroll sideways', async () => {
  const order = await sell('cyd@example.com')
  await on(`/orders/${order.id}`, async (page) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Refund/ }).click()
    await untilDialogCloses(page)
    expect(await page.evaluate(HIDDEN_WIDTH)).toBeLessThanOrEqual(0)
  })
  const { order: refundedOrder } = await dashboard.ask('GET', `/orders/${order.id}`)
  expect(refundedOrder).toMatchObject({ status: 'refunded', refunded_cents: 1_000 })
})

test('the page of an unknown address names the problem, and links to Home', () =>
  on('/no-such-page', async (page) => {
    expect(await page.locator('h1').textContent()).toBe('This page does not exist.')
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  }))

test('the page of an unknown address has no axe violations in either theme and does not scroll sideways', () =>
  dashboard.examine(['/no-such-page']))
