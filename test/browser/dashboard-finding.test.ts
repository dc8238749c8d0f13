import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Management } from '../../sdk/client-security/management/index.ts'
import { fromNow_ms } from '../clock.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
  WAIT_MS,
} from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

let dashboard: OpenedDashboard
let receiver: Receiver
let management: Management
let order: Json
let webhook: Json
let key: LicensedProgram['key']

/** Creates a sold and an unsold stock key, an endpoint with a delivered event, and a live session. */
beforeAll(async () => {
  dashboard = await openDashboard()
  receiver = await openReceiver()
  const { ask } = dashboard
  const webhookBody = { url: receiver.url, events: ['order.completed'] }
  webhook = (await ask('POST', '/webhooks', webhookBody)).webhook
  const productBody = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  const { product } = await ask('POST', '/products', productBody)
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  const keys = ['STAR-SOLD-0001', 'STAR-LEFT-0002']
  await ask('POST', `/products/${product.id}/variants/${id}/keys`, { keys })
  const items = [{ product_id: product.id, quantity: 1 }]
  const orderBody = { items, customer: { email: 'star@example.com' }, mark_paid: true }
  order = (await ask('POST', '/orders', orderBody)).order

  management = dashboard.management
  ;({ key } = await startLicensedProgram(dashboard, { customer_email: 'star@example.com' }))
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), WAIT_MS)
})
afterAll(async () => {
  await dashboard?.close()
  await receiver?.close()
})

const on: OpenedDashboard['on'] = (path, work) => dashboard.on(path, work)

/** Opens the palette, types the search, and opens the result with this name. */
async function openFromPalette(page: Page, search: string, result: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(search)
  const option = page.getByRole('option', { name: result })
  await option.waitFor()
  while ((await option.getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test('the palette searches once after the user pauses, not for each letter', async () => {
  // The clock of a page is that of its whole context.
  const context = await dashboard.browser.newContext({
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  await context.clock.install()
  const page = await context.newPage()
  await dashboard.goTo(page, '/')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  const searches: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/customers')) searches.push(searchParams.get('search'))
  })
  await context.clock.pauseAt(fromNow_ms(3_600_000))
  await page.keyboard.type('nobody@example.com')
  await context.clock.runFor(1_000)
  await expect.poll(() => searches).toEqual(['nobody@example.com'])
  await context.close()
})

describe('with the keyboard only', () => {
  test('an order is found by its sold stock key, in the palette and in the list', async () => {
    await on('/', async (page) => {
      await openFromPalette(page, 'STAR-SOLD-0001', `#${order.number}`)
      await page.waitForURL(new RegExp(`/orders/${order.id}$`))
    })
    await on('/orders', async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('STAR-SOLD-0001')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=STAR-SOLD-0001/)
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
      await press(page, `#${order.number}`)
      await page.waitForURL(new RegExp(`open=${order.id}`))
    })
  })

  test('the history of an order links to the webhook delivery that reported it', async () => {
    await on(`/orders/${order.id}`, async (page) => {
      const history = page.getByRole('region', { name: 'History' })
      await history.getByText('Star Key was delivered').waitFor()
      await history.getByText('Order created').waitFor()
      await history.getByText('Status set to').first().waitFor()
      expect(await history.getByText(/\bby /).count()).toBe(0)
      await press(page, 'Webhook “Order completed”')
      await page.waitForURL(/\/events\/deliveries\/\d+$/)
    })
  })

  test('the palette opens the stock of an unsold stock key', async () => {
    await on('/', async (page) => {
      await openFromPalette(page, 'STAR-LEFT-0002', 'Stock key')
      await page.waitForURL(/\/products\/\w+\/variants\/\d+\/keys$/)
    })
  })

  test('the tabs of a customer show the license keys and tickets of the customer', async () => {
    const { ticket } = await dashboard.ask('POST', '/tickets', {
      email: 'star@example.com',
      subject: 'The key is refused',
      message: 'Please help.',
    })
    const path = `/customers/${order.customer.id}`
    await on(`${path}/licenses`, async (page) => {
      await page.getByRole('link', { name: `…${key.key_preview}` }).waitFor()
      await page.locator('.tabs [aria-current]').focus()
      await press(page, 'Tickets')
      await page.waitForURL(new RegExp(`${path}/tickets$`))
      await press(page, 'The key is refused')
      await page.waitForURL(new RegExp(`/tickets/${ticket.id}$`))
    })
  })

  test('a live session is found by its license key, and ended', async () => {
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
      await untilDialogCloses(page)
      await page.getByText('Nothing matches').waitFor()
    })
    const { sessions } = await management.licenseKeys.listSessions(key.id)
    expect(sessions[0]?.ended_reason).toBe('ended')
  })

  test('the deliveries of an endpoint are shown by the hour, also as a table', async () => {
    await on('/webhooks', async (page) => {
      const row = page.getByRole('row', { name: receiver.url.replace('https://', '') })
      // Pending deliveries are in no hour, but they are counted.
      await row
        .getByText('1 of 1 deliveries arrived, 0 wait for their next attempt, 0 given up')
        .first()
        .waitFor()
      await row.getByRole('application', { name: /^Deliveries by hour/ }).focus()
      await page.keyboard.press('End')
      const reading = row.locator('output')
      const lastHour = await reading.textContent()
      expect(lastHour).toMatch(/: [01] succeeded, 0 failed$/)
      await page.keyboard.press('ArrowLeft')
      expect(await reading.textContent()).toMatch(/: [01] succeeded, 0 failed$/)
      expect(await reading.textContent()).not.toBe(lastHour)
      await row.getByRole('button', { name: 'Table' }).focus()
      await page.keyboard.press('Enter')
      const table = page.getByRole('dialog').getByRole('table')
      await table.waitFor()
      expect(await table.locator('tbody tr').count()).toBe(168)
      // The delivery is in the newest hour, or in the one before if an hour began since.
      const rows = await table.locator('tbody tr').allTextContents()
      // The text of a row ends with the cells of succeeded (1) and failed (0) deliveries.
      expect(rows.slice(0, 2).filter((text) => text.endsWith('10'))).toHaveLength(1)
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
    const requestsBefore = receiver.received.length
    await dashboard.ask('POST', `/webhooks/${webhook.id}/test`, {})
    const request = receiver.received[requestsBefore]
    expect(request?.headers['webhook-signature']).toMatch(/^v1,/)
    await on(`/webhooks/${webhook.id}/settings`, async (page) => {
      expect(await page.getByRole('switch').isChecked()).toBe(true)
    })
  })
})

test('no page has axe violations in either theme or scrolls sideways', () =>
  dashboard.examine([
    '/client-sessions',
    '/client-sessions?state=ended',
    '/webhooks',
    `/webhooks/${webhook.id}`,
    `/webhooks/${webhook.id}/settings`,
    `/orders/${order.id}`,
    `/customers/${order.customer.id}`,
    `/customers/${order.customer.id}/licenses`,
  ]))

test('the table of hours has no axe violations in either theme and does not scroll sideways', () =>
  dashboard.examine(['/webhooks'], async (page) => {
    await page.getByRole('button', { name: 'Table' }).first().click()
    await page.getByRole('dialog').waitFor()
  }))
