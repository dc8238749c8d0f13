import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
} from './dashboard-harness.ts'
import { startLicensedProgram } from './licensed-program.ts'
import {
  banAddresses,
  bansOf,
  collectIdempotencyKeys,
  connectionNotice,
} from './waiting-changes.ts'

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword('correct horse battery staple')
  await startLicensedProgram(dashboard)
})
afterEach(() => dashboard.context.setOffline(false))
afterAll(() => dashboard?.close())

test('a change made without a connection waits, and is sent once when the server answers', async () => {
  await dashboard.on('/device-bans', async (page) => {
    await dashboard.context.setOffline(true)
    await connectionNotice(page).getByText('The server does not answer.').waitFor()
    const keys = collectIdempotencyKeys(page)
    await banAddresses(page, '198.51.100.1')
    await page.getByText('This change is sent once the server answers.').waitFor()
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await page.keyboard.press('Escape')
    await untilDialogCloses(page)
    expect(await bansOf(dashboard, '198.51.100.1')).toHaveLength(0)
    await dashboard.context.setOffline(false)
    await connectionNotice(page).waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('198.51.100.1').waitFor()
    expect(await bansOf(dashboard, '198.51.100.1')).toHaveLength(1)
    expect(new Set(keys).size).toBe(1)
  })
})

test('a change that waits for the connection can be cancelled, and is then never sent', async () => {
  await dashboard.on('/device-bans', async (page) => {
    await dashboard.context.setOffline(true)
    await connectionNotice(page).waitFor()
    await banAddresses(page, '198.51.100.2')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await page.keyboard.press('Escape')
    await untilDialogCloses(page)
    await press(page, 'Cancel')
    await connectionNotice(page).getByText('1 change waits').waitFor({ state: 'detached' })
    const keys = collectIdempotencyKeys(page)
    await dashboard.context.setOffline(false)
    await connectionNotice(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('h1').waitFor()
    expect(keys).toEqual([])
    expect(await bansOf(dashboard, '198.51.100.2')).toHaveLength(0)
  })
})

test('a change whose answer is lost is repeated with its key, and has one effect', async () => {
  await dashboard.on('/device-bans', async (page) => {
    let isLost = true
    await page.route('**/device-bans', async (route) => {
      if (route.request().method() === 'GET' || !isLost) return route.fallback()
      isLost = false
      await route.fetch()
      return route.abort('connectionreset')
    })
    const keys = collectIdempotencyKeys(page)
    await banAddresses(page, '198.51.100.3')
    await untilDialogCloses(page)
    await page.getByRole('table').getByText('198.51.100.3').waitFor()
    expect(await bansOf(dashboard, '198.51.100.3')).toHaveLength(1)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })
})

test('an edit of a coupon, which reads the coupon before it is sent, waits for the connection', async () => {
  const { product } = await dashboard.ask('POST', '/products', { name: 'Tent', price_cents: 900 })
  const { coupon } = await dashboard.ask('POST', '/coupons', {
    code: 'WAITS',
    type: 'percentage',
    discount_percent: 10,
    product_ids: [product.id],
  })
  await dashboard.on(`/coupons/${coupon.id}`, async (page) => {
    await dashboard.context.setOffline(true)
    await connectionNotice(page).waitFor()
    await press(page, 'Edit')
    await tabTo(page, 'Note')
    await page.keyboard.type('Later')
    await page.keyboard.press('Enter')
    await connectionNotice(page).getByText('1 change waits').waitFor()
    await dashboard.context.setOffline(false)
    await untilDialogCloses(page)
    expect((await dashboard.ask('GET', `/coupons/${coupon.id}`)).coupon.note).toBe('Later')
  })
})
