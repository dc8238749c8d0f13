import type { BrowserContext, Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { until } from '../until.ts'
import {
  declineSignIn,
  type OpenedDashboard,
  openDashboard,
  press,
  returnToTab,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
} from './dashboard-harness.ts'
import { holdRequests } from './held-requests.ts'

/** Sessions that end while a user types, and the typed text. */

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let email: string
let couponPath: string
/** A browser whose session the tests may end. */
let visitor: BrowserContext

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  const me = await dashboard.context.request.get(`${dashboard.server.origin}/dashboard/api/me`)
  email = ((await me.json()) as Json).user.email
  const { product } = await dashboard.ask('POST', '/products', { name: 'Tent', price_cents: 900 })
  const created = await dashboard.ask('POST', '/coupons', {
    ...{ code: 'SESSION', type: 'percentage', discount_percent: 10, product_ids: [product.id] },
  })
  couponPath = `/coupons/${created.coupon.id}`
  visitor = await dashboard.browser.newContext({ locale: 'en-US' })
})
afterEach(() => visitor.clearCookies())
afterAll(() => dashboard?.close())

const urlOf = (path: string) =>
  `${dashboard.server.origin}/dashboard/${dashboard.server.test.id}${path}`

async function replaceText(page: Page, label: string, text: string) {
  await tabTo(page, label)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Opens a page in the browser of the visitor, signed in as the owner. */
async function openSignedIn(path: string): Promise<Page> {
  await visitor.addCookies(await dashboard.context.cookies())
  const page = await visitor.newPage()
  await page.clock.install()
  await page.goto(urlOf(path))
  await page.locator('h1').waitFor()
  return page
}

test('a link that is opened without a session leads through the sign-in to its page, also after a wrong password', async () => {
  const page = await visitor.newPage()
  await page.goto(urlOf('/orders?status=paid'))
  for (const password of ['wrong password', PASSWORD]) {
    await replaceText(page, 'Email address', email)
    await replaceText(page, 'Password', password)
    await page.keyboard.press('Enter')
    if (password !== PASSWORD) await page.getByRole('alert').waitFor()
  }
  await page.getByRole('heading', { name: 'Orders' }).waitFor()
  expect(page.url()).toBe(urlOf('/orders?status=paid'))
  await page.close()
})

test('an open form keeps its text if the user cannot be read again, and if the sign-in is declined', async () => {
  const page = await openSignedIn(couponPath)
  await press(page, 'Edit')
  await replaceText(page, 'Note', 'Agreed by phone')
  await page.route('**/dashboard/api/me', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/me'))
  await returnToTab(page)
  await failed
  await page.unroute('**/dashboard/api/me')
  await page.locator('.notice-bar').waitFor({ state: 'detached' })

  await visitor.clearCookies()
  await returnToTab(page)
  await declineSignIn(page)
  expect(await page.getByLabel('Note').inputValue()).toBe('Agreed by phone')
  await page.close()
})

test('an owner without a password continues an ended session with the link of another tab', async () => {
  await visitor.addCookies(await dashboard.context.cookies())
  const page = await visitor.newPage()
  await page.clock.install()
  await page.route('**/dashboard/api/me', async (route) => {
    const answer = await route.fetch()
    const me = (await answer.json()) as Json
    if (me.user) me.user.has_password = false
    await route.fulfill({ response: answer, json: me })
  })
  await page.goto(urlOf('/orders'))
  await page.locator('h1').waitFor()
  await visitor.clearCookies()
  await returnToTab(page)
  const prompt = page.getByRole('dialog', { name: 'Your session has ended' })
  await prompt.getByText('tradepost dashboard').waitFor()
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await prompt.getByText('You are not signed in yet.').waitFor()
  await visitor.addCookies(await dashboard.context.cookies())
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await untilDialogCloses(page)
  await page.close()
})

test('a tab that learns that the session has ended covers the records of the other tabs, and a sign-in uncovers them', async () => {
  const [first, second] = [await openSignedIn('/orders'), await openSignedIn(couponPath)]
  const record = second.getByRole('heading', { level: 1, name: 'SESSION' })
  await record.waitFor()
  await visitor.clearCookies()
  await returnToTab(first)
  const prompts = [first, second].map((page) =>
    page.getByRole('dialog', { name: 'Your session has ended' }),
  )
  for (const prompt of prompts) await prompt.waitFor()
  await record.waitFor({ state: 'hidden' })
  await tabTo(first, 'Password')
  await first.keyboard.type('wrong password')
  await first.keyboard.press('Enter')
  await first.getByRole('alert').waitFor()
  await expect.poll(() => first.evaluate('document.activeElement.type')).toBe('password')
  await replaceText(first, 'Password', PASSWORD)
  await first.keyboard.press('Enter')
  for (const prompt of prompts) await prompt.waitFor({ state: 'detached' })
  await record.waitFor()
  await first.close()
  await second.close()
})

test('the page of the sign-in returns the focus to the password after a refusal', async () => {
  const page = await visitor.newPage()
  await page.goto(urlOf('/orders'))
  await replaceText(page, 'Email address', email)
  await replaceText(page, 'Password', 'wrong password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('password')
  await page.close()
})

describe('after a user declined to sign in', () => {
  const isReadOfUser = (request: Request) => request.url().endsWith('/dashboard/api/me')
  const isLateRead = (request: Request) =>
    request.url().includes('/api/stores/') && request.url().endsWith(couponPath)

  /** Opens a coupon whose session has ended. Its reads of the user and of the coupon alone are answered. */
  async function openEnded(): Promise<Page> {
    const page = await openSignedIn(couponPath)
    await holdRequests(page, (request) => !isReadOfUser(request) && !isLateRead(request))
    await visitor.clearCookies()
    return page
  }

  /** The late read is only answered after the decline. */
  async function expectNoQuestion(page: Page) {
    const dialog = page.getByRole('dialog')
    // A dialog hides the buttons behind it.
    await dialog.or(page.getByRole('button', { name: 'Try again' })).waitFor()
    expect(await dialog.count()).toBe(0)
    await page.close()
  }

  test.each([
    ['that was sent before', 0],
    ['that was sent before, and refused once,', 1],
  ])('a request %s does not ask again', async (_, refusals) => {
    const page = await openEnded()
    let sends = 0
    const release = await holdRequests(page, (late) => isLateRead(late) && sends++ >= refusals)
    await returnToTab(page)
    await until(() => sends > refusals)
    await declineSignIn(page)
    release()
    await expectNoQuestion(page)
  })

  test('a request that is refused at the same moment does not ask again', async () => {
    const page = await openEnded()
    const release = await holdRequests(page, isLateRead)
    await returnToTab(page)
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    release()
    await declineSignIn(page)
    await expectNoQuestion(page)
  })

  test('a request that was sent before, and is repeated because of a limit, does not ask again', async () => {
    const page = await openEnded()
    const refuse = (route: Route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { success: false, code: 'RATE_LIMITED', error: 'Too many calls.' },
      })
    await page.route(({ pathname }) => pathname.endsWith(couponPath), refuse, { times: 1 })
    const refused = page.waitForResponse((response) => response.status() === 429)
    await returnToTab(page)
    await refused
    await declineSignIn(page)
    await page.clock.fastForward(30_000)
    await expectNoQuestion(page)
  })

  test('a request that is sent later asks again', async () => {
    const page = await openEnded()
    await returnToTab(page)
    await declineSignIn(page)
    await returnToTab(page)
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await page.close()
  })
})

test('typed text is kept if another request asks for the sign-in before the form is saved', async () => {
  const page = await openSignedIn(couponPath)
  await press(page, 'Edit')
  await replaceText(page, 'Note', 'Agreed in the shop')
  const release = await holdRequests(page, (request) => !request.url().endsWith('/api/me'))
  await visitor.clearCookies()
  await returnToTab(page)
  const prompt = page.getByRole('dialog', { name: 'Your session has ended' })
  await prompt.waitFor()
  release()
  await replaceText(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await prompt.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Note').inputValue()).toBe('Agreed in the shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await untilDialogCloses(page)
  expect((await dashboard.ask('GET', couponPath)).coupon.note).toBe('Agreed in the shop')
  await page.close()
})

test('the sign-in after an ended session is filled in with the email address, and sends the typed change', async () => {
  const page = await openSignedIn(couponPath)
  await press(page, 'Edit')
  await replaceText(page, 'Note', 'Agreed by mail')
  const release = await holdRequests(page)
  await visitor.clearCookies()
  await page.keyboard.press('Enter')
  release()
  const prompt = page.getByRole('dialog', { name: 'Your session has ended' })
  await prompt.waitFor()
  expect(await prompt.getByLabel('Email').inputValue()).toBe(email)
  await replaceText(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await untilDialogCloses(page)
  expect((await dashboard.ask('GET', couponPath)).coupon.note).toBe('Agreed by mail')
  await page.close()
})

test('a change is not made as another user who signed in in another tab, but as the user of its page', async () => {
  await (await dashboard.signInAs('admin', PASSWORD)).close()
  const page = await openSignedIn(couponPath)
  await press(page, 'Edit')
  await replaceText(page, 'Note', 'Written by the owner')
  const { note } = (await dashboard.ask('GET', couponPath)).coupon
  const release = await holdRequests(page)
  const apiUrl = `${dashboard.server.origin}/dashboard/api`
  const signIn = await visitor.request.post(`${apiUrl}/sign-in`, {
    data: { email: 'admin@example.com', password: PASSWORD },
    headers: { origin: dashboard.server.origin },
  })
  expect(signIn.status()).toBe(200)
  await page.keyboard.press('Enter')
  release()
  await page.getByRole('dialog', { name: 'Another user signed in' }).waitFor()
  expect((await dashboard.ask('GET', couponPath)).coupon.note).toBe(note)
  // The dialog knows the user, so it begins with the password.
  await page.getByLabel('Password').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await untilDialogCloses(page)
  expect((await dashboard.ask('GET', couponPath)).coupon.note).toBe('Written by the owner')
  const me = (await (await visitor.request.get(`${apiUrl}/me`)).json()) as Json
  expect(me.user.email).toBe(email)
  await page.close()
})

test('a sign-out in one tab leaves no records in the others', async () => {
  const context = await dashboard.signInAs('staff', PASSWORD)
  const [first, second] = [await context.newPage(), await context.newPage()]
  await dashboard.goTo(first, '')
  await dashboard.goTo(second, '/customers')
  await first.locator('.user-button').click()
  await first.getByRole('menuitem', { name: 'Sign out' }).click()
  await second.waitForURL(/\/dashboard\/sign-in/)
  await second.getByLabel('Email').waitFor()
  await context.close()
})

test('a click next to a dialog closes it only while nothing was typed', async () => {
  await dashboard.on(couponPath, async (page) => {
    await press(page, 'Edit')
    const dialog = page.getByRole('dialog')
    await untilDialogHasFocus(dialog)
    // A dialog listens for clicks next to it a moment after it opened.
    await expect
      .poll(async () => {
        await page.mouse.click(5, 5)
        return dialog.count()
      })
      .toBe(0)
    await press(page, 'Edit')
    await replaceText(page, 'Note', 'Typed')
    await page.mouse.click(5, 5)
    expect(await page.getByLabel('Note').inputValue()).toBe('Typed')
  })
})

test('letters in an open menu find its entries, and open no other page', async () => {
  await dashboard.on('/coupons', async (page) => {
    await page.locator('.user-button').click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.type('go')
    await page.getByRole('menu').waitFor()
    expect(page.url()).toBe(urlOf('/coupons'))
  })
})

test('an edit of a record that another user removed closes with a notice', async () => {
  const colleague = await dashboard.signInAs('viewer', PASSWORD)
  await colleague.close()
  const teamUrl = `${dashboard.server.origin}/dashboard/api/stores/${dashboard.server.test.id}/team`
  const members = ((await (await dashboard.context.request.get(teamUrl)).json()) as Json).team
  const { id, name } = members.find(({ role }: Json) => role === 'viewer')
  const page = await openSignedIn('/settings/team')
  await page
    .getByRole('row', { name: 'viewer@example.com' })
    .getByRole('button', { name: 'Change role' })
    .press('Enter')
  await page.getByRole('dialog').waitFor()
  const headers = { origin: dashboard.server.origin }
  await dashboard.context.request.delete(`${teamUrl}/${id}`, { headers })
  await returnToTab(page)
  const notice = page.getByText('is not possible any more, because somebody changed the record')
  await notice.getByText(`Change role: ${name}`).waitFor()
  await untilDialogCloses(page)
  await page.close()
})

test('an amount of zero has no minus sign', async () => {
  await dashboard.on('/settings/wallet', async (page) => {
    const sums = page.locator('.receipt')
    await sums.getByText('0.00').first().waitFor()
    expect(await sums.textContent()).not.toContain('-')
  })
})
