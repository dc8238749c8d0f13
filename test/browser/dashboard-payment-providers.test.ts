import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../providers/stripe.ts'
import {
  examine,
  openEntry,
  press,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
  VIEWS,
} from './dashboard-harness.ts'
import { openStripeDashboard, type StripeDashboard } from './stripe-dashboard.ts'

/** The payment providers of a store, and the callbacks that arrived, by keyboard. */

const PAGE = '/settings/payments'
const PASSWORD = 'correct horse battery staple'
const CARD = { method: 'card' }
const PROVIDER_URL = /\/account\/payment-providers\/stripe/

let { stripe, dashboard, lesson, connectStripe, close } = {} as StripeDashboard

beforeAll(async () => {
  ;({ stripe, dashboard, lesson, connectStripe, close } = await openStripeDashboard())
  await dashboard.setPassword(PASSWORD)
})
afterAll(() => close?.())

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name })

const providerOf = async (name: string): Promise<Json> => {
  const { payment_providers } = await dashboard.ask('GET', '/account/payment-providers')
  return payment_providers.find(({ provider }: Json) => provider === name)
}

async function unpaidOrder(): Promise<Json> {
  const items = [{ product_id: lesson, quantity: 1 }]
  const customer = { email: 'mara@example.com' }
  return (await dashboard.ask('POST', '/orders', { items, customer })).order
}

async function startedPayment(method: string): Promise<Json> {
  const order = await unpaidOrder()
  return (await dashboard.ask('POST', `/orders/${order.id}/payments`, { method })).payment
}

/** Opens the dialog of a button by keyboard. */
async function openDialog(page: Page, button: string, title = button): Promise<Locator> {
  await press(page, button)
  const dialog = page.getByRole('dialog', { name: title })
  await untilDialogHasFocus(dialog)
  return dialog
}

/** Types both keys of Stripe. */
async function typeKeys(page: Page, secretKey: string) {
  await tabTo(page, 'Secret key')
  await page.keyboard.type(secretKey)
  await tabTo(page, 'Signing secret')
  await page.keyboard.type(STRIPE_WEBHOOK_SECRET)
}

test('a test side shows its own provider as connected, and how to enter the address at Stripe', async () => {
  await dashboard.on('', async (page) => {
    await openEntry(page, 'Payments')
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await sectionOf(page, 'Test provider').getByText('Connected', { exact: true }).waitFor()
    const section = sectionOf(page, 'Stripe')
    await section.getByText('Not connected').waitFor()
    await section.getByText('Stripe cannot reach this address').waitFor()
    await section.getByText('charge.dispute.closed').waitFor()
    const { callback_url } = await providerOf('stripe')
    expect(await section.locator('.copy code').first().textContent()).toBe(callback_url)
    await section.getByRole('button', { name: 'Copy Callback address' }).waitFor()
  })
})

test('Stripe is connected with the password again; a refused key is named beside its field, and a provider that does not answer keeps the typed keys', async () => {
  await dashboard.on(PAGE, async (page) => {
    let isAsked = false
    await page.route(PROVIDER_URL, (route) => {
      if (isAsked) return route.continue()
      isAsked = true
      const json = { success: false, code: 'STEP_UP_REQUIRED' }
      return route.fulfill({ status: 403, json })
    })
    const dialog = await openDialog(page, 'Connect Stripe')
    expect(await dialog.locator('input[type=password]').count()).toBe(2)
    await typeKeys(page, 'sk_test_51Wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Enter your password again' }).waitFor()
    await page.getByRole('textbox', { name: 'Password (required)' }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    const refusedKey = dialog.getByLabel('Secret key (required)')
    await dialog.locator('[aria-invalid=true]').waitFor()
    expect(await refusedKey.getAttribute('aria-invalid')).toBe('true')
    const text = (await dialog.textContent()) ?? ''
    expect(text).toContain('Stripe refused this key.')
    expect(text).not.toContain('secret_key:')
    expect((await providerOf('stripe')).status).toBeNull()

    stripe.misbehaviours.push(...Array.from({ length: 9 }, () => 'error_500' as const))
    await refusedKey.fill(STRIPE_KEY)
    await page.keyboard.press('Enter')
    await dialog.getByText('Stripe does not answer now.').waitFor()
    expect(await refusedKey.inputValue()).toBe(STRIPE_KEY)
    stripe.misbehaviours.length = 0

    await dialog.getByText('Show as API call').click()
    expect(await dialog.locator('.api-call').textContent()).not.toContain(STRIPE_KEY)
    await refusedKey.press('Enter')
    await untilDialogCloses(page)
    const section = sectionOf(page, 'Stripe')
    await section.getByText('Connected', { exact: true }).waitFor()
    await section.getByText('Ada Games').waitFor()
  })
  expect((await providerOf('stripe')).status).toBe('connected')
})

test('a provider that refuses its key says why and how to repair it, and its keys are changed', async () => {
  await connectStripe()
  const order = await unpaidOrder()
  const { origin, test: side } = dashboard.server
  const target = { origin, store: side.id, key: side.api_key ?? '' }
  stripe.misbehaviours.push('unauthorized')
  const started = await call(target, 'POST', `/orders/${order.id}/payments`, { body: CARD })
  expect(started.status).toBe(503)
  await dashboard.on(PAGE, async (page) => {
    const section = sectionOf(page, 'Stripe')
    await section.getByText('Failing').waitFor()
    await section.getByText('Stripe refused the secret key, or one of its permissions.').waitFor()
    await section.getByText('enter a valid one with “Change keys”').waitFor()
    await openDialog(page, 'Change keys')
    await typeKeys(page, ` ${STRIPE_KEY} `)
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await section.getByText('Connected', { exact: true }).waitFor()
  })
})

test('a provider with an open payment is disconnected only if the user says so again', async () => {
  await connectStripe()
  await startedPayment('card')
  await dashboard.on(PAGE, async (page) => {
    const section = sectionOf(page, 'Stripe')
    await section.getByRole('button', { name: 'Disconnect' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Disconnect Stripe' })
    await untilDialogHasFocus(dialog)
    await dialog.getByText('Paid orders stay paid.').waitFor()
    await dialog.getByRole('button', { name: 'Disconnect Stripe' }).press('Enter')
    await dialog.getByText('A payment of this provider is open.').first().waitFor()
    expect((await providerOf('stripe')).status).toBe('connected')
    await dialog.getByLabel('Disconnect although payments are open').press('Space')
    await dialog.getByRole('button', { name: 'Disconnect Stripe' }).press('Enter')
    await untilDialogCloses(page)
    await section.getByText('Not connected').waitFor()
  })
  expect((await providerOf('stripe')).status).toBeNull()
})

test('the provider of a test side is disconnected and connected again', async () => {
  const isConnected = async () => (await providerOf('test')).status === 'connected'
  await dashboard.on(PAGE, async (page) => {
    const section = sectionOf(page, 'Test provider')
    await section.getByRole('button', { name: 'Disconnect' }).press('Enter')
    const disconnect = page.getByRole('dialog', { name: 'Disconnect Test provider' })
    await disconnect.getByRole('button', { name: 'Disconnect Test provider' }).press('Enter')
    await untilDialogCloses(page)
    expect(await isConnected()).toBe(false)
    const connect = await openDialog(page, 'Connect Test provider')
    await connect.getByRole('button', { name: 'Connect Test provider' }).press('Enter')
    await untilDialogCloses(page)
    await section.getByText('Connected', { exact: true }).waitFor()
  })
  expect(await isConnected()).toBe(true)
})

describe('callbacks', () => {
  let payment: Json
  beforeAll(async () => {
    payment = await startedPayment('test')
    const path = `/orders/${payment.order_id}/payments/${payment.id}/simulate`
    await dashboard.ask('POST', path, { do: 'pay' })
    await connectStripe()
    const { callback_url } = await providerOf('stripe')
    const event = { id: 'evt_other', object: 'event', type: 'charge.refunded', data: {} }
    const object = { id: 'ch_other', object: 'charge', payment_intent: 'pi_other', metadata: {} }
    const { headers, body } = stripe.signed({ ...event, data: { object } }, STRIPE_WEBHOOK_SECRET)
    const response = await fetch(callback_url, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
  })

  test('are listed in words, by status, each with its order', async () => {
    await dashboard.on(PAGE, async (page) => {
      const section = sectionOf(page, 'Callbacks received')
      const row = section.getByRole('row', { name: /Payment paid.*Applied/ })
      await row.getByRole('link', { name: 'Open the order' }).waitFor()
      await section.getByRole('button', { name: 'Not for this store' }).press('Enter')
      await section.getByRole('row', { name: /Stripe.*Refund/ }).waitFor()
      await row.waitFor({ state: 'detached' })
      await section.getByRole('button', { name: 'Applied', exact: true }).press('Enter')
      await row.getByRole('link', { name: 'Open the order' }).press('Enter')
      await page.waitForURL(`**/orders/${payment.order_id}`)
    })
  })

  test('are applied again', async () => {
    await dashboard.on(`${PAGE}?status=applied`, async (page) => {
      const dialog = await openDialog(page, 'Apply again')
      await dialog.getByRole('button', { name: 'Apply again' }).press('Enter')
      await untilDialogCloses(page)
    })
    const { payment_callbacks } = await dashboard.ask(
      'GET',
      '/account/payment-callbacks?status=applied',
    )
    expect(payment_callbacks).toMatchObject([{ payment_id: payment.id, attempts: 2 }])
  })

  test('and providers are shown without a fault at any width and in both themes', async () => {
    for (const { width, colorScheme } of VIEWS) {
      await dashboard.on(PAGE, async (page) => {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await page.getByRole('link', { name: 'Open the order' }).first().waitFor()
        await examine(page, `${PAGE} at ${width} in ${colorScheme}`)
      })
    }
  })
})

test('a viewer sees the providers, and may change none', async () => {
  const viewer = await dashboard.signInAs('viewer', PASSWORD)
  const page = await viewer.newPage()
  await dashboard.goTo(page, PAGE)
  await sectionOf(page, 'Stripe').waitFor()
  await page.getByText('The missing permission is “Store settings: change”.').waitFor()
  for (const name of ['Connect Stripe', 'Change keys', 'Disconnect', 'Apply again'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  await viewer.close()
})
