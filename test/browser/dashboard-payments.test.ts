import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  examine,
  type OpenedDashboard,
  openDashboard,
  press,
  untilDialogCloses,
  untilDialogHasFocus,
} from './dashboard-harness.ts'

/** Open payments of a provider on the page of an order, by keyboard, and the page on which a buyer pays. */

let dashboard: OpenedDashboard
let lesson: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const fields = { name: 'Lesson', type: 'service', price_cents: 2_000, status: 'active' }
  lesson = (await dashboard.ask('POST', '/products', fields)).product.id
})
afterAll(() => dashboard?.close())

async function startedPayment(): Promise<Json> {
  const items = [{ product_id: lesson, quantity: 1 }]
  const customer = { email: 'mara@example.com' }
  const { order } = await dashboard.ask('POST', '/orders', { items, customer })
  const started = await dashboard.ask('POST', `/orders/${order.id}/payments`, { method: 'test' })
  return started.payment
}

const orderOf = async ({ order_id }: Json): Promise<Json> =>
  (await dashboard.ask('GET', `/orders/${order_id}`)).order

test('a payment is paid on the page of the provider, and the page of the order shows it at once', async () => {
  const payment = await startedPayment()
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    const link = page.getByRole('link', { name: 'Payment page' })
    expect(await link.getAttribute('href')).toBe(payment.checkout_url)
    const checkout = await page.context().newPage()
    await checkout.goto(payment.checkout_url)
    expect(await checkout.getByText('$20.00').count()).toBe(1)
    await checkout.keyboard.press('Tab')
    await checkout.keyboard.press('Enter')
    await checkout.getByText('Paid. Thank you.').waitFor()
    await checkout.close()
    await link.waitFor({ state: 'detached' })
    await page.getByText('Succeeded').first().waitFor()
  })
  expect((await orderOf(payment)).status).toBe('paid')
})

test('the provider is asked about a payment whose callback never came', async () => {
  const payment = await startedPayment()
  const path = `/orders/${payment.order_id}/payments/${payment.id}/simulate`
  await dashboard.ask('POST', path, { do: 'pay', callback: 'never' })
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Ask provider' })
    await press(page, 'Check')
    await untilDialogHasFocus(dialog)
    await dialog.getByRole('button', { name: 'Ask provider' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByText('Succeeded').first().waitFor()
  })
  expect((await orderOf(payment)).status).toBe('paid')
})

test('a refund goes back through the provider, and one that it refuses says why', async () => {
  const payment = await startedPayment()
  const path = `/orders/${payment.order_id}/payments/${payment.id}/simulate`
  await dashboard.ask('POST', path, { do: 'pay' })
  const outside = { do: 'refund_outside', amount_cents: 500, callback: 'never' }
  await dashboard.ask('POST', path, outside)
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await press(page, 'Refund')
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await untilDialogHasFocus(dialog)
    await dialog.getByRole('button', { name: 'Refund $20.00' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByText('The payment holds less than this at the test provider.').first().waitFor()
  })
  const refreshed = path.replace('simulate', 'refresh')
  await dashboard.ask('POST', refreshed)
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await page.getByText('Refund of $5.00 · At the provider').waitFor()
    await press(page, 'Refund')
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await untilDialogHasFocus(dialog)
    await dialog.getByRole('button', { name: 'Refund $15.00' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByText('Refund of $15.00').first().waitFor()
  })
  expect(await orderOf(payment)).toMatchObject({ status: 'refunded', refunded_cents: 2_000 })
})

test('a dispute puts the order on hold, which the seller releases and puts on hold again', async () => {
  const payment = await startedPayment()
  const path = `/orders/${payment.order_id}/payments/${payment.id}/simulate`
  await dashboard.ask('POST', path, { do: 'pay' })
  await dashboard.ask('POST', path, { do: 'dispute' })
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await page.getByText('Disputed').first().waitFor()
    await page.getByText(/^Fraudulent · Answer until /).waitFor()
    await page.getByText('On hold').first().waitFor()
    expect(await page.getByRole('button', { name: 'Deliver' }).count()).toBe(0)
    for (const [act, next] of [
      ['Release', 'Put on hold'],
      ['Put on hold', 'Release'],
    ] as const) {
      await press(page, act)
      const dialog = page.getByRole('dialog', { name: act })
      await untilDialogHasFocus(dialog)
      await dialog.getByRole('button', { name: act }).press('Enter')
      await untilDialogCloses(page)
      await page.getByRole('button', { name: next }).first().waitFor()
    }
  })
  expect((await orderOf(payment)).hold.reason).toBe('manual')
  await dashboard.ask('POST', path, { do: 'win' })
})

test('an open dispute is on the home page with the day until which it can be answered, as soon as it is opened', async () => {
  const payment = await startedPayment()
  const path = `/orders/${payment.order_id}/payments/${payment.id}/simulate`
  await dashboard.ask('POST', path, { do: 'pay' })
  await dashboard.on('', async (page) => {
    const home = page.getByRole('region', { name: 'Needs attention' })
    await home.getByText('Orders to deliver').waitFor()
    await expect.poll(() => home.getByText(/Dispute/).count()).toBe(0)
    await dashboard.ask('POST', path, { do: 'dispute' })
    const { dispute } = (await orderOf(payment)).payments[0]
    const format = { dateStyle: 'medium', timeZone: 'UTC' } as const
    const day = new Intl.DateTimeFormat('en-US', format).format(new Date(dispute.due_at))
    const name = `Dispute to answer by ${day}`
    await home.getByRole('link', { name }).waitFor()
    await press(page, name)
    await page.getByRole('heading', { level: 1, name: 'Disputes to answer' }).waitFor()
    await page.getByRole('row', { name: /mara@example\.com.*Fraudulent.*\$20\.00/ }).waitFor()
    await examine(page, 'the disputes')
    await page.getByRole('row').getByRole('link').first().press('Enter')
    await page.waitForURL(`**/orders/${payment.order_id}`)
  })
  await dashboard.on('/orders', async (page) => {
    await press(page, 'Disputes (1)')
    await page.getByRole('heading', { level: 1, name: 'Disputes to answer' }).waitFor()
    expect(await page.locator('nav [aria-current=page]', { hasText: 'Orders' }).count()).toBe(1)
  })
  await dashboard.ask('POST', path, { do: 'win' })
  await dashboard.on('/disputes', (page) =>
    page.getByText('No buyer disputes a payment.').waitFor(),
  )
})

test('a payment is cancelled, and a declined one says why', async () => {
  const payment = await startedPayment()
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Cancel payment' })
    await press(page, 'End')
    await untilDialogHasFocus(dialog)
    await dialog.getByText('The buyer can then no longer pay $20.00').waitFor()
    await dialog.getByRole('button', { name: 'Cancel payment' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })
  })
  const { payments } = await orderOf(payment)
  expect(payments).toMatchObject([{ status: 'cancelled' }])

  const declined = await startedPayment()
  const path = `/orders/${declined.order_id}/payments/${declined.id}/simulate`
  await dashboard.ask('POST', path, { do: 'decline' })
  await dashboard.on(`/orders/${declined.order_id}`, async (page) => {
    await page.getByText('The test provider declined the payment.').first().waitFor()
  })
})

test('the page of an order with an open payment has no fault at any width', async () => {
  const payment = await startedPayment()
  for (const width of [320, 1280]) {
    await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('link', { name: 'Payment page' }).waitFor()
      await examine(page, `the order at ${width}`)
    })
  }
})

test('units of an order are refunded before their delivery, and are not delivered any more', async () => {
  const variants = [{ name: 'Only', allow_backorder: true }]
  const fields = { name: 'Game', type: 'serial', price_cents: 1_000, status: 'active', variants }
  const { product } = await dashboard.ask('POST', '/products', fields)
  const { order } = await dashboard.ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity: 3 }],
    customer: { email: 'mara@example.com' },
    mark_paid: true,
  })
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await press(page, 'Refund')
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await untilDialogHasFocus(dialog)
    await dialog.getByLabel('What you refund').selectOption('Units of the order')
    expect(await dialog.getByLabel('Amount').count()).toBe(0)
    await dialog.getByLabel('Game · Only, of 3').fill('2')
    await examine(page, 'the refund of units')
    await dialog.getByRole('button', { name: 'Refund $20.00' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByText('2 refunded before delivery').waitFor()
  })
  const { order: after } = await dashboard.ask('GET', `/orders/${order.id}`)
  expect(after.items[0].cancelled_quantity).toBe(2)
  expect(after.refunds[0].items).toMatchObject([{ quantity: 2, amount_cents: 2_000 }])
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await press(page, 'Refund')
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await dialog.getByLabel('What you refund').selectOption('Units of the order')
    await dialog.getByLabel('Game · Only, of 1').waitFor()
  })
})
