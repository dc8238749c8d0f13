import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, untilDialogCloses } from './dashboard-harness.ts'

// Days are typed and times are shown in the time zone of the store, whatever that of the browser.

let dashboard: OpenedDashboard
let reader: BrowserContext

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.ask('PATCH', '/account/settings', { time_zone: 'Asia/Tokyo' })
  reader = await dashboard.browser.newContext({
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    storageState: await dashboard.context.storageState(),
  })
})
afterAll(() => dashboard?.close())

async function onPage(path: string, work: (page: Page) => Promise<void>) {
  const page = await reader.newPage()
  await dashboard.goTo(page, path)
  await work(page)
  await page.close()
}

const fact = (page: Page, name: string) =>
  page.locator('dl > div, tr', { hasText: name }).first().innerText()

describe('a reader in Los Angeles of a store in Tokyo', () => {
  test('types the days of a coupon as days in Tokyo, and the form says so', async () => {
    const discount = { type: 'percentage', discount_percent: 10 }
    const { coupon } = await dashboard.ask('POST', '/coupons', { code: 'SPRING', ...discount })
    await onPage(`/coupons/${coupon.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const ends = page.getByLabel('Last day')
      await ends.fill('2027-03-31')
      await page.getByLabel('First day').fill('2027-03-01')
      const dialog = page.getByRole('dialog')
      expect(await dialog.innerText()).toContain('A day in the time zone of the store, Asia/Tokyo.')
      await page.getByRole('button', { name: 'Save' }).click()
      await untilDialogCloses(page)
      expect((await dashboard.ask('GET', `/coupons/${coupon.id}`)).coupon).toMatchObject({
        starts_at: '2027-02-28T15:00:00.000Z',
        expires_at: '2027-03-31T15:00:00.000Z',
      })
      expect(await fact(page, 'Last day')).toContain('Mar 31, 2027')
      expect(await fact(page, 'First day')).toContain('Mar 1, 2027')
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      expect(await ends.inputValue()).toBe('2027-03-31')
    })
  })

  test('filters lists by days in Tokyo, and the list says so', () =>
    onPage('/orders', async (page) => {
      expect(await page.locator('form.filters').innerText()).toContain('Days in Asia/Tokyo')
      const request = page.waitForRequest(/created_from=.*created_to=/)
      await page.getByLabel('From').fill('2026-11-05')
      await page.getByLabel('To', { exact: true }).fill('2026-11-06')
      await page.keyboard.press('Enter')
      const { searchParams } = new URL((await request).url())
      expect([searchParams.get('created_from'), searchParams.get('created_to')]).toEqual([
        '2026-11-04T15:00:00.000Z',
        '2026-11-06T15:00:00.000Z',
      ])
    }))

  test('sees another zone at once after it was changed in the settings', () =>
    onPage('/settings/store', async (page) => {
      await page.getByRole('button', { name: 'Change settings' }).click()
      await page.getByLabel('Time zone').fill('America/New_York')
      await page.getByRole('button', { name: 'Save' }).click()
      await untilDialogCloses(page)
      await dashboard.show(page, '/orders')
      await page.getByText('Days in America/New_York').waitFor()
    }))
})

test('a reader in the zone of the store is not told about it in lists', async () => {
  await dashboard.ask('PATCH', '/account/settings', { time_zone: 'UTC' })
  await dashboard.on('/orders', async (page) => {
    const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
    const isToldAboutZone = (await page.locator('form.filters').innerText()).includes('Days in')
    expect([zone, isToldAboutZone]).toEqual(['UTC', false])
  })
})
