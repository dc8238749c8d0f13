import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClientSecurity } from '../../sdk/client-security/index.ts'
import {
  createManagementClient,
  type Management,
} from '../../sdk/client-security/management/index.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
let receiver: Receiver
let management: Management
let order: Json
let webhook: Json
let key: { id: number; key: string; key_preview: string }

/** A sold and an unsold stock key, an endpoint that was sent an event, and a program that runs. */
beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  const { ask, server } = dashboard
  const hook = { url: receiver.url, events: ['order.completed'] }
  webhook = (await ask('POST', '/webhooks', hook)).webhook
  const game = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  const { product } = await ask('POST', '/products', game)
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  const keys = ['STAR-SOLD-0001', 'STAR-LEFT-0002']
  await ask('POST', `/products/${product.id}/variants/${id}/keys`, { keys })
  const items = [{ product_id: product.id, quantity: 1 }]
  const sent = { items, customer: { email: 'star@example.com' }, mark_paid: true }
  order = (await ask('POST', '/orders', sent)).order

  const url = `${server.origin}/security/v1`
  management = createManagementClient({ url, apiKey: server.test.security_key ?? '' })
  const { app } = await management.apps.create({ name: 'Photo editor' })
  const { signing_keys } = await management.apps.listSigningKeys(app.id)
  const terms = { app_id: app.id, customer_email: 'star@example.com' }
  key = (await management.licenseKeys.create(terms)).keys[0] as typeof key
  const fingerprint = 'board-4711-disk-0815'
  const program = new ClientSecurity({ url, appId: app.public_id, keys: signing_keys, fingerprint })
  const { code } = await program.start(key.key, {
    device: { name: "Mara's laptop", platform: 'linux' },
  })
  expect(code).toBe('VALID')
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 60_000)
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
})

async function on(path: string, work: (page: Page) => Promise<void>) {
  const page = await dashboard.context.newPage()
  try {
    await dashboard.goTo(page, path)
    await work(page)
  } finally {
    await page.close()
  }
}

async function press(page: Page, name: string) {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

/** Opens the palette, types, and chooses the record whose text begins so. */
async function choose(page: Page, typed: string, found: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(typed)
  const option = page.getByRole('option', { name: found })
  await option.waitFor()
  while ((await option.getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

describe('by keyboard only', () => {
  test('an order is found by the stock key that it was sold, in the palette and in its list', async () => {
    await on('/', async (page) => {
      await choose(page, 'STAR-SOLD-0001', `#${order.number}`)
      await page.waitForURL(new RegExp(`/orders/${order.id}$`))
    })
    await on('/orders', async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('STAR-SOLD-0001')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=STAR-SOLD-0001/)
      await vi.waitFor(async () => expect(await page.locator('tbody tr').count()).toBe(1), 10_000)
      await press(page, `#${order.number}`)
      await page.waitForURL(new RegExp(`/orders/${order.id}$`))
    })
  })

  test('the history of an order leads to the webhook delivery that reported it', async () => {
    await on(`/orders/${order.id}`, async (page) => {
      const history = page.getByRole('region', { name: 'History' })
      await history.getByText('Star Key was delivered').waitFor()
      await press(page, 'Webhook order.completed')
      await page.waitForURL(/\/events\/deliveries\/\d+$/)
    })
  })

  test('a stock key that is not sold leads to its stock', async () => {
    await on('/', async (page) => {
      await choose(page, 'STAR-LEFT-0002', 'Stock key')
      await page.waitForURL(/\/products\/\w+\/variants\/\d+\/keys$/)
    })
  })

  test('the page of a customer leads to their license keys and tickets', async () => {
    const { id } = (
      await dashboard.ask('POST', '/tickets', {
        email: 'star@example.com',
        subject: 'The key is refused',
        message: 'Please help.',
      })
    ).ticket
    const path = `/customers/${order.customer.id}`
    await on(path, async (page) => {
      await page.getByRole('link', { name: `…${key.key_preview}` }).waitFor()
      await press(page, 'The key is refused')
      await page.waitForURL(new RegExp(`/tickets/${id}$`))
    })
  })

  test('a live session is found by its license, and ended', async () => {
    await on('/client-sessions?state=live', async (page) => {
      await tabTo(page, 'Whole key')
      await page.keyboard.type(key.key)
      await page.keyboard.press('Enter')
      await page.waitForURL(/key=/)
      await page.getByRole('cell', { name: "Mara's laptop · linux" }).waitFor()
      await press(page, `…${key.key_preview}`)
      await page.waitForURL(new RegExp(`/license-keys/${key.id}$`))
      await page.goBack()
      await press(page, 'End sessions')
      await page.getByRole('dialog').waitFor()
      await press(page, 'End sessions')
      await closed(page)
      await page.getByText('Nothing matches').waitFor()
    })
    const { sessions } = await management.licenseKeys.listSessions(key.id)
    expect(sessions[0]?.ended_reason).toBe('ended')
  })

  test('the deliveries of an endpoint are read hour by hour, and in a table', async () => {
    await on('/webhooks', async (page) => {
      const row = page.getByRole('row', { name: receiver.url.replace('https://', '') })
      const strip = row.getByRole('application', { name: /^Deliveries by hour/ })
      await strip.focus()
      await page.keyboard.press('End')
      const reading = row.locator('output')
      const last = await reading.textContent()
      expect(last).toMatch(/: [01] succeeded, 0 failed$/)
      await page.keyboard.press('ArrowLeft')
      expect(await reading.textContent()).toMatch(/: [01] succeeded, 0 failed$/)
      expect(await reading.textContent()).not.toBe(last)
      await row.getByRole('button', { name: 'Table' }).focus()
      await page.keyboard.press('Enter')
      const table = page.getByRole('dialog').getByRole('table')
      await table.waitFor()
      expect(await table.locator('tbody tr').count()).toBe(168)
      // The hour may have changed since the delivery.
      const newest = await table.locator('tbody tr').allTextContents()
      expect(newest.slice(0, 2).filter((text) => text.endsWith('10'))).toHaveLength(1)
    })
  })

  test('the headers of Standard Webhooks are turned on, and the next attempt has them', async () => {
    await on(`/webhooks/${webhook.id}/settings`, async (page) => {
      await tabTo(page, 'Send the headers of Standard Webhooks too')
      await page.keyboard.press('Space')
      await page.getByText('Attempts have both sets of headers.').waitFor()
      await press(page, 'Show as command')
      await page.getByText(`tradepost webhooks standard-headers ${webhook.id} off`).waitFor()
    })
    const before = receiver.received.length
    await dashboard.ask('POST', `/webhooks/${webhook.id}/test`, {})
    const attempt = receiver.received[before]
    expect(attempt?.headers['webhook-signature']).toMatch(/^v1,/)
    await on(`/webhooks/${webhook.id}/settings`, async (page) => {
      expect(await page.getByRole('switch').isChecked()).toBe(true)
    })
  })
})

describe.each(VIEWS)('at $width px in $colorScheme', (view) => {
  test('no page has a fault that axe finds, and none scrolls sideways', () =>
    dashboard.examine(
      [
        '/client-sessions',
        '/client-sessions?state=ended',
        '/webhooks',
        `/webhooks/${webhook.id}`,
        `/webhooks/${webhook.id}/settings`,
        `/orders/${order.id}`,
        `/customers/${order.customer.id}`,
      ],
      view,
    ))

  test('neither has the table of hours', () =>
    dashboard.examine(['/webhooks'], view, async (page) => {
      await page.getByRole('button', { name: 'Table' }).first().click()
      await page.getByRole('dialog').waitFor()
    }))
})
