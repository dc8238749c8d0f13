import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
/** Passkeys are bound to a name, so these pages are opened at localhost. */
let origin: string
let page: Page

const PASSWORD = 'a long enough password'

/** Answers for the person, as a phone or a fingerprint reader would. */
async function addAuthenticator(to: Page) {
  const session = await to.context().newCDPSession(to)
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

test.each(VIEWS)(
  'at $width px in $colorScheme the account has no fault that axe finds, and does not scroll sideways',
  (view) => dashboard.examine(['/settings/account'], view),
)

test('by keyboard only, a passkey is added, signs in without a password, and counts as a password given again', async () => {
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
  // The first change of this kind asks the owner, who came by a link, to set a password.
  await tabTo(page, 'New password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()

  const { credentials } = await authenticator.session.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.authenticatorId,
  })
  expect(credentials).toHaveLength(1)
  await context.clearCookies({ domain: 'localhost' })
  await page.goto(`${origin}/dashboard/sign-in`)
  await tabTo(page, 'Sign in with a passkey')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Choose a store' }).waitFor()
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()
  // The session is stepped up by the passkey: nothing is asked before it is deleted.
  await page.locator('tr', { hasText: 'Laptop' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete passkey' }).click()
  await page.getByText('You have no passkey yet.').waitFor()
})

test('the authenticator app is set up by a QR code, or by the secret as text', async () => {
  const { server } = dashboard
  await page.goto(`${origin}/dashboard/${server.test.id}/settings/account`)
  const codes = page.getByRole('region', { name: 'Authenticator app' })
  await codes.getByRole('button', { name: 'Set up an app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set up an app' }).click()
  await codes.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  expect(await codes.locator('pre').textContent()).toMatch(/^[A-Z2-7]{16,}$/)
})
