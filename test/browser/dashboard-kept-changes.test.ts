import type { Page, Request } from 'playwright-core'
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
} from './dashboard-harness.ts'
import { holdRequests } from './held-requests.ts'
import { startLicensedProgram } from './licensed-program.ts'
import {
  banAddresses,
  bansOf,
  CALL_URLS,
  collectIdempotencyKeys,
  connectionNotice,
  createString,
} from './waiting-changes.ts'

/** Changes that wait for the server while their page is loaded again or its session ends. */

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  await startLicensedProgram(dashboard)
})
afterEach(() => dashboard.context.setOffline(false))
afterAll(() => dashboard?.close())

/** Makes the calls of this page fail. A browser that is offline may still send some while its page is left. */
const cutServer = (page: Page) => page.route(CALL_URLS, (route) => route.abort())

/** Ends the page while the server cannot be reached, and loads it again when it can. */
async function reloadWithoutServer(page: Page, meanwhile?: () => Promise<unknown>) {
  const address = page.url()
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('about:blank')
  await meanwhile?.()
  await page.unroute(CALL_URLS)
  await page.goto(address)
  await page.locator('h1').waitFor()
}

/** Returns the texts that the tab stores for the next load of the page. */
const storedText = async (page: Page) =>
  String(await page.evaluate('JSON.stringify(sessionStorage)'))

type SeparatePage = Awaited<ReturnType<typeof openSeparately>>

/**
 * Opens a page in a browser context of its own, signed in as the owner. The clock of a page is that of its whole
 * context.
 */
async function openSeparately(path: string) {
  const context = await dashboard.browser.newContext({
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  await context.clock.install()
  const page = await context.newPage()
  await dashboard.goTo(page, path)
  return { context, page }
}

test('a change that waits is sent after a reload of the page, once, with its idempotency key', async () => {
  await dashboard.on('/device-bans', async (page) => {
    await cutServer(page)
    const keys = collectIdempotencyKeys(page)
    await banAddresses(page, '198.51.100.4')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await reloadWithoutServer(page)
    await page.getByText('1 change that waited was sent.').waitFor()
    await page.getByRole('table').getByText('198.51.100.4').waitFor()
    expect(await bansOf(dashboard, '198.51.100.4')).toHaveLength(1)
    expect(new Set(keys).size).toBe(1)
    expect(await storedText(page)).not.toContain('198.51.100.4')
  })
})

test('a change that is refused after a reload stays on the page with its record, time and reason', async () => {
  const { device_ban } = await dashboard.management.deviceBans.create({
    ip_cidr: '198.51.100.5/32',
    reason: 'A farm of keys.',
  })
  await dashboard.on('/device-bans', async (page) => {
    await cutServer(page)
    const row = page.getByRole('row', { name: '198.51.100.5' })
    await row.getByRole('button').last().press('Enter')
    await page.getByRole('dialog').locator('button[type=submit]').press('Enter')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await reloadWithoutServer(page, () => dashboard.management.deviceBans.delete(device_ban.id))
    const refusal = connectionNotice(page).getByText('A change that waited was refused:')
    await refusal.getByText(/198\.51\.100\.5.* · Device bans$/).waitFor()
    await refusal.locator('time').waitFor()
    await press(page, 'Close')
    await connectionNotice(page).waitFor({ state: 'detached' })
  })
})

test('a change that the server asks to repeat after a reload is sent again, with its idempotency key', async () => {
  await dashboard.on('/device-bans', async (page) => {
    let calls = 0
    await page.route('**/device-bans', (route) =>
      route.request().method() === 'POST' && calls++ === 0
        ? route.fulfill({ status: 429, json: { success: false, error: 'Wait.' } })
        : route.fallback(),
    )
    await cutServer(page)
    const keys = collectIdempotencyKeys(page)
    await banAddresses(page, '198.51.100.6')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await reloadWithoutServer(page)
    await page.getByText('1 change that waited was sent.').waitFor()
    expect(calls).toBe(2)
    expect(await bansOf(dashboard, '198.51.100.6')).toHaveLength(1)
    expect(new Set(keys).size).toBe(1)
  })
})

test('a change that is repeated after a reload does not ask for the sign-in that the user declined meanwhile', async () => {
  const { context, page } = await openSeparately('/device-bans')
  const isChange = (request: Request) => request.method() === 'POST'
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const keys = collectIdempotencyKeys(page)
  let sends = 0
  await page.route('**/device-bans', async (route) => {
    if (!isChange(route.request()) || sends++ > 0) return route.fallback()
    await refused
    await route.fulfill({ status: 429, json: { success: false, error: 'Wait.' } })
  })
  await cutServer(page)
  await banAddresses(page, '198.51.100.12')
  await connectionNotice(page).getByText('1 change waits').waitFor()
  await reloadWithoutServer(page)
  await until(() => sends === 1)
  await context.clearCookies()
  await returnToTab(page)
  await declineSignIn(page)
  // No read is answered from now on, because one that is sent later asks again.
  await page.route(CALL_URLS, (route) => (isChange(route.request()) ? route.fallback() : undefined))
  refuse()
  await until(async () => {
    await context.clock.runFor(1_000)
    // A request of an ended session is sent once more, which can happen before this is read.
    return sends >= 2
  })
  const dialog = page.getByRole('dialog')
  const notice = connectionNotice(page).getByText('A change that waited was refused:')
  await dialog.or(notice).waitFor()
  expect(await dialog.count()).toBe(0)
  expect(await bansOf(dashboard, '198.51.100.12')).toHaveLength(0)
  expect(new Set(keys).size).toBe(1)
  await context.close()
})

test('a change that waited for a day is not sent, because the server may no longer know its idempotency key', async () => {
  const { context, page } = await openSeparately('/device-bans')
  await cutServer(page)
  await banAddresses(page, '198.51.100.7')
  await connectionNotice(page).getByText('1 change waits').waitFor()
  await context.clock.fastForward('24:00:01')
  await page.unroute(CALL_URLS)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The server did not answer for a day.').waitFor()
  expect(await bansOf(dashboard, '198.51.100.7')).toHaveLength(0)
  expect(await storedText(page)).not.toContain('198.51.100.7')
  await context.close()
})

test('a change that is found a day later is not sent, and is named on the page', async () => {
  const { context, page } = await openSeparately('/device-bans')
  await cutServer(page)
  await banAddresses(page, '198.51.100.8')
  await connectionNotice(page).getByText('1 change waits').waitFor()
  await reloadWithoutServer(page, () => context.clock.fastForward('24:00:01'))
  const notice = connectionNotice(page).getByText('waited for more than a day was not sent')
  await notice.getByText('Ban addresses · Device bans').waitFor()
  expect(await bansOf(dashboard, '198.51.100.8')).toHaveLength(0)
  expect(await storedText(page)).not.toContain('198.51.100.8')
  await press(page, 'Close')
  await connectionNotice(page).waitFor({ state: 'detached' })
  await context.close()
})

/**
 * Bans an address in a session that has ended, and signs in as the admin in the prompt. Returns a function by which the
 * owner signs in again.
 */
async function banAndSignInAsAdmin({ context, page }: SeparatePage, address: string) {
  const me = await context.request.get(`${dashboard.server.origin}/dashboard/api/me`)
  const owner = ((await me.json()) as Json).user.email
  const url = page.url()
  await press(page, 'Ban addresses')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Address or range')
  await page.keyboard.type(address)
  await tabTo(page, 'Reason')
  await page.keyboard.type('A farm of keys.')
  const release = await holdRequests(page)
  await context.clearCookies()
  await page.keyboard.press('Enter')
  release()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await tabTo(page, 'Email')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('admin@example.com')
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await connectionNotice(page).getByText('1 change of another user was not sent as you.').waitFor()
  return async () => {
    await context.clearCookies()
    await page.goto(url)
    await page.getByLabel('Email').fill(owner)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
  }
}

describe('a change of an ended session', () => {
  beforeAll(async () => {
    await (await dashboard.signInAs('admin', PASSWORD)).close()
  })

  test('is not sent as another user who signs in, but by its own user later', async () => {
    const separate = await openSeparately('/device-bans')
    const { context, page } = separate
    const signInAsOwner = await banAndSignInAsAdmin(separate, '198.51.100.9')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await bansOf(dashboard, '198.51.100.9')).toHaveLength(0)
    await signInAsOwner()
    await page.getByText('1 change that waited was sent.').waitFor()
    expect(await bansOf(dashboard, '198.51.100.9')).toHaveLength(1)
    await context.close()
  })

  test('is not sent as another user who signs in in another tab while it waits for the server', async () => {
    const { context, page } = await openSeparately('/device-bans')
    await cutServer(page)
    await banAddresses(page, '198.51.100.11')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    const { origin } = dashboard.server
    const data = { email: 'admin@example.com', password: PASSWORD }
    await context.request.post(`${origin}/dashboard/api/sign-in`, { data, headers: { origin } })
    await page.unroute(CALL_URLS)
    await page.getByRole('dialog', { name: 'Another user signed in' }).waitFor()
    await press(page, 'Load the page again')
    await connectionNotice(page).getByText('1 change of another user was not sent').waitFor()
    expect(await bansOf(dashboard, '198.51.100.11')).toHaveLength(0)
    await context.close()
  })

  test('that is found a day later is named to its own user, and not to another', async () => {
    const separate = await openSeparately('/device-bans')
    const { context, page } = separate
    const signInAsOwner = await banAndSignInAsAdmin(separate, '198.51.100.10')
    await context.clock.fastForward('24:00:01')
    await page.reload()
    await page.getByRole('heading', { name: 'Device bans' }).waitFor()
    expect(await connectionNotice(page).count()).toBe(0)
    await signInAsOwner()
    await page.getByText('waited for more than a day was not sent').waitFor()
    expect(await bansOf(dashboard, '198.51.100.10')).toHaveLength(0)
    await context.close()
  })
})

test('an edit whose change has no answer is not sent by a reload: its form opens again', async () => {
  const { product } = await dashboard.ask('POST', '/products', { name: 'Lamp', price_cents: 900 })
  const { coupon } = await dashboard.ask('POST', '/coupons', {
    ...{ code: 'UNSENT', type: 'percentage', discount_percent: 10, product_ids: [product.id] },
    note: 'First',
  })
  const path = `/coupons/${coupon.id}`
  await dashboard.on(path, async (page) => {
    await page.route(CALL_URLS, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await press(page, 'Edit')
    await tabTo(page, 'Note')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Mine')
    const failedRequest = page.waitForEvent(
      'requestfailed',
      (request) => request.method() === 'PATCH',
    )
    await page.keyboard.press('Enter')
    await failedRequest
    await reloadWithoutServer(page, () => dashboard.ask('PATCH', path, { note: 'Theirs' }))
    const notice = page.getByRole('dialog').getByText('You saved this before the page was loaded')
    await notice.waitFor()
    expect((await dashboard.ask('GET', path)).coupon.note).toBe('Theirs')
  })
})

test('an edit that waits opens again after a reload, and still shows the change of another user', async () => {
  const { product } = await dashboard.ask('POST', '/products', { name: 'Rope', price_cents: 900 })
  const { coupon } = await dashboard.ask('POST', '/coupons', {
    ...{ code: 'AGAIN', type: 'percentage', discount_percent: 10, product_ids: [product.id] },
    note: 'First',
  })
  const path = `/coupons/${coupon.id}`
  await dashboard.on(path, async (page) => {
    await cutServer(page)
    await press(page, 'Edit')
    await tabTo(page, 'Note')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Mine')
    await page.keyboard.press('Enter')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await reloadWithoutServer(page, () => dashboard.ask('PATCH', path, { note: 'Theirs' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You saved this before the page was loaded again').waitFor()
    expect(await dialog.getByLabel('Note').inputValue()).toBe('Mine')
    await press(page, 'Save')
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
    await press(page, 'Keep mine')
    await untilDialogCloses(page)
    expect((await dashboard.ask('GET', path)).coupon.note).toBe('Mine')
    expect(await storedText(page)).not.toContain('Mine')
  })
})

test('a waiting change with a secret is not stored in the tab: a reload names it', async () => {
  await dashboard.on('/strings', async (page) => {
    await dashboard.context.setOffline(true)
    await connectionNotice(page).waitFor()
    await createString(page, 'greeting')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    expect(await storedText(page)).not.toContain('nobody may read')
    await page.route(CALL_URLS, (route) => route.abort())
    await dashboard.context.setOffline(false)
    await reloadWithoutServer(page)
    const notice = connectionNotice(page).getByText('It was not stored, because it has a secret')
    await notice.getByText('Create string · Strings').waitFor()
  })
})
