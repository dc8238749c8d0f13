import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAsOwner } from './building-pages.ts'
import { examine, type OpenedDashboard, openDashboard, WIDTHS } from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

// The pages before the dashboard: sign-in, invitation and the choice of a store.

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let visitor: BrowserContext
let key: LicensedProgram['key']

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  key = (await startLicensedProgram(dashboard)).key
  visitor = await dashboard.browser.newContext({ locale: 'en-US', bypassCSP: true })
})
afterAll(() => dashboard?.close())

/** Opens a page that needs no store, at the width of a phone and of a laptop. */
async function examineEntry(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await examine(page, `${url} at ${width} px`)
  }
  return page
}

test('the sign-in page has the mark, one primary button, and the way to a new password', async () => {
  const page = await examineEntry(visitor, `${dashboard.server.origin}/dashboard/sign-in`)
  await page.locator('.brand', { hasText: 'Tradepost' }).waitFor()
  expect(await page.locator('button.primary').allTextContents()).toEqual(['Sign in'])
  await page.getByText(/^Forgotten password\?/).waitFor()
  await page.getByText('npx tradepost users reset --email …').waitFor()
  await page.close()
})

test('an invitation names who invites whom to which store in which role', async () => {
  const body = { email: 'nora@example.com', role: 'staff' }
  const { url } = await callAsOwner(dashboard, 'POST', '/invitations', body)
  const page = await examineEntry(visitor, url)
  await page.getByText('Demo owner invites you to the team of this store.').waitFor()
  const facts = await page.locator('.facts').innerText()
  expect(facts).toContain('nora@example.com')
  expect(facts).toContain('Staff: orders, customers and support')
  expect(await page.locator('button.primary').allTextContents()).toEqual(['Accept'])
  // A refused form still names them.
  await page.getByLabel('Your name').fill('Nora')
  await page.getByLabel(/^New password/).fill('short')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByText('Demo owner invites you to the team of this store.').waitFor()
  await page.close()
})

test('a link of an invitation that ended says so', async () => {
  const page = await visitor.newPage()
  const response = await page.goto(`${dashboard.server.origin}/dashboard/invitation?token=x`)
  expect(response?.status()).toBe(404)
  await page.getByText(/^This invitation was used or withdrawn/).waitFor()
  await page.close()
})

test('the choice of a store names each side and the role in it, and leads out again', async () => {
  const owner = await dashboard.browser.newContext({
    locale: 'en-US',
    bypassCSP: true,
    storageState: await dashboard.context.storageState(),
  })
  const page = await examineEntry(owner, `${dashboard.server.origin}/dashboard`)
  await page.getByRole('heading', { name: 'Choose a store' }).waitFor()
  await page.locator('.brand', { hasText: 'Tradepost' }).waitFor()
  const rows = await page.getByRole('listitem').allInnerTexts()
  expect(rows.some((row) => /Demo\s+Test\s+Owner/.test(row))).toBe(true)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await owner.close()
})

test.each(['staff', 'viewer'])(
  'a member with the role %s opens a license key, whose text is masked',
  async (role) => {
    const context = await dashboard.signInAs(role, PASSWORD)
    const page = await context.newPage()
    await dashboard.goTo(page, '/license-keys')
    await page.locator('a.row-link').first().click()
    await page.locator('.panel-title').waitFor()
    expect(await page.locator('main').innerText()).not.toContain(key.key)
    await page.getByRole('link', { name: 'Open as a page' }).click()
    await page.waitForURL(/\/license-keys\/\d+$/)
    await page.getByRole('heading', { level: 1, name: key.key_preview.slice(-4) }).waitFor()
    expect(await page.locator('.failure').count()).toBe(0)
    expect(await page.locator('main').innerText()).not.toContain(key.key)
    for (const tab of ['Devices', 'Sessions', 'History']) {
      await page.locator('main').getByRole('link', { name: tab, exact: true }).click()
      await page.waitForURL(new RegExp(`/${tab.toLowerCase()}$`))
      await page.getByRole('table').first().waitFor()
      expect(await page.locator('.failure').count(), tab).toBe(0)
    }
    await context.close()
  },
)
