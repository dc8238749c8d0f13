import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const fields = { name: 'Club', type: 'service', price_cents: 500, status: 'active' }
  const { product } = await ask('POST', '/products', fields)
  const items = [{ product_id: product.id, quantity: 1 }]
  await ask('POST', '/orders', { items, customer: { email: 'mara@example.com' } })
})
afterAll(() => dashboard?.close())

test('filters are saved as a view, which is opened, renamed and deleted with the keyboard', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/orders?status=pending&search=mara')
  await tabTo(page, 'Save view')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Name of the view')
  await page.keyboard.type('Unpaid of Mara')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Unpaid of Mara', pressed: true }).waitFor()

  await dashboard.goTo(page, '/orders')
  await tabTo(page, 'Unpaid of Mara')
  await page.keyboard.press('Enter')
  await page.waitForURL(/status=pending/)
  await tabTo(page, 'Rename view')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Name of the view')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Mara')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Mara', exact: true, pressed: true }).waitFor()
  await tabTo(page, 'Delete view')
  await page.keyboard.press('Enter')
  await page.getByText('Mara no longer appears above the list.').waitFor()
  await tabTo(page, 'Delete view')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save view' }).waitFor()
  await page.close()
})

test('a filtered list has no axe violations in either theme and does not scroll sideways', () =>
  dashboard.examine(['/orders?status=pending&search=mara']))

test('times are relative to the clock of the store after the test clock was advanced', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.ask('POST', '/account/test-clock', { advance: '11d' })
  await dashboard.goTo(page, '/orders')
  await page.locator('td time', { hasText: '11 days ago' }).first().waitFor()
  // "Last month" would not say how long ago.
  await dashboard.ask('POST', '/account/test-clock', { advance: '35d' })
  await dashboard.goTo(page, '/orders')
  await page.locator('td time', { hasText: '46 days ago' }).first().waitFor()
  await page.close()
})

test('an entry of the blocklist is changed with the keyboard', async () => {
  const { ask, context, goTo } = dashboard
  const entry = { type: 'email', value: '*@spam.example', reason: 'Chargebacks' }
  const { blocklist_entry } = await ask('POST', '/blocklist', entry)
  const page = await context.newPage()
  await goTo(page, '/blocklist')
  await tabTo(page, 'Edit')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Reason')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Stolen cards')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Stolen cards' }).waitFor()
  const { blocklist_entry: changed } = await ask('GET', `/blocklist/${blocklist_entry.id}`)
  expect(changed).toMatchObject({ value: '*@spam.example', reason: 'Stolen cards' })
  await page.close()
})

test('the audit trail names the kind of a record in the language of the reader', async () => {
  await dashboard.ask('POST', '/products', { name: 'Kite', price_cents: 900 })
  const context = await dashboard.browser.newContext({
    locale: 'de-DE',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  await dashboard.goTo(page, '/settings/audit')
  await page
    .getByRole('link', { name: /^Produkt / })
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: /^Product / }).count()).toBe(0)
  await context.close()
})
