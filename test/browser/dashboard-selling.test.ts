import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import {
  closeByEscape,
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  tabTo,
  WAIT_MS,
} from './dashboard-harness.ts'

let dashboard: OpenedDashboard
let paidOrder: Json
let partnerOrder: Json
let customerPath: string
/** The pages that are examined. */
let paths: string[]

const MARA = { email: 'mara@example.com', name: 'Mara' }
const IP = '203.0.113.7'

/** Creates an order of two units of the product with this name. */
const createOrder = async (fields: Json = {}, name = 'Space'): Promise<Json> => {
  const { products } = await dashboard.ask('GET', `/products?search=${name}`)
  const items = [{ product_id: products[0].id, quantity: 2 }]
  return (await dashboard.ask('POST', '/orders', { items, customer: MARA, ip: IP, ...fields }))
    .order
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const terms = { type: 'service', price_cents: 1500, status: 'active' }
  await ask('POST', '/products', { name: 'Space Game', ...terms })
  await ask('PATCH', '/affiliates/program', { enabled: true, commission_percent: 10 })
  const { partner } = await ask('POST', '/affiliates/partners', {
    email: 'pia@example.com',
    name: 'Pia',
  })
  await ask('POST', `/affiliates/partners/${partner.id}/links`, { code: 'pia-link' })
  paidOrder = await createOrder({ mark_paid: true })
  await ask('POST', '/products', { name: 'Star Tool', ...terms, type: 'license' })
  const referred = { affiliate_code: 'pia-link', mark_paid: true }
  await createOrder({ customer: { email: 'eve@example.com' }, ...referred }, 'Star')
  // The same address within a day flags the second conversion.
  partnerOrder = await createOrder({ customer: { email: 'bob@example.com' }, ...referred }, 'Star')
  customerPath = `/customers/${paidOrder.customer.id}`
  paths = [
    `/orders?open=${paidOrder.id}`,
    `/orders/${partnerOrder.id}`,
    customerPath,
    ...['licenses', 'subscriptions', 'tickets', 'balance', 'consent'].map(
      (tab) => `${customerPath}/${tab}`,
    ),
    '/blocklist',
  ]
})
afterAll(() => dashboard?.close())

/** Opens a page, and fails on errors of its script. */
async function on(path: string, work: (page: Page) => Promise<void>) {
  const scriptErrors: string[] = []
  const page = await dashboard.context.newPage()
  page.on('pageerror', (error) => scriptErrors.push(String(error)))
  await dashboard.goTo(page, path)
  await work(page)
  expectEmpty(scriptErrors)
  await page.close()
}

const focusedText = (page: Page) => page.evaluate("document.activeElement?.textContent ?? ''")

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine(paths))

describe('a view of a list', () => {
  test('shows only its records, also after a search in the list', async () => {
    const { id, number } = await createOrder({ mark_paid: true })
    await dashboard.ask('POST', `/orders/${id}/refund`, { reason: 'duplicate' })
    await on('/orders', async (page) => {
      const numbers = () => page.locator('tbody a.row-link').allTextContents()
      await page.getByRole('button', { name: 'Refunded', exact: true }).click()
      await expect.poll(numbers).toEqual([`#${number}`])
      await page.getByLabel('Email, number, id, key or request').fill('mara')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL(/refund_status=partial%2Cfull&search=mara/)
      await expect.poll(numbers).toEqual([`#${number}`])
    })
  })
})

describe('an order next to the list', () => {
  test('opens and closes by keyboard, has its own address, and returns the focus', async () => {
    await on('/orders', async (page) => {
      const panel = page.getByRole('complementary', { name: 'Order' })
      await tabTo(page, `#${paidOrder.number}`)
      await page.keyboard.press('Enter')
      await panel.getByRole('heading', { name: `Order #${paidOrder.number}` }).waitFor()
      await page.waitForURL(new RegExp(`/orders\\?open=${paidOrder.id}`))
      await expect.poll(() => focusedText(page)).toBe(`Order #${paidOrder.number}`)
      await page
        .locator(`a.row-link[aria-current="true"]`, { hasText: `#${paidOrder.number}` })
        .waitFor()
      await panel.getByRole('button', { name: 'Edit note' }).click()
      await closeByEscape(page.getByRole('dialog'))
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await expect.poll(() => focusedText(page)).toBe(`#${paidOrder.number}`)
      await page.keyboard.press('Enter')
      await panel.getByRole('heading', { name: `Order #${paidOrder.number}` }).waitFor()
      await panel.getByRole('link', { name: 'Open as a page' }).click()
      await page.waitForURL(new RegExp(`/orders/${paidOrder.id}$`))
    })
  })

  test('is a separate page in a narrow window', async () => {
    await on('/orders', async (page) => {
      await page.setViewportSize({ width: 700, height: 800 })
      await page.locator('a.row-link', { hasText: `#${paidOrder.number}` }).click()
      await page.waitForURL(new RegExp(`/orders/${paidOrder.id}$`))
    })
  })
})

describe('several unpaid orders', () => {
  test('are cancelled together, and an order that cannot be cancelled is named and stays selected', async () => {
    const [first, second, third] = [await createOrder(), await createOrder(), await createOrder()]
    await on('/orders?status=pending', async (page) => {
      for (const { number } of [first, second, third]) {
        await page.getByRole('checkbox', { name: `Select Order #${number}` }).check()
      }
      // Another user pays one while the dialog is open.
      await page.getByRole('button', { name: 'Cancel 3 orders' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Unpaid orders: 3, worth $90.00.').waitFor()
      await dashboard.ask('POST', `/orders/${second.id}/manual-payments`, {})
      await dialog.getByLabel('Reason').fill('Sold elsewhere')
      await dialog.getByRole('button', { name: 'Cancel 3 orders' }).click()
      await dialog.getByText('2 done. 1 refused.').waitFor()
      await dialog.getByRole('link', { name: `Order #${second.number}` }).waitFor()
      await dialog.locator('.form-end').getByRole('button', { name: 'Close' }).click()
      await page.getByText('1 selected').waitFor()
      await page.getByRole('button', { name: 'Clear selection' }).click()
      await page.getByText('1 selected').waitFor({ state: 'detached' })
    })
    const currentOrders = await Promise.all(
      [first, second, third].map(
        async ({ id }) => (await dashboard.ask('GET', `/orders/${id}`)).order,
      ),
    )
    expect(currentOrders.map(({ status }) => status === 'cancelled')).toEqual([true, false, true])
    expect(currentOrders[0]?.status_history.at(-1)).toMatchObject({ reason: 'Sold elsewhere' })
  })
})

test('an order is found by the id of a request', async () => {
  await dashboard.ask('PATCH', `/orders/${paidOrder.id}`, { note: 'Called' })
  const { id: storeId } = dashboard.server.test
  await on('/orders', async (page) => {
    const path = `/dashboard/api/stores/${storeId}/v1/account/calls?operation=orders.update`
    const requestId = await vi.waitFor(
      async () => {
        const answer: Json = await page.evaluate(async (url) => (await fetch(url)).json(), path)
        expect(answer.calls.length).toBeGreaterThan(0)
        return String(answer.calls[0].request_id)
      },
      { timeout: WAIT_MS, interval: 200 },
    )
    await page.getByLabel('Email, number, id, key or request').fill(requestId)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.locator('tbody a.row-link').allTextContents())
      .toEqual([`#${paidOrder.number}`])
  })
})

test('an order shows what the seller keeps after commission, and why it may be a risk', async () => {
  await on(`/orders/${partnerOrder.id}`, async (page) => {
    const receipt = page.getByRole('region', { name: 'Receipt' })
    await receipt.getByText('Commission of Pia').waitFor()
    const sellerShare = receipt.locator('li', { hasText: 'You keep' })
    const { conversions } = await dashboard.ask('GET', '/affiliates/conversions')
    const { commission } = conversions.find((item: Json) => item.invoice_id === partnerOrder.id)
    expect(await sellerShare.textContent()).toContain(`$${((3_000 - commission) / 100).toFixed(2)}`)
    const notes = page.getByRole('region', { name: 'Risk notes' })
    await notes.getByText('The conversion of Pia has flags').waitFor()
  })
})

test('a blocked customer is shown by the order, the address test and the list of refused orders', async () => {
  const reason = 'Chargebacks in May'
  const entry = { type: 'email', value: '*@spam.example' }
  const earlierOrder = await createOrder({
    customer: { email: 'sam@spam.example' },
    mark_paid: true,
  })
  await dashboard.ask('POST', '/blocklist', { ...entry, reason })
  await expect(createOrder({ customer: { email: 'sam@spam.example' } })).rejects.toThrow(
    'CUSTOMER_BLOCKED',
  )
  await on(`/orders/${earlierOrder.id}`, async (page) => {
    const notes = page.getByRole('region', { name: 'Risk notes' })
    await notes.getByText('It refused 1 order. Chargebacks in May').waitFor()
  })
  await on('/blocklist', async (page) => {
    await tabTo(page, 'Email or IP address of a buyer')
    await page.keyboard.type('anna@spam.example')
    await page.keyboard.press('Enter')
    await page.getByText('An order of anna@spam.example is refused by:').waitFor()
    const field = page.getByLabel('Email or IP address of a buyer')
    await field.fill('198.51.100.1')
    await page.keyboard.press('Enter')
    await page.getByText('No entry refuses an order of 198.51.100.1.').waitFor()
    await field.fill('nothing')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
  })
  await vi.waitFor(
    () =>
      on('/blocklist', async (page) => {
        const refusedOrders = page.getByRole('region', { name: 'Recently refused' })
        expect(await refusedOrders.getByRole('link', { name: 'sam@spam.example' }).count()).toBe(1)
      }),
    { timeout: WAIT_MS, interval: 500 },
  )
})

test('the marketing consent of a customer is recorded and withdrawn by keyboard only', async () => {
  await on(`${customerPath}/consent`, async (page) => {
    const readConsent = async () =>
      (await dashboard.ask('GET', customerPath)).customer.marketing_opt_in
    for (const [button, expected] of [
      ['Record consent', true],
      ['Withdraw consent', false],
    ] as const) {
      await tabTo(page, button)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, button)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(readConsent).toBe(expected)
      await page.locator('h1').focus()
    }
  })
})

test('the home page counts the orders to deliver, and the line opens the list of exactly these orders', async () => {
  const { orders } = await dashboard.ask('GET', '/orders?status=paid&limit=1')
  await dashboard.ask('POST', `/orders/${orders[0].id}/hold`, {})
  const { pagination } = await dashboard.ask('GET', '/orders?status=paid&on_hold=false')
  await on('', async (page) => {
    const line = page.locator('.receipt li', { hasText: 'Orders to deliver' })
    await line.waitFor()
    const count = Number((await line.locator('.money').textContent())?.trim())
    expect(count).toBe(pagination.total)
    await line.getByRole('link').click()
    await page.waitForURL(/\/orders\?status=paid&on_hold=false$/)
    await expect.poll(() => page.locator('tbody a.row-link').count()).toBe(count)
    await page.getByRole('button', { name: 'On hold' }).click()
    await page.getByRole('row', { name: /Paid On hold/ }).waitFor()
  })
  await dashboard.ask('POST', `/orders/${orders[0].id}/release`)
})
