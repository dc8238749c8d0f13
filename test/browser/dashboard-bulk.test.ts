import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { createBarrier } from './pages-in-states.ts'

/** Records of a list are selected, also all that match a filter, and changed or saved together. */

/** More than a page of a list. */
const ORDER_COUNT = 30
const PAGE_SIZE = 25

let dashboard: OpenedDashboard
let game: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const fields = { name: 'Game', type: 'service', price_cents: 1_000, status: 'active' }
  game = (await dashboard.ask('POST', '/products', fields)).product.id
})
afterAll(() => dashboard?.close())

const createOrders = (count: number, email: string) =>
  Promise.all(
    Array.from({ length: count }, () =>
      dashboard.ask('POST', '/orders', {
        items: [{ product_id: game, quantity: 1 }],
        customer: { email },
      }),
    ),
  )

const ordersOf = async (email: string): Promise<Json[]> =>
  (await dashboard.ask('GET', `/orders?limit=100&email=${email}`)).orders

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const selectPage = (page: Page) =>
  page.getByRole('checkbox', { name: 'Select all on this page' }).check()
const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}` }).check()

/** Opens the dialog of an action on the selected records. */
async function openAction(page: Page, title: string): Promise<Locator> {
  await bar(page).getByRole('button', { name: title, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

/** Confirms the action, waits for its summary, and closes the dialog. */
async function confirm(dialog: Locator, summary: string) {
  await dialog.locator('button[type=submit]').click()
  await dialog.getByText(summary, { exact: true }).waitFor()
  await dialog.locator('.form-end').getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function savedLines(page: Page): Promise<string[]> {
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export selected' }).click()
  return readFileSync((await (await download).path()) ?? '', 'utf8')
    .trim()
    .split('\r\n')
}

describe('all records that match a filter', () => {
  test('are selected from their first page, saved in a file and cancelled; a refused one is named and stays selected', async () => {
    const email = 'all@example.com'
    await createOrders(ORDER_COUNT, email)
    await createOrders(1, 'other@example.com')
    await dashboard.on(`/orders?search=${email}`, async (page) => {
      await page.getByText(`1–${PAGE_SIZE} of ${ORDER_COUNT}`).waitFor()
      await selectPage(page)
      await bar(page).getByText(`${PAGE_SIZE} on this page are selected.`).waitFor()
      await page.getByRole('button', { name: `Select all ${ORDER_COUNT} that match` }).click()
      await bar(page).getByText('30 selected, 5 of them on other pages').waitFor()
      expect(await page.getByText(/that match/).count()).toBe(0)
      const orders = await ordersOf(email)
      const [, ...lines] = await savedLines(page)
      expect(lines.map((line) => line.slice(1, line.indexOf('",'))).sort()).toEqual(
        orders.map(({ id }) => id).sort(),
      )
      const dialog = await openAction(page, 'Cancel 30 orders')
      await dialog.getByText('Unpaid orders: 30, worth $300.00.').waitFor()
      const paid = orders.at(-1) as Json
      await dashboard.ask('POST', `/orders/${paid.id}/manual-payments`, {})
      await dialog.getByLabel('Reason').fill('Sold elsewhere')
      await dialog.locator('button[type=submit]').click()
      await dialog.getByText('29 done. 1 refused.').waitFor()
      const link = dialog.getByRole('link', { name: `Order #${paid.number}` })
      expect(await link.getAttribute('href')).toMatch(new RegExp(`/orders/${paid.id}$`))
      await dialog.getByText(/cannot be cancelled|is paid/).waitFor()
      await dialog.locator('.form-end').getByRole('button', { name: 'Close' }).click()
      // The refused order is on the other page, and was paid since it was selected.
      await bar(page).getByText('1 selected, 1 of them on other pages').waitFor()
      await bar(page).getByRole('button', { name: 'Deliver 1 order' }).waitFor()
      expect(
        await bar(page)
          .getByRole('button', { name: /^Cancel/ })
          .count(),
      ).toBe(0)
    })
    const statuses = (await ordersOf(email)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(ORDER_COUNT - 1)
    const [other] = await ordersOf('other@example.com')
    expect(other?.status).toBe('pending')
  })

  test('are no longer selected with another filter, which does not show them', async () => {
    const email = 'filtered@example.com'
    await createOrders(2, email)
    await dashboard.on(`/orders?search=${email}`, async (page) => {
      await selectPage(page)
      await bar(page).getByText('2 selected').waitFor()
      await dashboard.show(page, `/orders?search=${email}&sort=created_at`)
      await bar(page).getByText('2 selected').waitFor()
      await dashboard.show(page, '/orders?search=nobody@example.com')
      await bar(page).waitFor({ state: 'detached' })
    })
  })

  test('are not changed after a stop, and the summary says how many were left', async () => {
    const email = 'stopped@example.com'
    await createOrders(4, email)
    await dashboard.on(`/orders?search=${email}`, async (page) => {
      await selectPage(page)
      const answer = createBarrier()
      let calls = 0
      await page.route('**/orders/*/cancel', async (route) => {
        if (++calls === 2) await answer.opened
        await route.continue()
      })
      const dialog = await openAction(page, 'Cancel 4 orders')
      await dialog.locator('button[type=submit]').click()
      await dialog.getByText('1 of 4').waitFor()
      await page.locator('.selection-bar').getByText('3 selected').waitFor()
      await dialog.getByRole('button', { name: 'Stop' }).click()
      await dialog.getByText('Stopping after the present record.').waitFor()
      answer.open()
      await dialog.getByText('2 done. 2 not attempted, because the work was stopped.').waitFor()
      await dialog.locator('.form-end').getByRole('button', { name: 'Close' }).click()
      await bar(page).getByText('2 selected').waitFor()
    })
    const statuses = (await ordersOf(email)).map(({ status }) => status).sort()
    expect(statuses).toEqual(['cancelled', 'cancelled', 'pending', 'pending'])
  })

  test('are selected in a list that has no count, and license keys are extended and suspended', async () => {
    await dashboard.management.licenseKeys.create({ count: ORDER_COUNT, duration_seconds: 86_400 })
    const keys = async () => (await dashboard.management.licenseKeys.list({ limit: 100 })).keys
    const endsBefore = new Map((await keys()).map(({ id, expires_at }) => [id, expires_at]))
    await dashboard.on('/license-keys', async (page) => {
      await selectPage(page)
      await page.getByRole('button', { name: 'Select all that match' }).click()
      await bar(page).getByText('30 selected, 5 of them on other pages').waitFor()
      const extension = await openAction(page, 'Extend 30 keys')
      await extension.getByLabel(/^Days/).fill('10')
      await confirm(extension, '30 done.')
      for (const { id, expires_at } of await keys()) {
        const added_ms = Date.parse(String(expires_at)) - Date.parse(String(endsBefore.get(id)))
        expect(added_ms).toBe(10 * 86_400_000)
      }
      await selectPage(page)
      const suspension = await openAction(page, 'Suspend 25 keys')
      await confirm(suspension, '25 done.')
    })
    expect((await keys()).filter(({ status }) => status === 'suspended')).toHaveLength(PAGE_SIZE)
  })
})

test('paid orders are delivered from the stock that was added, and one that lacks it stays', async () => {
  const { product, variants } = await dashboard.ask('POST', '/products', {
    name: 'Key',
    type: 'serial',
    price_cents: 500,
    status: 'active',
    variants: [{ name: 'A', allow_backorder: true }],
  })
  for (let count = 0; count < 2; count++) {
    const body = {
      items: [{ product_id: product.id, quantity: 1 }],
      customer: { email: 'keys@example.com' },
      mark_paid: true,
    }
    await dashboard.ask('POST', '/orders', body)
  }
  await dashboard.on('/orders?search=keys@example.com', async (page) => {
    await selectPage(page)
    const dialog = await openAction(page, 'Deliver 2 orders')
    await dialog.getByText(/Delivers from stock what is still missing in 2 paid orders/).waitFor()
    const path = `/products/${product.id}/variants/${variants[0].id}/keys`
    await dashboard.ask('POST', path, { keys: ['FIRST-KEY'] })
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('1 done. 1 refused.').waitFor()
  })
  const statuses = (await ordersOf('keys@example.com')).map(({ status }) => status).sort()
  expect(statuses).toEqual(['completed', 'paid'])
})

test('products are published and archived', async () => {
  for (const name of ['Draft A', 'Draft B']) {
    const fields = { name, type: 'service', price_cents: 500, status: 'draft' }
    await dashboard.ask('POST', '/products', fields)
  }
  const statuses = async () =>
    (await dashboard.ask('GET', '/products?search=Draft')).products.map(
      ({ status }: Json) => status,
    )
  await dashboard.on('/products?search=Draft', async (page) => {
    await select(page, 'Draft A')
    await select(page, 'Draft B')
    await confirm(await openAction(page, 'Publish 2 products'), '2 done.')
    expect(await statuses()).toEqual(['active', 'active'])
    await page.locator('tbody').getByText('Active').first().waitFor()
    await selectPage(page)
    await confirm(await openAction(page, 'Archive 2 products'), '2 done.')
    expect(await statuses()).toEqual(['archived', 'archived'])
  })
})

test('coupons are stopped and started again', async () => {
  for (const code of ['ONE', 'TWO']) {
    await dashboard.ask('POST', '/coupons', { code, type: 'percentage', discount_percent: 5 })
  }
  const active = async () =>
    (await dashboard.ask('GET', '/coupons?limit=100')).coupons.map((coupon: Json) => coupon.active)
  await dashboard.on('/coupons?active=all', async (page) => {
    await selectPage(page)
    await confirm(await openAction(page, 'Stop 2 coupons'), '2 done.')
    expect(await active()).toEqual([false, false])
    await selectPage(page)
    await confirm(await openAction(page, 'Start 2 coupons again'), '2 done.')
    expect(await active()).toEqual([true, true])
  })
})

test('webhook endpoints are turned off and on', async () => {
  for (const name of ['a', 'b']) {
    const url = `http://127.0.0.1:59999/${name}`
    await dashboard.ask('POST', '/webhooks', { url, events: ['order.created'] })
  }
  const enabled = async () =>
    (await dashboard.ask('GET', '/webhooks')).webhooks.map((webhook: Json) => webhook.enabled)
  await dashboard.on('/webhooks', async (page) => {
    await selectPage(page)
    await confirm(await openAction(page, 'Turn 2 endpoints off'), '2 done.')
    expect(await enabled()).toEqual([false, false])
    await selectPage(page)
    await confirm(await openAction(page, 'Turn 2 endpoints on'), '2 done.')
    expect(await enabled()).toEqual([true, true])
  })
})

test('tickets are closed and opened again, and one that was closed meanwhile is named', async () => {
  const add = async (subject: string): Promise<number> => {
    const body = { email: 'tickets@example.com', subject, message: 'It does not work.' }
    return (await dashboard.ask('POST', '/tickets', body)).ticket.id
  }
  const ids = [await add('Key A'), await add('Key B')]
  const statuses = async () =>
    (await dashboard.ask('GET', '/tickets?email=tickets@example.com')).tickets.map(
      ({ status }: Json) => status,
    )
  await dashboard.on('/tickets?email=tickets@example.com', async (page) => {
    await select(page, 'Key A')
    await select(page, 'Key B')
    const dialog = await openAction(page, 'Close 2 tickets')
    await dashboard.ask('POST', `/tickets/${ids[0]}/close`)
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('1 done. 1 refused.').waitFor()
    await dialog.getByRole('link', { name: 'Key A' }).waitFor()
    await dialog.locator('.form-end').getByRole('button', { name: 'Close' }).click()
    expect(await statuses()).toEqual(['closed', 'closed'])
    await bar(page).getByText('1 selected').waitFor()
    await select(page, 'Key B')
    await confirm(await openAction(page, 'Open 2 tickets again'), '2 done.')
    expect(await statuses()).toEqual(['open', 'open'])
  })
})

test('customers get a tag and keep the others, and lose it again', async () => {
  const tagsOf = async () =>
    (await dashboard.ask('GET', '/customers?search=tagged')).customers.map(({ tags }: Json) => tags)
  const add = (body: Json) => dashboard.ask('POST', '/customers', body)
  const { customer } = await add({ email: 'tagged1@example.com' })
  await add({ email: 'tagged2@example.com', tags: ['wholesale'] })
  await dashboard.on('/customers?search=tagged&sort=-last_order_at', async (page) => {
    await selectPage(page)
    const dialog = await openAction(page, 'Tag 2 customers')
    // Another user adds a tag while the dialog is open.
    await dashboard.ask('PATCH', `/customers/${customer.id}`, { tags: ['new'] })
    await dialog.getByLabel(/^Tag/).fill('vip')
    await confirm(dialog, '2 done.')
    expect((await tagsOf()).map((tags: string[]) => [...tags].sort()).sort()).toEqual([
      ['new', 'vip'],
      ['vip', 'wholesale'],
    ])
    await select(page, 'tagged2@example.com')
    const removal = await openAction(page, 'Remove a tag from 1 customer')
    await removal.getByLabel(/^Tag/).fill('vip')
    await confirm(removal, '1 done.')
    expect((await tagsOf()).flat().filter((tag: string) => tag === 'vip')).toHaveLength(1)
  })
})

test('a role that may not change records selects them only to save them', async () => {
  await createOrders(1, 'viewed@example.com')
  await dashboard.setPassword('a long password')
  const context = await dashboard.signInAs('viewer', 'another long password')
  const page = await context.newPage()
  await dashboard.goTo(page, '/orders?search=viewed@example.com')
  await selectPage(page)
  expect(await savedLines(page)).toHaveLength(2)
  expect(await bar(page).getByRole('button').allTextContents()).toEqual([
    'Clear selection',
    'Export selected',
  ])
  await context.close()
})
