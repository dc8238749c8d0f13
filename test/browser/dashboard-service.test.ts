import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard, untilDialogCloses } from './dashboard-harness.ts'
import { startLicensedProgram } from './licensed-program.ts'

/** The work of a seller after a sale: answers, returns, refunds, records of customers. */

let dashboard: OpenedDashboard
let mug: Json
let ticketId: number
let rateId: number

const BUYER = { email: 'mara@example.com', name: 'Mara' }

/** Creates a paid order of mugs, unless the fields say otherwise. */
const createOrder = async (quantity: number, fields: Json = {}): Promise<Json> => {
  const items = [{ product_id: mug.id, quantity }]
  const body = { items, customer: BUYER, mark_paid: true, ...fields }
  return (await dashboard.ask('POST', '/orders', body)).order
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const fields = { name: 'Enamel mug', type: 'physical', price_cents: 1000, status: 'active' }
  const { product, variants } = await ask('POST', '/products', fields)
  await ask('PATCH', `/products/${product.id}/variants/${variants[0].id}/stock`, { quantity: 50 })
  mug = product
  const rates = [{ name: 'Post', calc_type: 'flat', price_cents: 490 }]
  const { zone } = await ask('POST', '/shipping/zones', { name: 'All', countries: ['*'], rates })
  rateId = zone.rates[0].id
  const message = { email: BUYER.email, subject: 'My parcel', message: 'Where is it?' }
  ticketId = (await ask('POST', '/tickets', message)).ticket.id
})
afterAll(() => dashboard?.close())

test('a typed reply stays when a message of the customer arrives, and on another page', () =>
  dashboard.on(`/tickets/${ticketId}`, async (page) => {
    const reply = page.getByLabel('Your reply')
    await reply.fill('It left on Monday')
    await dashboard.ask('POST', `/tickets/${ticketId}/messages`, { body: 'From a colleague' })
    await page.locator('.message', { hasText: 'From a colleague' }).waitFor()
    expect(await reply.inputValue()).toBe('It left on Monday')
    await page.getByRole('main').getByRole('link', { name: 'Tickets' }).click()
    await page.getByRole('heading', { name: 'Tickets' }).waitFor()
    await page.goBack()
    await reply.waitFor()
    expect(await reply.inputValue()).toBe('It left on Monday')
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.locator('.message.seller', { hasText: 'It left on Monday' }).waitFor()
    await expect.poll(() => reply.inputValue()).toBe('')
    expect(await reply.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.reload()
    await reply.waitFor()
    expect(await reply.inputValue()).toBe('')
  }))

test('a return is recorded on the page of the order, and its refund names the price of the received units', async () => {
  const order = await createOrder(3)
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    const returns = page.getByRole('region', { name: 'Returns' })
    await returns.getByText('Nothing of this order was sent back.').waitFor()
    await returns.getByRole('button', { name: 'Record a return' }).click()
    const dialog = page.getByRole('dialog')
    const units = dialog.getByLabel('Enamel mug: units sent back, of 3')
    await units.selectOption('2')
    await dialog.getByLabel('Reason').selectOption('too_small')
    await dialog.getByRole('button', { name: 'Record a return' }).click()
    await page.waitForURL(/\/returns\/\d+$/)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog.getByText('The customer may send 2 units back.').waitFor()
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'Record what arrived' }).click()
    await dialog.getByLabel('Enamel mug: damaged').fill('3')
    await dialog.getByRole('button', { name: 'Record what arrived' }).click()
    // The refusal is next to its field.
    await dialog.locator('.field-error').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('items[0].damaged_quantity')
    await dialog.getByLabel('Enamel mug: damaged').fill('1')
    await dialog.getByRole('button', { name: 'Record what arrived' }).click()
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByLabel('Amount').fill('0')
    await dialog.getByRole('button', { name: 'End without a refund' }).waitFor()
    await dialog.getByLabel('Amount').fill('20')
    await dialog.getByRole('button', { name: 'Refund $20.00' }).click()
    await untilDialogCloses(page)
  })
  const [orderReturn] = (await dashboard.ask('GET', `/returns?order_id=${order.id}`)).returns
  expect(orderReturn).toMatchObject({
    status: 'refunded',
    refund_amount_cents: 2000,
    items: [{ quantity: 2, received_quantity: 2, damaged_quantity: 1, reason: 'too_small' }],
  })
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await page.getByRole('button', { name: 'Record a return' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Enamel mug: units sent back, of 1').waitFor()
    await dialog.getByRole('button', { name: 'Record a return' }).click()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog.getByText('The customer may send 1 unit back.').waitFor()
  })
})

test('a customer is created with tags, and all data of the customer is saved as a file', async () => {
  await dashboard.on('/customers#new', async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('Nadia@example.com')
    await dialog.getByLabel('Country').fill('japan')
    await dialog.getByRole('button', { name: 'New customer' }).click()
    await page.waitForURL(/\/customers\/\d+$/)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByLabel('Tags').fill('vip\n press \nvip')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await untilDialogCloses(page)
    await page.getByText('vip, press').waitFor()
    await page.getByRole('link', { name: 'Consent' }).click()
    await page.getByRole('button', { name: 'Download all data' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download all data' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      customer: { email: 'nadia@example.com', country: 'JP', tags: ['vip', 'press'] },
      orders: [],
      is_complete: true,
    })
  })
})

test('an unpaid order gets another address, and its refund can go to the balance of the customer', async () => {
  const address = { name: 'Mara', line1: 'Kai 1', city: 'Kiel', country: 'DE' }
  const shipping = { shipping_address: address, shipping_rate_id: rateId }
  const order = await createOrder(1, { mark_paid: false, ...shipping })
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await page.getByRole('button', { name: 'Change buyer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Street and number').fill('Hafenstr. 1')
    await dialog.getByLabel('Country').fill('Nowhere')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('.field-error').first().waitFor()
    await dialog.getByLabel('Country').fill('France')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await untilDialogCloses(page)
    await page.getByText('Mara, Hafenstr. 1, Kiel, France').waitFor()
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await dialog.getByRole('button', { name: 'Record $14.90' }).click()
    await untilDialogCloses(page)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const restock = dialog.getByLabel('Put the items back into stock')
    expect(await restock.count()).toBe(1)
    await dialog.getByLabel('Amount').fill('4')
    expect(await restock.count()).toBe(0)
    await dialog.getByLabel('Where the money goes').selectOption('balance')
    await dialog.getByRole('button', { name: 'Refund $4.00' }).click()
    await untilDialogCloses(page)
  })
  const { customer } = await dashboard.ask('GET', `/customers/${order.customer.id}`)
  expect(customer.balance_cents).toBe(400)
})

test('the return address of the store is changed and removed', () =>
  dashboard.on('/settings/store', async (page) => {
    const dialog = page.getByRole('dialog')
    const openButton = page.getByRole('button', { name: 'Change return address' })
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await untilDialogCloses(page)
      return (await dashboard.ask('GET', '/account/settings')).settings.return_address
    }
    await openButton.click()
    const texts = {
      'Name of the recipient': 'Returns',
      'Street and number': 'Kai 2',
      'Town or city': 'Kiel',
    }
    for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label).fill(text)
    await dialog.getByLabel('Country').fill('de')
    expect(await save()).toMatchObject({ line1: 'Kai 2', country: 'DE' })
    await openButton.click()
    await dialog.getByLabel('Street and number').fill('Kai 3')
    expect(await save()).toMatchObject({ name: 'Returns', line1: 'Kai 3', city: 'Kiel' })
    await openButton.click()
    for (const label of [...Object.keys(texts), 'Country']) await dialog.getByLabel(label).fill('')
    expect(await save()).toBeNull()
  }))

test('an export of a list that fails says so, and saves no file', () =>
  dashboard.on('/customers', async (page) => {
    let files = 0
    page.on('download', () => files++)
    const button = page.getByRole('button', { name: 'Export CSV' })
    await Promise.all([page.waitForEvent('download'), button.click()])
    await page.route('**/v1/customers?*limit=100*', (route) =>
      route.fulfill({
        status: 500,
        json: { success: false, code: 'INTERNAL_ERROR', error: 'No.' },
      }),
    )
    await button.click()
    await page.locator('.list-tools .failure').waitFor()
    expect(files).toBe(1)
  }))

test('a new order of goods that are shipped asks for the address', () =>
  dashboard.on('/orders#new', async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill('Enamel')
    await dialog.getByRole('button', { name: 'Add Enamel mug' }).click()
    await dialog.getByLabel('Paid already').uncheck()
    await dialog.getByRole('button', { name: 'Make a test order' }).click()
    await dialog.getByRole('alert').getByText('A physical product needs an address.').waitFor()
    await dialog.getByRole('link', { name: 'Name of the recipient' }).click()
    await page.keyboard.type('Nadia')
    await dialog.getByLabel('Street and number').fill('Kai 4')
    await dialog.getByLabel('Town or city').fill('Kiel')
    await dialog.getByLabel('Country').fill('DE')
    await dialog.getByLabel('Shipping rate').selectOption({ label: 'Post · $4.90' })
    await dialog.locator('.receipt li', { hasText: 'Shipping' }).getByText('$4.90').waitFor()
    await dialog.getByRole('button', { name: 'Make a test order' }).click()
    await page.waitForURL(/\/orders\/ord_/)
    await page.getByText('Nadia, Kai 4, Kiel, Germany').waitFor()
  }))

test('the palette finds a return by the number on its parcel', async () => {
  const order = await createOrder(1)
  const items = [{ order_item_id: order.items[0].id, quantity: 1 }]
  const { rma, id } = (await dashboard.ask('POST', '/returns', { order_id: order.id, items }))
    .return
  await dashboard.on('', async (page) => {
    await page.keyboard.press('Control+K')
    await page.keyboard.type(rma.toLowerCase())
    await page.getByRole('option', { name: new RegExp(`${rma} · mara@example.com`) }).click()
    await page.waitForURL(new RegExp(`/returns/${id}$`))
  })
})

test('the commission of a partner adds up while a payout is requested', async () => {
  const { ask } = dashboard
  await ask('PATCH', '/affiliates/program', { enabled: true, hold_days: 0, min_payout_cents: 0 })
  const { partner } = await ask('POST', '/affiliates/partners', { email: 'ada@example.com' })
  await ask('POST', `/affiliates/partners/${partner.id}/links`, { code: 'ada' })
  const licensed = await ask('POST', '/products', {
    ...{ name: 'Key', type: 'license', price_cents: 5000, status: 'active' },
  })
  const items = [{ product_id: licensed.product.id, quantity: 1 }]
  await ask('POST', '/orders', { items, customer: BUYER, mark_paid: true, affiliate_code: 'ada' })
  await ask('POST', '/account/test-clock', { advance: '1h' })
  const payout = { partner_id: partner.id, method: 'bank_transfer', destination: 'DE02 1203' }
  await ask('POST', '/affiliates/payouts', payout)
  await dashboard.on(`/affiliates/partners/${partner.id}`, async (page) => {
    const lines = page.getByRole('region', { name: 'Commission' }).locator('li')
    expect(await lines.allTextContents()).toEqual([
      'Earned$5.00',
      'Held$0.00',
      'In requested payouts-$5.00',
      'Paid out$0.00',
      'Available$0.00',
    ])
  })
})

test('a license without an end is not extended, and its license file is saved for a device without a connection', async () => {
  const { key } = await startLicensedProgram(dashboard)
  await dashboard.on(`/license-keys/${key.id}/devices`, async (page) => {
    expect(await page.getByRole('button', { name: 'Extend' }).count()).toBe(0)
    await page.getByRole('button', { name: 'License file' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Fingerprint of the device').fill('board-4711-disk-0815')
    await dialog.getByLabel('Valid for').selectOption({ label: '14 days' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'License file' }).click(),
    ])
    const [, payload = ''] = (await readFile(await file.path(), 'utf8')).split('.')
    const { key_id, issued_at, expires_at } = JSON.parse(atob(payload))
    expect(key_id).toBe(key.id)
    expect(Date.parse(expires_at) - Date.parse(issued_at)).toBe(14 * 86_400_000)
  })
})

test('a subscription that is cancelled already can only end now, and one that has not begun leads to its order', async () => {
  const { ask } = dashboard
  const fields = { name: 'Club', type: 'service', product_kind: 'subscription' }
  const club = await ask('POST', '/products', { ...fields, price_cents: 900, status: 'active' })
  await ask('PUT', `/products/${club.product.id}/billing`, { billing_cycle: 'monthly' })
  const items = [{ product_id: club.product.id, quantity: 1 }]
  const subscribe = async (email: string, mark_paid: boolean): Promise<Json> => {
    await ask('POST', '/orders', { items, customer: { email }, mark_paid })
    return (await ask('GET', `/subscriptions?customer_email=${email}`)).subscriptions[0]
  }
  const paid = await subscribe('paid@example.com', true)
  const unpaid = await subscribe('unpaid@example.com', false)
  await ask('POST', `/subscriptions/${paid.id}/cancel`, { at_period_end: true })
  await dashboard.on(`/subscriptions/${paid.id}`, async (page) => {
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
    await page.locator('.stamp', { hasText: 'Cancelled' }).waitFor()
  })
  await dashboard.on(`/subscriptions/${unpaid.id}`, async (page) => {
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Open the unpaid first order' }).click()
    await page.getByRole('heading', { name: /^Order #/ }).waitFor()
  })
})
