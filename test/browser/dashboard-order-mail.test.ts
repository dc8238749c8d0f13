import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeSmtp, startFakeSmtp } from '../fake-smtp.ts'
import type { Json } from '../harness.ts'
import { callUntilServed } from '../process/client.ts'
import {
  examine,
  launchInstalled,
  type OpenedDashboard,
  openDashboard,
  press,
  untilDialogCloses,
  untilDialogHasFocus,
  untilLoaded,
  VIEWS,
} from './dashboard-harness.ts'

/** The mail about an order on its page. Only a live side sends mail, so its mail server can refuse it. */

const REFUSAL = '550 5.1.1 No such mailbox.'

let smtp: FakeSmtp
let dashboard: OpenedDashboard
let product: string

beforeAll(async () => {
  smtp = await startFakeSmtp()
  dashboard = await openDashboard(launchInstalled, { TRADEPOST_SMTP_URL: smtp.url })
  const fields = { name: 'Game', type: 'serial', price_cents: 2_000, status: 'active' }
  const created = await askLive('POST', '/products', fields)
  product = created.product.id
  const variant = created.variants[0].id
  const keys = Array.from({ length: 9 }, (_, index) => `GAME-${index}`)
  await askLive('POST', `/products/${product}/variants/${variant}/keys`, { keys })
})
afterAll(async () => {
  await dashboard?.close()
  await smtp?.close()
})

async function askLive(method: string, path: string, body?: Json): Promise<Json> {
  const { origin, live } = dashboard.server
  const target = { origin, store: live.id, key: live.api_key ?? '' }
  const { status, json } = await callUntilServed(target, method, path, body ? { body } : {})
  if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
  return json
}

/** Makes a paid order whose first mail is refused, and returns it once its page can tell so. */
async function refusedOrder(): Promise<Json> {
  smtp.refusals.push(REFUSAL)
  const items = [{ product_id: product, quantity: 1 }]
  const customer = { email: 'mara@example.com', name: 'Mara' }
  const fields = { items, customer, source: 'embed', mark_paid: true }
  const { order } = await askLive('POST', '/orders', fields)
  const problem = async () => (await askLive('GET', `/orders/${order.id}`)).order.mail_problem
  await expect.poll(problem, { timeout: 60_000 }).not.toBeNull()
  return order
}

/** Opens the page of an order of the live side. */
async function openOrder(page: Page, { id }: Json) {
  const { origin, live } = dashboard.server
  await page.goto(`${origin}/dashboard/${live.id}/orders/${id}`)
  await untilLoaded(page)
}

test('a refused mail is told with its time, the answer of the mail server and three cures, and is gone once a later mail arrives', async () => {
  const order = await refusedOrder()
  await dashboard.on('', async (page) => {
    await openOrder(page, order)
    const problem = page.getByRole('region', { name: 'The buyer did not get a mail' })
    await problem.getByText('the mail server of mara@example.com refused it for good').waitFor()
    await problem.getByText('5.1.1 No such mailbox.').waitFor()
    const customer = problem.getByRole('link', { name: 'Correct the address of the customer' })
    expect(await customer.getAttribute('href')).toContain(`/customers/${order.customer.id}`)
    await problem.getByText(order.order_url).waitFor()
    const mails = page.getByRole('region', { name: 'Mail to the buyer' })
    await mails.getByRole('row', { name: /Delivery.*mara@example\.com.*Refused/ }).waitFor()

    await press(page, 'Send the delivery to another address')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await page.keyboard.type('mara@example.org')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await expect.poll(() => smtp.letters.flatMap(({ to }) => to)).toContain('mara@example.org')
    await page.reload()
    await mails.getByRole('row', { name: /mara@example\.org.*Sent/ }).waitFor()
    expect(await problem.count()).toBe(0)
  })
})

test('the problem is gone once the address of the customer is corrected', async () => {
  const order = await refusedOrder()
  await dashboard.on('', async (page) => {
    await openOrder(page, order)
    const problem = page.getByRole('region', { name: 'The buyer did not get a mail' })
    await press(page, 'Correct the address of the customer')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('corrected@example.com')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await page.goBack()
    await page.getByRole('region', { name: 'Mail to the buyer' }).waitFor()
    await problem.waitFor({ state: 'detached' })
  })
})

test('the mail of a test side opens as its reader would see it', async () => {
  const fields = { name: 'Lesson', type: 'service', price_cents: 2_000, status: 'active' }
  const lesson = (await dashboard.ask('POST', '/products', fields)).product.id
  const items = [{ product_id: lesson, quantity: 1 }]
  const customer = { email: 'mara@example.com', name: 'Mara' }
  const order = { items, customer, source: 'embed', mark_paid: true }
  const { id } = (await dashboard.ask('POST', '/orders', order)).order
  await dashboard.on(`/orders/${id}`, async (page) => {
    const mails = page.getByRole('region', { name: 'Mail to the buyer' })
    await mails.getByRole('row', { name: /Order paid.*Stored, not sent/ }).waitFor()
    await press(page, 'Show mail')
    await page.frameLocator('[role=dialog] iframe').getByText('Lesson').first().waitFor()
  })
})

test('the page of an order whose mail was refused has no fault at any width and in both themes', async () => {
  const order = await refusedOrder()
  for (const { width, colorScheme } of VIEWS) {
    await dashboard.on('', async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await openOrder(page, order)
      await examine(page, `the order at ${width} in ${colorScheme}`)
    })
  }
})
