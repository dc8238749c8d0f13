import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  examine,
  type OpenedDashboard,
  openDashboard,
  press,
  untilDialogCloses,
  untilDialogHasFocus,
  VIEWS,
} from './dashboard-harness.ts'

/** The saved cards of a customer, and the card that pays a subscription, by keyboard. */

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let club: string

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  const fields = { name: 'Club', type: 'service', product_kind: 'subscription' }
  const created = await dashboard.ask('POST', '/products', {
    ...{ ...fields, price_cents: 1_000, status: 'active' },
  })
  club = created.product.id
  await dashboard.ask('PUT', `/products/${club}/billing`, { billing_cycle: 'monthly' })
})
afterAll(() => dashboard?.close())

/** Subscribes a new customer, who pays by card. Returns the first order. */
async function subscribe(email: string): Promise<Json> {
  const items = [{ product_id: club, quantity: 1 }]
  const fields = { items, customer: { email }, payment_method: 'test' }
  const { order } = await dashboard.ask('POST', '/orders', fields)
  const path = `/orders/${order.id}/payments`
  const { payment } = await dashboard.ask('POST', path, { method: 'test' })
  await dashboard.ask('POST', `${path}/${payment.id}/simulate`, { do: 'pay' })
  return (await dashboard.ask('GET', `/orders/${order.id}`)).order
}

const cardsOf = async ({ customer }: Json): Promise<Json[]> =>
  (await dashboard.ask('GET', `/customers/${customer.id}/payment-methods`)).payment_methods

async function subscriptionOf({ customer }: Json): Promise<Json> {
  const query = `/subscriptions?customer_email=${encodeURIComponent(customer.email)}`
  return (await dashboard.ask('GET', query)).subscriptions[0]
}

const pageOf = ({ customer }: Json) => `/customers/${customer.id}/payment-methods`
const cardRow = (page: Page) => page.getByRole('row', { name: /Test card ending in 4242/ })

test('a saved card is removed after its dialog has named the subscriptions that then wait for their buyer', async () => {
  const order = await subscribe('mara@example.com')
  await dashboard.on(pageOf(order), async (page) => {
    await page.getByRole('row', { name: /4242.*Dec 2099.*Default/ }).waitFor()
    await press(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove Test card ending in 4242' })
    await untilDialogHasFocus(dialog)
    await dialog.getByText('The card is deleted here and at Test provider.').waitFor()
    await dialog.getByText('then wait at each renewal until their buyer pays').waitFor()
    await dialog.getByText('Club, $10.00 monthly').waitFor()
    await dialog.getByRole('button', { name: 'Remove card' }).press('Enter')
    await untilDialogCloses(page)
    await page.getByText('No card is saved.').waitFor()
  })
  expect(await cardsOf(order)).toEqual([])
})

test('the newest card pays renewals; removing it leaves them to the older one, and removing that one changes none', async () => {
  const order = await subscribe('ben@example.com')
  await subscribe('ben@example.com')
  await dashboard.on(pageOf(order), async (page) => {
    await expect.poll(() => cardRow(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Remove' }).last().press('Enter')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await page.getByText('No renewal is paid by this card.').waitFor()
    await page.keyboard.press('Escape')
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'Remove' }).first().press('Enter')
    await page.getByText('then paid by Test card ending in 4242').waitFor()
    await press(page, 'Remove card')
    await untilDialogCloses(page)
    await page.getByRole('row', { name: /4242.*Default/ }).waitFor()
  })
  expect(await cardsOf(order)).toMatchObject([{ is_default: true }])
})

test('an expired card is marked', async () => {
  const order = await subscribe('old@example.com')
  await dashboard.on(
    pageOf(order),
    async (page) => {
      await page.getByRole('row', { name: /Apr 2020 Expired/ }).waitFor()
    },
    // The test provider has no card that expires within the life of a test.
    (page) =>
      page.route('**/v1/customers/*/payment-methods', async (route) => {
        const json = await (await route.fetch()).json()
        const payment_methods = json.payment_methods.map((card: Json) => ({
          ...card,
          expires: '2020-04',
        }))
        await route.fulfill({ json: { ...json, payment_methods } })
      }),
  )
})

test('a subscription shows the card that is charged, and its payment method is changed', async () => {
  const order = await subscribe('eve@example.com')
  const { id } = await subscriptionOf(order)
  await dashboard.on(`/subscriptions/${id}`, async (page) => {
    const renewal = page.getByRole('region', { name: 'Auto-renewal' })
    await renewal.getByText('· Dec 2099').waitFor()
    const link = renewal.getByRole('link', { name: 'Test card ending in 4242' })
    expect(await link.getAttribute('href')).toContain(pageOf(order))
    await press(page, 'Change payment method')
    await page.getByRole('dialog').getByLabel('Paid by').selectOption('Manual')
    await page.getByRole('dialog').getByRole('button', { name: 'Change payment' }).press('Enter')
    await untilDialogCloses(page)
    await renewal.getByText('Each renewal waits until you record its payment.').waitFor()
  })
  expect((await subscriptionOf(order)).auto_renewal.provider).toBe('manual')
})

test('no card is named while an order of the subscription is on hold, or while the customer is blocked', async () => {
  const order = await subscribe('liv@example.com')
  const { id } = await subscriptionOf(order)
  const { ask } = dashboard
  await dashboard.on(`/subscriptions/${id}`, async (page) => {
    const renewal = page.getByRole('region', { name: 'Auto-renewal' })
    const link = renewal.getByRole('link', { name: 'Test card ending in 4242' })
    await link.waitFor()
    await ask('POST', `/orders/${order.id}/hold`)
    await renewal.getByText('Nothing while an order of the subscription is on hold.').waitFor()
    expect(await link.count()).toBe(0)
    await ask('POST', `/orders/${order.id}/release`)
    await dashboard.goTo(page, `/subscriptions/${id}`)
    await link.waitFor()
    await ask('POST', '/blocklist', { type: 'email', value: order.customer.email })
    await dashboard.goTo(page, `/subscriptions/${id}`)
    await renewal.getByText('Nothing while the customer is blocked').waitFor()
    expect(await link.count()).toBe(0)
  })
})

test('saved cards are shown without a fault at any width and in both themes, and a viewer may remove none', async () => {
  const order = await subscribe('kim@example.com')
  for (const { width, colorScheme } of VIEWS) {
    await dashboard.on(pageOf(order), async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await cardRow(page).waitFor()
      await examine(page, `saved cards at ${width} in ${colorScheme}`)
    })
  }
  const viewer = await dashboard.signInAs('viewer', PASSWORD)
  const page = await viewer.newPage()
  await dashboard.goTo(page, pageOf(order))
  await cardRow(page).waitFor()
  await page.getByText('The missing permission is “Customers: change”.').waitFor()
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await viewer.close()
})
