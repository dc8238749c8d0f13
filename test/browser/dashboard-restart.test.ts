import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPort } from '../ports.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { connectionNotice } from './waiting-changes.ts'

// The dashboard while its server is down, and after it has started again.

/** A stopped server is noticed within this time. */
const NOTICED_MS = 5_000

let dashboard: OpenedDashboard

beforeEach(async () => {
  dashboard = await openDashboard(undefined, { PORT: String(await keepPort()) })
})
afterEach(() => dashboard?.close())

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a server that ends with %s is noticed within 5 s, and a page that is not loaded yet comes once it runs again',
  async (signal) => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '')
    dashboard.server.signal(signal)
    const notice = connectionNotice(page)
    await notice.getByText('The server does not answer.').waitFor({ timeout: NOTICED_MS })
    await page.getByRole('link', { name: 'Coupons' }).click()
    await notice.getByText('What you opened is not loaded yet.').waitFor()
    await dashboard.server.ended
    await dashboard.startAgain()
    await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor()
    await notice.waitFor({ state: 'detached' })
  },
)

test('a menu whose code is not loaded says so while the server is down, and opens once it runs again', async () => {
  const page = await dashboard.context.newPage()
  // The code of menus is loaded when their buttons are reached, so it is missing.
  await dashboard.goTo(page, '')
  dashboard.server.signal('SIGKILL')
  await dashboard.server.ended
  const button = page.locator('.user-button')
  await button.click()
  await connectionNotice(page).getByText('What you opened is not loaded yet.').waitFor()
  await dashboard.startAgain()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await connectionNotice(page).waitFor({ state: 'detached' })
})

test('a reload while the server is down ends on a page that waits, and then opens the requested one', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/coupons')
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  dashboard.server.signal('SIGKILL')
  await dashboard.server.ended
  await page.reload()
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()
  expect(await page.getByRole('button').allTextContents()).toEqual(['Open now'])
  await dashboard.startAgain()
  await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor()
})
