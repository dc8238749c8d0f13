import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { createBarrier } from './pages-in-states.ts'

// Several records are changed at once while the server fails or does not answer.

let dashboard: OpenedDashboard
let game: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const fields = { name: 'Game', type: 'service', price_cents: 1_000, status: 'active' }
  game = (await dashboard.ask('POST', '/products', fields)).product.id
})
afterAll(() => dashboard?.close())

async function createOrders(count: number, email: string) {
  const items = [{ product_id: game, quantity: 1 }]
  for (let n = 0; n < count; n += 1)
    await dashboard.ask('POST', '/orders', { items, customer: { email } })
}

const statusesOf = async (email: string): Promise<string[]> =>
  (await dashboard.ask('GET', `/orders?limit=100&email=${email}`)).orders
    .map(({ status }: Json) => status)
    .sort()

/** Begins to cancel all orders of this customer. The second cancellation is handled by `second`. */
async function beginToCancel(page: Page, count: number, second: (route: Route) => Promise<void>) {
  const ids: string[] = []
  await page.route('**/orders/*/cancel', async (route) => {
    const id = /orders\/(\w+)\/cancel/.exec(route.request().url())?.[1] ?? ''
    if (!ids.includes(id)) ids.push(id)
    await (ids.indexOf(id) === 1 ? second(route) : route.fallback())
  })
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const title = `Cancel ${count} orders`
  await page.getByRole('button', { name: title, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.locator('button[type=submit]').click()
  return dialog
}

test('a server error is not done and no refusal, and exactly those are sent again', async () => {
  const email = 'busy@example.com'
  await createOrders(3, email)
  await dashboard.on(`/orders?search=${email}`, async (page) => {
    let isBusy = true
    const dialog = await beginToCancel(page, 3, (route) =>
      isBusy
        ? route.fulfill({
            status: 503,
            headers: { 'cache-control': 'no-store' },
            json: { success: false, error: 'The provider does not answer.', code: 'UNAVAILABLE' },
          })
        : route.fallback(),
    )
    await dialog.getByText('2 done. 1 not done.', { exact: true }).waitFor()
    expect(await dialog.getByText(/refused/).count()).toBe(0)
    isBusy = false
    const calls: string[] = []
    page.on('request', (request) => /cancel$/.test(request.url()) && calls.push(request.url()))
    await dialog.getByRole('button', { name: 'Send 1 again' }).press('Enter')
    await dialog.getByText('3 done.', { exact: true }).waitFor()
    expect(calls).toHaveLength(1)
    await page.locator('.form-end button:focus', { hasText: 'Close' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.selection-bar').waitFor({ state: 'detached' })
  })
  expect(await statusesOf(email)).toEqual(['cancelled', 'cancelled', 'cancelled'])
})

test('a silent server is named, and a stop gives up the present request, which is never sent twice', async () => {
  const email = 'silent@example.com'
  await createOrders(3, email)
  await dashboard.on(`/orders?search=${email}`, async (page) => {
    await page.clock.install()
    const answer = createBarrier()
    await page.route('**/api/me', async (route) => {
      await answer.opened
      await route.fallback()
    })
    let callCount = 0
    const dialog = await beginToCancel(page, 3, async (route) => {
      callCount += 1
      await answer.opened
      await route.fallback()
    })
    await dialog.getByText('1 of 3').waitFor()
    await page.clock.runFor(2_500)
    await dialog.getByText('This takes longer than usual.').waitFor()
    await page.clock.runFor(9_000)
    await dialog.getByText('The server does not answer.').waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog
      .getByText('1 done. 1 not done. 1 not attempted, because the work was stopped.')
      .waitFor()
    await dialog.getByText('The server has not answered. It may still be done.').waitFor()
    await dialog.getByRole('button', { name: 'Send 1 again' }).click()
    answer.open()
    await dialog.getByText('2 done. 1 not attempted').waitFor()
    expect(callCount).toBe(1)
  })
  expect(await statusesOf(email)).toEqual(['cancelled', 'cancelled', 'pending'])
})
