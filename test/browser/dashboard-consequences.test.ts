import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, press } from './dashboard-harness.ts'
import { createSellingRecords, type RecordIds } from './selling-records.ts'

/** Dialogs name the consequence in numbers of the store. The stamp of an order and an export change while a user watches. */

let dashboard: OpenedDashboard
let ask: OpenedDashboard['ask']
let ids: RecordIds

beforeAll(async () => {
  dashboard = await openDashboard()
  ask = dashboard.ask
  ids = await createSellingRecords(dashboard)
  await createRecordsToRemove()
})
afterAll(() => dashboard?.close())

/** Creates an open order that chose a method, sign-ups for a product, locations and saved replies. */
async function createRecordsToRemove() {
  await ask('POST', '/orders', {
    items: [{ product_id: ids.game, quantity: 1 }],
    ...{ customer: { email: 'cleo@example.com' }, payment_method: 'manual' },
  })
  await ask('POST', `/products/${ids.mug}/stock-alerts`, { email: 'cleo@example.com' })
  for (const name of ['Depot', 'Loft']) {
    const address = { line1: 'Hafenstr. 1', city: 'Hamburg', country: 'DE' }
    await ask('POST', '/shipping/locations', { name, ...address })
  }
  const { server, context } = dashboard
  for (const name of ['Thanks', 'Sorry', 'Late']) {
    const url = `${server.origin}/dashboard/api/stores/${server.test.id}/saved-replies`
    const headers = { origin: server.origin }
    const response = await context.request.post(url, { headers, data: { name, body: name } })
    expect(response.status()).toBe(201)
  }
}

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
const on = (path: string, work: (page: Page) => Promise<void>) => dashboard.on(pathOf(path), work)

interface Dialog {
  path: string
  /** The row of the button; the whole page if undefined. */
  row?: string
  button: string
  /** The sentence with the numbers. */
  says: string | RegExp
}

const DIALOGS: readonly Dialog[] = [
  {
    ...{ path: '/orders/$order', button: 'Block customer' },
    says: 'Open orders (1) can still be paid or cancelled. Subscriptions (1) are not charged until you unblock the address.',
  },
  {
    ...{ path: '/customers/$customer', button: 'Block customer' },
    says: 'Open orders (1) can still be paid or cancelled. Subscriptions (1) are not charged until you unblock the address.',
  },
  {
    ...{ path: '/customers/$customer', button: 'Erase personal data' },
    says: 'Subscriptions that are cancelled at once: 1.',
  },
  {
    ...{ path: '/products/$club', button: 'Delete' },
    says: 'Subscriptions that will not renew: 1.',
  },
  {
    ...{ path: '/orders/$order', button: 'Refund' },
    says: '$20.00 can still be refunded. A full refund revokes the deliveries of this order: 1.',
  },
  {
    ...{ path: '/affiliates/partners/$applicant', button: 'Reject' },
    says: 'Bob cannot earn. Conversions so far: 0. Commissions that can still be paid: $0.00.',
  },
  {
    ...{ path: '/affiliates/partners/$partner', button: 'Suspend' },
    says: /stops earning, with all links \(1\)\. The available \$\d+\.\d\d cannot be requested/,
  },
  {
    ...{ path: '/affiliates/program', button: 'Turn off the programme' },
    says: /Approved partners: 1\. Conversions that wait for your review: 0\. Requested payouts: 1\. Their links: 1\. Commissions in their hold period: \$0\.00\. Available for payouts: \$0\.00\./,
  },
  {
    ...{ path: '/categories/$category', row: 'Space Game', button: 'Remove' },
    says: 'The product is not deleted. Other products of “Kitchen”: 1.',
  },
  {
    ...{ path: '/groups/$group', row: 'Space Game', button: 'Remove' },
    says: 'The product is not deleted. Other products of “Presents”: 1.',
  },
  {
    ...{ path: '/products/$game/payment-methods', row: 'Manual', button: 'Refuse' },
    says: /Open orders that chose it \(1\) can still be paid\. Other accepted methods: [1-9]\./,
  },
  {
    ...{ path: '/products/$mug/stock', row: 'cleo@example.com', button: 'Delete' },
    says: 'Other customers who wait for this product: 1.',
  },
  {
    ...{ path: '/tickets/replies', row: 'Thanks', button: 'Delete' },
    says: 'Sent replies stay. Other saved replies: 2.',
  },
  {
    ...{ path: '/settings/shipping/locations', row: 'Depot', button: 'Delete' },
    says: 'Other locations: 1. Parcels that were sent from here stay.',
  },
  {
    ...{ path: '/coupons/$coupon', row: 'Space Game', button: 'Remove' },
    says: 'Other products of the coupon: 1. Orders that used it (0) keep their discount.',
  },
]

describe('the dialog of an action', () => {
  test.each(DIALOGS)('$button on $path says what it changes, in numbers', (dialog) =>
    on(dialog.path, async (page) => {
      const main = page.locator('main')
      const scope =
        dialog.row === undefined ? main : main.locator('tr, .picker li', { hasText: dialog.row })
      await scope.getByRole('button', { name: dialog.button, exact: true }).first().press('Enter')
      await page.getByRole('dialog').getByText(dialog.says).waitFor()
    }),
  )

  test('can be confirmed while its numbers cannot be read', () =>
    on('/customers/$customer', async (page) => {
      await page.route('**/v1/subscriptions?*', (route) => route.abort())
      await press(page, 'Block customer')
      const dialog = page.getByRole('dialog')
      await dialog.locator('.failure').waitFor()
      await dialog.locator('button[type=submit]').press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.stamp', { hasText: 'Blocked' }).waitFor()
      await ask('POST', pathOf('/customers/$customer/unblock'))
    }))
})

describe('a product that is removed from a group', () => {
  test('leaves a product that another user added meanwhile', () =>
    on('/groups/$group', async (page) => {
      const path = pathOf('/groups/$group')
      const before = (await ask('GET', path)).group.product_ids
      const row = page.locator('main tr', { hasText: 'Enamel mug' })
      await row.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await ask('PUT', `${path}/products`, { product_ids: [...before, ids.club] })
      await page.getByRole('dialog').locator('button[type=submit]').press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect((await ask('GET', path)).group.product_ids).toEqual([ids.game, ids.club])
      await ask('PUT', `${path}/products`, { product_ids: before })
    }))
})

describe('a product that is removed from a coupon', () => {
  test('leaves a product that another user added meanwhile', () =>
    on('/coupons/$coupon', async (page) => {
      const path = pathOf('/coupons/$coupon')
      const before = (await ask('GET', path)).coupon.product_ids
      const row = page.locator('main .picker li', { hasText: 'Enamel mug' })
      await row.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await ask('PATCH', path, { product_ids: [...before, ids.club] })
      await page.getByRole('dialog').locator('button[type=submit]').press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect((await ask('GET', path)).coupon.product_ids.toSorted()).toEqual(
        [ids.game, ids.club].toSorted(),
      )
      await ask('PATCH', path, { product_ids: before })
    }))

  test('stays if another user removed the others meanwhile, because the coupon would apply to everything', () =>
    on('/coupons/$coupon', async (page) => {
      const path = pathOf('/coupons/$coupon')
      const before = (await ask('GET', path)).coupon.product_ids
      const row = page.locator('main .picker li', { hasText: 'Enamel mug' })
      await row.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await ask('PATCH', path, { product_ids: [ids.mug] })
      const dialog = page.getByRole('dialog')
      await dialog.locator('button[type=submit]').press('Enter')
      await dialog.getByText('Meanwhile this became the only limit').waitFor()
      expect((await ask('GET', path)).coupon.product_ids).toEqual([ids.mug])
      await ask('PATCH', path, { product_ids: before })
    }))
})

describe('the stamp of an order', () => {
  test('lands when the order is paid while its page is open, and not when the page is opened later', async () => {
    const items = [{ product_id: ids.game, quantity: 1 }]
    const { order } = await ask('POST', '/orders', { items, customer: { email: 'io@example.com' } })
    await on(`/orders/${order.id}`, async (page) => {
      await page.locator('.stamp', { hasText: 'Pending' }).waitFor()
      expect(await page.locator('.landing').count()).toBe(0)
      await ask('POST', `/orders/${order.id}/manual-payments`, {})
      await page.locator('.landing .stamp', { hasText: 'Completed' }).waitFor()
      const animation = "getComputedStyle(document.querySelector('.landing .stamp')).animationName"
      expect(await page.evaluate(animation)).toBe('land')
      await page.reload()
      await page.locator('.stamp', { hasText: 'Completed' }).waitFor()
      expect(await page.locator('.landing').count()).toBe(0)
    })
  })
})

describe('an export', () => {
  test('shows its progress and the remaining time, and continues after a reload of the page', async () => {
    for (let n = 0; n < 120; n++)
      await ask('POST', '/coupons', {
        ...{ code: `C${n}`, type: 'percentage', discount_percent: 10 },
      })
    const total = (await ask('GET', '/coupons?limit=1')).pagination.total
    await on('/exports', async (page) => {
      let release = () => {}
      let isHeld = new Promise<void>(() => {})
      await page.route('**/v1/coupons?*', async (route) => {
        const offset = Number(new URL(route.request().url()).searchParams.get('offset') ?? 0)
        if (offset >= 100) await isHeld
        await route.continue().catch(() => {})
      })
      const row = page.locator('tr', { hasText: 'Coupons' })
      const progress = row.getByText(new RegExp(`100 of ${total} read\\. About \\d+ seconds? left`))
      await row.getByRole('button').press('Enter')
      await progress.waitFor()
      isHeld = new Promise((resolve) => {
        release = resolve
      })
      await page.reload()
      await progress.waitFor()
      const download = page.waitForEvent('download')
      release()
      expect((await download).suggestedFilename()).toMatch(/^coupons/)
      await row.getByText(`${total} exported`).waitFor()
    })
  })
})
