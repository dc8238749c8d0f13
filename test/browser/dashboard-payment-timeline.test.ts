import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { STRIPE_WEBHOOK_SECRET } from '../providers/stripe.ts'
import {
  examine,
  press,
  untilDialogCloses,
  untilDialogHasFocus,
  VIEWS,
} from './dashboard-harness.ts'
import { openStripeDashboard, type StripeDashboard } from './stripe-dashboard.ts'

/** The timeline of a payment at its provider, and the review of another amount, on the page of an order. */

let { stripe, dashboard, lesson, connectStripe, close } = {} as StripeDashboard

beforeAll(async () => {
  ;({ stripe, dashboard, lesson, connectStripe, close } = await openStripeDashboard())
  await connectStripe()
})
afterAll(() => close?.())

async function startedPayment(): Promise<Json> {
  const items = [{ product_id: lesson, quantity: 1 }]
  const customer = { email: 'mara@example.com' }
  const { order } = await dashboard.ask('POST', '/orders', { items, customer })
  const path = `/orders/${order.id}/payments`
  return (await dashboard.ask('POST', path, { method: 'card' })).payment
}

/** Sends the events of Stripe, and waits until the one about the payment is applied. */
async function deliver(payment: Json, events: Json[]) {
  const { payment_providers } = await dashboard.ask('GET', '/account/payment-providers')
  const { callback_url } = payment_providers.find(({ provider }: Json) => provider === 'stripe')
  for (const event of events) {
    const { headers, body } = stripe.signed(event, STRIPE_WEBHOOK_SECRET)
    const { status } = await fetch(callback_url, { method: 'POST', headers, body })
    expect(status).toBe(200)
  }
  await dashboard.ask('POST', `/orders/${payment.order_id}/payments/${payment.id}/refresh`)
}

const orderOf = async ({ order_id }: Json): Promise<Json> =>
  (await dashboard.ask('GET', `/orders/${order_id}`)).order

const timelineOf = (page: Page) => page.locator('.payment-timeline')
const keptIn = (page: Page) => page.getByRole('region', { name: 'What the provider kept' })

async function openTimeline(page: Page) {
  const timeline = timelineOf(page)
  await timeline.waitFor()
  if ((await timeline.getAttribute('open')) === null)
    await timeline.locator('summary').first().press('Enter')
}

test('a payment shows what was reported, its refund, its dispute, the fees and what is left', async () => {
  const payment = await startedPayment()
  await deliver(payment, stripe.pay(payment.external_id))
  await deliver(payment, stripe.refund(payment.external_id, 500))
  await deliver(payment, stripe.dispute(payment.external_id, { amount: 1_500 }))
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await openTimeline(page)
    const timeline = timelineOf(page)
    await timeline.getByText('Started').waitFor()
    await timeline.getByText('$20.00 arrived at Stripe').waitFor()
    await timeline.getByText('Stripe reported: Buyer completed the page').waitFor()
    await timeline.getByText('Refund of $5.00, made at Stripe').waitFor()
    await timeline
      .getByText(/^Dispute \(Fraudulent\): The buyer disputes \$15\.00 at the bank/)
      .waitFor()
    const [{ fee_cents, dispute }] = (await orderOf(payment)).payments
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    const money = (cents: number) => format.format(cents / 100)
    const kept = keptIn(page)
    await kept
      .getByRole('listitem')
      .filter({ hasText: `Refunded-${money(500)}` })
      .waitFor()
    const fee = `Fee of Stripe-${money(fee_cents)}`
    await kept.getByRole('listitem').filter({ hasText: fee }).waitFor()
    const disputeFee = `Fee of the dispute-${money(dispute.fee_cents)}`
    await kept.getByRole('listitem').filter({ hasText: disputeFee }).waitFor()
    const left = money(1_500 - fee_cents - dispute.fee_cents)
    await kept
      .getByRole('listitem')
      .filter({ hasText: `Left for you if you win the dispute${left}` })
      .waitFor()
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await examine(page, `a timeline at ${width} in ${colorScheme}`)
    }
  })
  const [{ dispute: opened }] = (await orderOf(payment)).payments
  await deliver(payment, stripe.lose(opened.id))
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await openTimeline(page)
    await timelineOf(page).getByText('The bank returned $15.00 to the buyer').waitFor()
    await timelineOf(page).getByText('The bank decided for the buyer: $15.00 went back.').waitFor()
  })
})

test('a fee that the provider has not told is not known yet', async () => {
  const payment = await startedPayment()
  await deliver(payment, stripe.pay(payment.external_id, { isBookedLater: true }))
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await openTimeline(page)
    const lines = keptIn(page).getByRole('listitem')
    await lines.filter({ hasText: 'Fee of Stripenot known yet' }).waitFor()
    await lines.filter({ hasText: 'Left for you before fees$20.00' }).waitFor()
    await page.getByText('Before the fee of the payment provider, which is not known').waitFor()
  })
})

test('a callback that failed is applied again from the order', async () => {
  const payment = await startedPayment()
  const events = stripe.pay(payment.external_id)
  await deliver(payment, events)
  const callbacks = async (): Promise<Json[]> => {
    const path = `/account/payment-callbacks?order_id=${payment.order_id}`
    return (await dashboard.ask('GET', path)).payment_callbacks
  }
  const isFailed = ({ type }: Json) => type === 'checkout.session.completed'
  const applied = async () => (await callbacks()).find(isFailed)?.status
  await expect.poll(applied, { timeout: 20_000 }).toBe('applied')
  const before = (await callbacks()).find(isFailed)
  await dashboard.on(
    `/orders/${payment.order_id}`,
    async (page) => {
      await openTimeline(page)
      await timelineOf(page).getByText('The provider did not answer.').waitFor()
      await press(page, 'Apply again')
      const dialog = page.getByRole('dialog', { name: 'Apply again' })
      await untilDialogHasFocus(dialog)
      await dialog.getByRole('button', { name: 'Apply again' }).press('Enter')
      await untilDialogCloses(page)
    },
    // A callback fails after a day without an answer of its provider.
    (page) =>
      page.route('**/v1/account/payment-callbacks?*', async (route) => {
        const json = await (await route.fetch()).json()
        const error = 'The provider did not answer.'
        const payment_callbacks = json.payment_callbacks.map((callback: Json) =>
          isFailed(callback) ? { ...callback, status: 'failed', error } : callback,
        )
        await route.fulfill({ json: { ...json, payment_callbacks } })
      }),
  )
  expect((await callbacks()).find(isFailed)?.attempts).toBe(before?.attempts + 1)
})

test('another amount waits for a review, which says what was expected, what arrived and what approving does', async () => {
  const payment = await startedPayment()
  await deliver(payment, stripe.pay(payment.external_id, { amount: 1_500 }))
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    const text = 'Another amount arrived: $20.00 was expected, $15.00 arrived.'
    await page.getByText(text).first().waitFor()
    await press(page, 'Approve payment')
    const dialog = page.getByRole('dialog', { name: 'Approve payment' })
    await untilDialogHasFocus(dialog)
    await dialog.getByText('$15.00 counts as paid. The buyer still owes $5.00.').waitFor()
    await dialog.getByRole('button', { name: 'Approve payment' }).press('Enter')
    await untilDialogCloses(page)
  })
  expect(await orderOf(payment)).toMatchObject({ status: 'partially_paid', paid_cents: 1_500 })
})

test('rejecting another amount or another currency says that the money goes back', async () => {
  const payment = await startedPayment()
  await deliver(payment, stripe.pay(payment.external_id, { amount: 2_500 }))
  await dashboard.on(`/orders/${payment.order_id}`, async (page) => {
    await press(page, 'Approve payment')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await page.getByText('$5.00 more than owed arrived, which you can refund.').waitFor()
    await page.keyboard.press('Escape')
    await untilDialogCloses(page)
    await press(page, 'Reject payment')
    const dialog = page.getByRole('dialog', { name: 'Reject payment' })
    await untilDialogHasFocus(dialog)
    await dialog.getByText('Stripe returns all of the money to the buyer, $25.00.').waitFor()
    await dialog.getByRole('button', { name: 'Reject payment' }).press('Enter')
    await untilDialogCloses(page)
    await openTimeline(page)
    await page.getByText('Rejected: the money went back to the buyer').waitFor()
  })
  const other = await startedPayment()
  await deliver(other, stripe.pay(other.external_id, { currency: 'eur' }))
  await dashboard.on(`/orders/${other.order_id}`, async (page) => {
    await page.getByText('Another currency than USD arrived').first().waitFor()
    expect(await page.getByRole('button', { name: 'Approve payment' }).count()).toBe(0)
    await press(page, 'Reject payment')
    await page.getByText('Stripe returns all of the money to the buyer. The order then').waitFor()
  })
})

test('a payment of 0 that saves a method says so, and has no money', async () => {
  const fields = { type: 'service', product_kind: 'subscription', price_cents: 0 }
  const { product } = await dashboard.ask('POST', '/products', { ...fields, name: 'Club' })
  const billing = { billing_cycle: 'monthly', trial_days: 7, recurring_price_cents: 900 }
  await dashboard.ask('PUT', `/products/${product.id}/billing`, billing)
  const { order } = await dashboard.ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email: 'mara@example.com' },
    payment_method: 'card',
  })
  const body = { method: 'card', save_method: true }
  const { payment } = await dashboard.ask('POST', `/orders/${order.id}/payments`, body)
  await deliver(payment, stripe.saveCard(payment.external_id))
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await openTimeline(page)
    await timelineOf(page).getByText('Saving a payment method for renewals').waitFor()
    await timelineOf(page).getByText('Saved at Stripe').waitFor()
    expect(await keptIn(page).count()).toBe(0)
  })
})
