import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

test.each(VIEWS)(
  'at $width px in $colorScheme the settings of the store have no fault that axe finds, and do not scroll sideways',
  (view) => dashboard.examine(['/settings/store'], view),
)

test('by keyboard only, a year is run on the test clock, and the renewals of a year follow', async () => {
  const { ask, context, goTo } = dashboard
  const plan = { name: 'Club', type: 'service', product_kind: 'subscription', price_cents: 500 }
  const { product } = await ask('POST', '/products', plan)
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
  await page.getByText('All that became due has run').waitFor()
  // The dialog gives the focus back to its button, and the links follow it.
  await tabTo(page, 'Subscriptions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
  await page.close()

  const { orders } = await ask('GET', '/orders?limit=100')
  // The first order and its renewals. A year with 29 February has a day more than the slider's.
  expect([12, 13]).toContain(orders.length)
  expect(orders.map(({ status }: { status: string }) => status)).not.toContain('pending')
})
