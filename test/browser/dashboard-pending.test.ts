import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

/** Forms whose request is sent and not answered yet. */

let dashboard: OpenedDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

/** Sends the form of a new customer by keyboard, and holds its request. */
async function sendHeld(page: Page, email: string) {
  await dashboard.goTo(page, '/customers')
  await page.getByRole('button', { name: 'New customer', exact: true }).first().press('Enter')
  await page.getByRole('dialog').locator('input[name="email"]').fill(email)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let sentCount = 0
  const address = /\/customers$/
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sentCount += 1
    await released
    return route.fallback()
  })
  const submit = page.getByRole('dialog').locator('button[type="submit"]')
  await submit.press('Enter')
  await page.locator('.form[aria-busy="true"]').waitFor()
  return { submit, release, sentCount: () => sentCount }
}

test('the button of a sent form keeps the focus, and sends nothing more', async () => {
  const page = await dashboard.context.newPage()
  const { submit, release, sentCount } = await sendHeld(page, 'once@example.com')
  expect(await submit.getAttribute('aria-disabled')).toBe('true')
  expect(await submit.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(
    true,
  )
  await page.keyboard.press('Enter')
  release()
  await page.waitForURL(/\/customers\/\d+/)
  expect(sentCount()).toBe(1)
  await page.close()
})

test('a record whose dialog was closed before the answer is saved, and the page stays', async () => {
  const page = await dashboard.context.newPage()
  const { release } = await sendHeld(page, 'closed@example.com')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  release()
  await page.getByText('New customer: Saved').waitFor()
  await page.getByRole('table').getByText('closed@example.com').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/customers$/)
  await page.close()
})

test('a record that was saved after the user left the page does not open', async () => {
  const page = await dashboard.context.newPage()
  const { release } = await sendHeld(page, 'left@example.com')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('navigation').getByRole('link', { name: 'Coupons', exact: true }).click()
  await page.locator('h1', { hasText: 'Coupons' }).waitFor()
  release()
  await page.getByText('New customer: Saved').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/\/coupons$/)
  await page.close()
})
