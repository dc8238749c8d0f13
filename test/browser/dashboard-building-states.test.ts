import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BuildingPage, callAsOwner, createBuildingPages } from './building-pages.ts'
import { expectEmpty, type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { createBarrier, intercept, isData, onPages, unreportedFailures } from './pages-in-states.ts'

/** Every page of Client, Build and Settings, in each state that a page can be in. */

const PASSWORD = 'correct horse battery staple'

const OTHER_WINDOW = /^You changed this in another window .+\.$/
const OTHER_PROGRAM =
  /^A program with the API key “.+” changed this .+, while you were editing it\.$/

let dashboard: OpenedDashboard
let pages: readonly BuildingPage[]
let viewer: BrowserContext

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  pages = (await createBuildingPages(dashboard)).pages
  viewer = await invite('viewer')
})
afterEach(() => dashboard.context.setOffline(false))
afterAll(() => dashboard?.close())

/** A browser of a new member of the team. */
async function invite(role: string): Promise<BrowserContext> {
  const body = { email: `${role}@example.com`, role }
  const { url } = await callAsOwner(dashboard, 'POST', '/invitations', body)
  const context = await dashboard.browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Your name').fill('Vera')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.locator('h1').waitFor()
  await page.close()
  return context
}

test('partial failure: a request that fails alone affects only its part of the page, which recovers', async () => {
  const unreported: string[] = []
  await onPages([dashboard.context], pages, async (page, { path }) => {
    unreported.push(...(await unreportedFailures(dashboard, page, path)))
  })
  expectEmpty(unreported)
})

test('no permission: a viewer reads every page, which offers no change and says why', async () => {
  const page = await viewer.newPage()
  const unexplained: string[] = []
  for (const { path, readers, isOfUser, isReadOnly } of pages) {
    await dashboard.show(page, path)
    const failures = await page.locator('main .failure').allTextContents()
    if (readers === 'owners') {
      expect(failures.join(), path).toMatch(/Only an owner|Your role in this store/)
      continue
    }
    if (isOfUser) continue
    // A page that shows a secret in full is for those who may change it (decision 136).
    for (const failure of failures) expect(failure, path).toContain('INSUFFICIENT_SCOPE')
    const reason = page.getByText('Your role in this store does not allow this.')
    if (!isReadOnly && (await reason.count()) === 0) unexplained.push(path)
    const changes = page.locator('main :is(button.primary, button.danger, button.danger-outlined)')
    expectEmpty(await changes.allTextContents(), path)
  }
  expectEmpty(unexplained)
  await page.close()
})

test('feature off: a page of a feature that is off says so', async () => {
  const page = await dashboard.context.newPage()
  await page.route(isData, (route) =>
    /shipping|locations|account/.test(route.request().url())
      ? route.fulfill({
          status: 403,
          json: {
            success: false,
            code: 'FEATURE_NOT_ENABLED',
            error: 'The feature shipping is off.',
            request_id: 'req_off',
          },
        })
      : route.fallback(),
  )
  for (const { path } of pages.filter(({ feature }) => feature !== undefined)) {
    await dashboard.goTo(page, path)
    await page.getByText('This feature is turned off for this store.').first().waitFor()
  }
  await page.close()
})

test('offline and stale: every page keeps what it shows without a connection, says that the server does not answer, and keeps its data while it is read again', async () => {
  const page = await dashboard.context.newPage()
  for (const { path } of pages) {
    await dashboard.show(page, path)
    const heading = await page.locator('main h1').textContent()
    const textBefore = await page.locator('main').textContent()
    const readAgain = createBarrier()
    const stop = await intercept(page, async (url) => {
      if (isData(url)) await readAgain.opened
      return undefined
    })
    await dashboard.context.setOffline(true)
    await page.locator('.notice-bar').waitFor()
    expect(await page.locator('main h1').textContent(), path).toBe(heading)
    expect(await page.locator('main .failure').count(), path).toBe(0)
    // The server answers again after it did not, so all data is read again.
    await dashboard.context.setOffline(false)
    await page.locator('.notice-bar').waitFor({ state: 'detached' })
    expect(await page.locator('main .skeleton').count(), path).toBe(0)
    expect((await page.locator('main').textContent())?.length, path).toBeGreaterThan(
      (textBefore?.length ?? 0) / 2,
    )
    readAgain.open()
    await stop()
  }
  await page.close()
})

test("conflict: a form shows both values if another user changed the same one, and sends the user's own value on request", async () => {
  const { ask, server } = dashboard
  const webhookPath = pages.find(({ path }) => /webhooks\/\w+\/settings/.test(path))?.path ?? ''
  const keyPath = pages.find(({ path }) => /api-keys\/\d+/.test(path))?.path ?? ''
  const { zone } = await ask('POST', '/shipping/zones', { name: 'Alps', countries: ['AT', 'CH'] })
  await ask('POST', '/shipping/locations', {
    ...{ name: 'Depot', line1: 'Kai 1', city: 'Bremen', country: 'DE' },
  })
  const [location] = (await ask('GET', '/shipping/locations')).locations
  const headers = { origin: server.origin }
  const storeUrl = `${server.origin}/dashboard/api/stores/${server.test.id}`
  const conflicts = [
    {
      path: webhookPath,
      open: 'Edit',
      field: 'Purpose',
      changeAsOther: () =>
        ask('PATCH', webhookPath.replace('/settings', ''), { description: 'Theirs' }),
    },
    {
      path: keyPath,
      open: 'Edit',
      field: 'Name',
      changeAsOther: () =>
        dashboard.context.request.patch(storeUrl + keyPath, { data: { name: 'Theirs' }, headers }),
    },
    {
      path: '/settings/store',
      open: 'Change settings',
      field: 'Support address',
      changeAsOther: () =>
        ask('PATCH', '/account/settings', { support_email: 'theirs@example.com' }),
    },
    {
      path: `/settings/shipping/zones/${zone.id}`,
      open: 'Edit',
      field: 'Name',
      changeAsOther: () => ask('PATCH', `/shipping/zones/${zone.id}`, { name: 'Theirs' }),
    },
    {
      path: '/settings/shipping/locations',
      open: 'Edit',
      field: 'Name',
      changeAsOther: () => ask('PATCH', `/shipping/locations/${location.id}`, { name: 'Theirs' }),
    },
  ]
  for (const { path, open, field, changeAsOther } of conflicts) {
    await dashboard.on(path, async (page) => {
      await page.getByRole('button', { name: open, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(field).fill(path === '/settings/store' ? 'me@example.com' : 'Mine')
      await changeAsOther()
      await dialog.locator('button[type=submit]').last().click()
      await dialog.getByText(path === keyPath ? OTHER_WINDOW : OTHER_PROGRAM).waitFor()
      await dialog
        .locator('tbody')
        .getByText(/^Theirs$|theirs@example.com/)
        .waitFor()
      await dialog.getByRole('button', { name: 'Keep mine' }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  }
})
