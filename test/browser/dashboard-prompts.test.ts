import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { CALL_URLS, connectionNotice, createString } from './waiting-changes.ts'

/** Changes for which the page asks for a password or a sign-in that is never given. */

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword('correct horse battery staple')
})
afterAll(() => dashboard?.close())

/** Leaves the page while a dialog waits for an answer, and opens the page again. */
async function leavePrompt(page: Page) {
  const address = page.url()
  await page.goto('about:blank')
  await page.unrouteAll()
  await page.goto(address)
  await page.locator('h1').waitFor()
}

/** Answers the changes of the page with a refusal. */
const refuseChanges = (page: Page, status: number, code: string) =>
  page.route(CALL_URLS, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status, json: { success: false, code } }),
  )

test('a change for which no password was given had no effect, so a reload does not mention it', async () => {
  await dashboard.on('/strings', async (page) => {
    await refuseChanges(page, 403, 'STEP_UP_REQUIRED')
    await createString(page, 'farewell')
    await page.getByRole('dialog', { name: 'Enter your password again' }).waitFor()
    await leavePrompt(page)
    await page.getByRole('button', { name: 'Create string' }).first().waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('waiting-changes')
    expect(await connectionNotice(page).count()).toBe(0)
  })
})

test('a notice after a reload names a change of a secret that was not made because the session had ended', async () => {
  await dashboard.on('/strings', async (page) => {
    await refuseChanges(page, 401, 'SIGN_IN_REQUIRED')
    await createString(page, 'farewell')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await leavePrompt(page)
    const notice = connectionNotice(page).getByText('because your session had ended')
    await notice.getByText('Create string · Strings').waitFor()
  })
})
