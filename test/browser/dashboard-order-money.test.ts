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

/** The balance and the block of a customer on the page of an order, and the ledger, by keyboard. */

const MARA = { email: 'mara@example.com', name: 'Mara' }

let dashboard: OpenedDashboard
let game: string
let customerId: number

beforeAll(async () => {
  dashboard = await openDashboard()
  const fields = { name: 'Lesson', type: 'service', price_cents: 2_000, status: 'active' }
  game = (await dashboard.ask('POST', '/products', fields)).product.id
  customerId = (await dashboard.ask('POST', '/customers', MARA)).customer.id
  await changeBalance(5_000)
})
afterAll(() => dashboard?.close())

const changeBalance = (amount_cents: number) =>
  dashboard.ask('POST', `/customers/${customerId}/balance`, { amount_cents, reason: 'Gift' })

async function createOrder(fields: Json = {}): Promise<string> {
  const items = [{ product_id: game, quantity: 1 }]
  return (await dashboard.ask('POST', '/orders', { items, customer: MARA, ...fields })).order.id
}

const orderOf = async (id: string): Promise<Json> =>
  (await dashboard.ask('GET', `/orders/${id}`)).order

test('an unpaid order is paid from the balance of its customer in two parts, each sent once', async () => {
  const id = await createOrder()
  await dashboard.on(`/orders/${id}`, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Pay from balance' })
    await page.getByRole('button', { name: 'Pay from balance' }).waitFor()
    await press(page, 'Pay from balance')
    await untilDialogHasFocus(dialog)
    await dialog.getByText('$50.00, and $20.00 is due').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('5')
    await press(page, 'Pay $5.00 from balance')
    await untilDialogCloses(page)
    expect((await orderOf(id)).paid_cents).toBe(500)

    // The first answer of the second part is lost. The repeated request has no second effect.
    let calls = 0
    await page.route('**/balance-payments', async (route) => {
      if (++calls > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByText('$15.00').first().waitFor()
    await press(page, 'Pay from balance')
    await untilDialogHasFocus(dialog)
    await press(page, 'Pay $15.00 from balance')
    await untilDialogCloses(page)
    expect(calls).toBe(2)
    await page.getByRole('button', { name: 'Pay from balance' }).waitFor({ state: 'detached' })
  })
  const order = await orderOf(id)
  expect(order.paid_cents).toBe(2_000)
  expect(order.payments.map(({ kind }: Json) => kind)).toEqual(['balance', 'balance'])
  expect((await dashboard.ask('GET', `/customers/${customerId}`)).customer.balance_cents).toBe(
    3_000,
  )
})

test('an amount above the balance is refused next to its field, and paying is not offered without a balance', async () => {
  const id = await createOrder()
  await dashboard.on(`/orders/${id}`, async (page) => {
    const dialog = page.getByRole('dialog')
    await press(page, 'Pay from balance')
    await untilDialogHasFocus(dialog)
    await changeBalance(-2_500)
    await press(page, 'Pay $20.00 from balance')
    await dialog.locator('.field-error', { hasText: "The customer's balance is 500" }).waitFor()
    await page.keyboard.press('Escape')
    await untilDialogCloses(page)
    await changeBalance(-500)
    await dashboard.goTo(page, `/orders/${id}`)
    await page.getByRole('button', { name: 'Block customer' }).waitFor()
    expect(await page.getByRole('button', { name: 'Pay from balance' }).count()).toBe(0)
  })
  await changeBalance(1_000)
})

test('a part-paid order is cancelled with a note about its store credit, which goes back (decision 180)', async () => {
  const id = await createOrder()
  const readBalance = async () =>
    (await dashboard.ask('GET', `/customers/${customerId}`)).customer.balance_cents
  const balanceBefore = await readBalance()
  await dashboard.ask('POST', `/orders/${id}/balance-payments`, { amount_cents: 300 })
  await dashboard.on(`/orders/${id}`, async (page) => {
    await press(page, 'Cancel order')
    const dialog = page.getByRole('dialog')
    await untilDialogHasFocus(dialog)
    await dialog.getByText('paid from their balance goes back to it').waitFor()
    await press(page, 'Cancel order')
    await untilDialogCloses(page)
    await page.getByText('-$3.00').or(page.getByText('−$3.00')).first().waitFor()
  })
  expect(await orderOf(id)).toMatchObject({ status: 'cancelled', refund_status: 'full' })
  expect(await readBalance()).toBe(balanceBefore)
  await dashboard.on(`/customers/${customerId}`, async (page) => {
    await tabTo(page, 'Balance')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Order ended' }).first().waitFor()
  })
})

test('the receipt names the bundle of a line (decision 179)', async () => {
  const fields = { name: 'Course', product_kind: 'bundle', price_cents: 900, status: 'active' }
  const bundle = (await dashboard.ask('POST', '/products', fields)).product.id
  const variant_id = (await dashboard.ask('GET', `/products/${game}`)).variants[0].id
  await dashboard.ask('PUT', `/products/${bundle}/bundle`, { items: [{ variant_id }] })
  const id = await createOrder({ items: [{ product_id: bundle, quantity: 1 }] })
  await dashboard.on(`/orders/${id}`, async (page) => {
    await page.getByRole('region', { name: 'Receipt' }).getByText('in Course').waitFor()
  })
})

test('a refund of a part is called so in the list, and the order shows its note and who made it', async () => {
  const id = await createOrder({ mark_paid: true })
  const refund = { amount_cents: 700, reason: 'other', note: 'Half a lesson.' }
  await dashboard.ask('POST', `/orders/${id}/refund`, refund)
  const { number, refunds } = await orderOf(id)
  await dashboard.on('/orders', async (page) => {
    const row = page.getByRole('row', { name: `#${number}` })
    await row.getByText('Partly refunded', { exact: true }).waitFor()
  })
  await dashboard.on(`/orders/${id}`, async (page) => {
    await page.getByText('Partly refunded', { exact: true }).waitFor()
    const entry = page.getByRole('listitem').filter({ hasText: 'Half a lesson.' })
    await entry.getByText('$7.00').waitFor()
    await entry.getByText(`API key “${refunds[0].actor.name}”`).waitFor()
  })
})

test('an order offers to block its customer, and to unblock a blocked one', async () => {
  const id = await createOrder({ mark_paid: true })
  const isBlocked = async () =>
    (await dashboard.ask('GET', `/customers/${customerId}`)).customer.blocked
  await dashboard.on(`/orders/${id}`, async (page) => {
    const block = page.locator('main').getByRole('button', { name: 'Block customer' })
    const unblock = page.locator('main').getByRole('button', { name: 'Unblock' })
    await page.locator('main button:enabled', { hasText: 'Block customer' }).waitFor()
    await press(page, 'Block customer')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await press(page, 'Block customer')
    await unblock.waitFor()
    expect(await block.count()).toBe(0)
    expect(await isBlocked()).toBe(true)
    await untilDialogCloses(page)

    await press(page, 'Unblock')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await press(page, 'Unblock')
    await block.waitFor()
    expect(await unblock.count()).toBe(0)
    expect(await isBlocked()).toBe(false)
  })
})

test('the ledger lists the changes of the wallet and of balances, with the orders that caused them', async () => {
  const id = await createOrder({ mark_paid: true })
  await dashboard.on('/settings/wallet', async (page) => {
    await tabTo(page, 'Ledger')
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table', { name: 'Ledger' }).locator('tbody tr')
    await rows.first().waitFor()
    const adjustments = rows.filter({ hasText: 'Changed by the team' })
    await expect.poll(() => adjustments.first().textContent()).toContain('Customer balances')
    const payment = rows.filter({ hasText: 'Wallet' }).first()
    expect(await payment.textContent()).toContain('$20.00')
    await payment.getByRole('link', { name: 'Open the order' }).press('Enter')
    const { number } = await orderOf(id)
    await page.getByRole('heading', { level: 1, name: `#${number}` }).waitFor()
  })
})

test('the ledger and both dialogs have no axe violations at any width', async () => {
  const id = await createOrder()
  await dashboard.examine(['/settings/wallet/ledger'])
  await dashboard.examine([`/orders/${id}`], async (page) => {
    await page.getByRole('button', { name: 'Pay from balance' }).press('Enter')
    await untilDialogHasFocus(page.getByRole('dialog'))
  })
  await dashboard.ask('POST', `/customers/${customerId}/block`, {})
  await dashboard.examine([`/orders/${id}`], async (page) => {
    await page.getByRole('button', { name: 'Unblock' }).press('Enter')
    await untilDialogHasFocus(page.getByRole('dialog'))
  })
})
