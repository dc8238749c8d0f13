import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

test('the settings of the store have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine(['/settings/store']))

test('the test clock is advanced by a year with the keyboard, and a monthly subscription renews for a year', async () => {
  const { ask, context, goTo } = dashboard
  const productBody = {
    name: 'Club',
    type: 'service',
    product_kind: 'subscription',
    price_cents: 500,
  }
  const { product } = await ask('POST', '/products', productBody)
  await ask('PUT', `/products/${product.id}/billing`, { billing_cycle: 'monthly' })
  const email = 'ada@example.com'
  const { customer } = await ask('POST', '/customers', { email })
  const balance = { amount_cents: 100_000, reason: 'A year of renewals' }
  await ask('POST', `/customers/${customer.id}/balance`, balance)
  await ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email },
    payment_method: 'balance',
  })

  const page = await context.newPage()
  await goTo(page, '/settings/store')
  await tabTo(page, 'By how much')
  await page.keyboard.press('End')
  await page.locator('output', { hasText: '365 days, to ' }).waitFor()
  await tabTo(page, 'Move the clock')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Move forward 365d')
  await page.keyboard.press('Enter')
  await page.getByText('All due work has run').waitFor()
  // The dialog returns the focus to its button, and the links come after the button.
  await tabTo(page, 'Subscriptions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
  await page.close()

  const { orders } = await ask('GET', '/orders?limit=100')
  // The first order and its renewals. A leap year has one day more than the slider.
  expect([12, 13]).toContain(orders.length)
  expect(orders.map(({ status }: { status: string }) => status)).not.toContain('pending')
})

test('the button that moves the clock repeats a duration, and nothing else that is typed', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/settings/store')
  await page.getByRole('button', { name: 'Move the clock', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.locator('button[type="submit"]')
  await dialog.locator('input[name="advance"]').fill('3d')
  expect(await submit.textContent()).toBe('Move forward 3d')
  await dialog.locator('input[name="advance"]').fill('x'.repeat(60))
  expect(await submit.textContent()).toBe('Move the clock')
  await page.close()
})
