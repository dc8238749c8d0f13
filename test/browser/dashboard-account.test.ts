import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
} from './dashboard-harness.ts'

let dashboard: OpenedDashboard
/** Passkeys are bound to a name, so these pages are opened at localhost. */
let origin: string
let page: Page

const PASSWORD = 'a long enough password'

/** Adds a virtual authenticator to the browser, which confirms passkeys as a fingerprint reader does. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return { session, authenticatorId }
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { server, context } = dashboard
  origin = server.origin.replace('127.0.0.1', 'localhost')
  const cookies = await context.cookies(server.origin)
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: 'localhost' })))
  page = await context.newPage()
})
afterAll(() => dashboard?.close())

test('the account page has no axe violations in either theme and does not scroll sideways', () =>
  dashboard.examine(['/settings/account']))

test('a change of the email address has no axe violations at any width', async () => {
  const openForm = async (viewed: Page) => {
    await viewed.getByRole('button', { name: 'Change email address' }).press('Enter')
    await untilDialogHasFocus(viewed.getByRole('dialog'))
  }
  // The address of the confirmation link, while the form of another change is open.
  await dashboard.examine(['/settings/account?email_token=opened'], openForm)
  await dashboard.examine(['/settings/account'], async (viewed) => {
    const url = `${origin}/dashboard/store/settings/account?email_token=${'x'.repeat(43)}`
    const json = { success: true, email: 'new@example.com', url }
    await viewed.route('**/email-changes', (route) => route.fulfill({ status: 201, json }))
    await openForm(viewed)
    await viewed.keyboard.type('new@example.com')
    await viewed.keyboard.press('Enter')
    await viewed.getByText('Mail is not set up').waitFor()
    await untilDialogCloses(viewed)
  })
})

test('a passkey is added with the keyboard, signs in without a password, and confirms a deletion without a password', async () => {
  const { server, context } = dashboard
  const authenticator = await addAuthenticator(page)
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  await page.locator('h1').waitFor()
  await tabTo(page, 'Add passkey')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Name')
  await page.keyboard.type('Laptop')
  await tabTo(page, 'Add passkey')
  await page.keyboard.press('Enter')
  // The first such change asks the owner, who signed in with a link, to set a password.
  await tabTo(page, 'New password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()

  const { credentials } = await authenticator.session.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.authenticatorId,
  })
  expect(credentials).toHaveLength(1)
  await context.clearCookies({ domain: 'localhost' })
  // The address of a page leads to the sign-in, which leads back to it.
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  await tabTo(page, 'Sign in with a passkey')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()
  // The passkey stepped up the session, so no password is requested before the deletion.
  await page.locator('tr', { hasText: 'Laptop' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Type “Laptop” to confirm.').fill('Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete passkey' }).click()
  await page.getByText('You have no passkey yet.').waitFor()
})

test('a passkey that was renamed in another window is shown with both names before one is saved', async () => {
  const { server, context } = dashboard
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  await page.locator('h1').waitFor()
  await press(page, 'Add passkey')
  await tabTo(page, 'Name')
  await page.keyboard.type('Phone')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Phone' }).waitFor()
  await untilDialogCloses(page)

  const api = `${origin}/dashboard/api/passkeys`
  const readPasskey = async (): Promise<Json> =>
    (await (await context.request.get(api)).json()).passkeys[0]
  await press(page, 'Rename')
  await tabTo(page, 'Name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Mine')
  const data = { name: 'Theirs' }
  await context.request.patch(`${api}/${(await readPasskey()).id}`, { data, headers: { origin } })
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
  expect((await readPasskey()).name).toBe('Theirs')
  await press(page, 'Keep mine')
  await untilDialogCloses(page)
  expect((await readPasskey()).name).toBe('Mine')
})

test('the authenticator app is set up by a QR code, or by the secret as text', async () => {
  const { server } = dashboard
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  const section = page.getByRole('region', { name: 'Authenticator app' })
  await section.getByRole('button', { name: 'Set up an app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set up an app' }).click()
  await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  expect(await section.locator('pre').textContent()).toMatch(/^[A-Z2-7]{16,}$/)
})

test('a user changes the name and the email address with the keyboard, and opens the shown link to confirm', async () => {
  const { context, server } = dashboard
  const stepUp = { data: { password: PASSWORD }, headers: { origin } }
  expect((await context.request.post(`${origin}/dashboard/api/step-up`, stepUp)).status()).toBe(200)
  const accountPage = await context.newPage()
  await accountPage.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  await accountPage.getByRole('button', { name: 'Change name' }).waitFor()
  await press(accountPage, 'Change name')
  await untilDialogHasFocus(accountPage.getByRole('dialog'))
  await accountPage.keyboard.press('Control+A')
  await accountPage.keyboard.type('Mara Quandt')
  await accountPage.keyboard.press('Enter')
  await untilDialogCloses(accountPage)
  const identity = accountPage.getByRole('region', { name: 'Name and email address' })
  await identity.getByText('Mara Quandt').waitFor()

  await press(accountPage, 'Change email address')
  await untilDialogHasFocus(accountPage.getByRole('dialog'))
  await accountPage.keyboard.type('not an address')
  await accountPage.keyboard.press('Enter')
  await accountPage.getByRole('dialog').locator('.field-error').waitFor()
  await accountPage.keyboard.press('Control+A')
  await accountPage.keyboard.type('quandt@example.com')
  await accountPage.keyboard.press('Enter')
  await untilDialogCloses(accountPage)
  await identity.getByText('Mail is not set up').waitFor()
  expect(await identity.locator('.facts').textContent()).not.toContain('quandt@example.com')

  await press(accountPage, 'Open the link')
  const confirmation = accountPage.getByRole('region', { name: 'Confirm new email address' })
  await confirmation.waitFor()
  await press(accountPage, 'Confirm new email address')
  await untilDialogHasFocus(accountPage.getByRole('dialog'))
  await press(accountPage, 'Confirm new email address')
  await accountPage.getByText('Your email address was changed.').waitFor()
  await identity.locator('.facts', { hasText: 'quandt@example.com' }).waitFor()
  await confirmation.waitFor({ state: 'detached' })
  expect(accountPage.url()).not.toContain('email_token')
  await accountPage.close()
})
