import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
} from './dashboard-harness.ts'

/** The parcels of an order: shipping, tracking, cancelling. */

let dashboard: OpenedDashboard
let product: Json

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const created = await ask('POST', '/products', {
    name: 'A box of cards',
    ...{ type: 'physical', price_cents: 1500, status: 'active' },
  })
  ;({ product } = created)
  const path = `/products/${product.id}/variants/${created.variants[0].id}/stock`
  await ask('PATCH', path, { quantity: 20 })
})
afterAll(() => dashboard?.close())

async function sell(quantity: number): Promise<Json> {
  const { order } = await dashboard.ask('POST', '/orders', {
    items: [{ product_id: product.id, quantity }],
    customer: { email: 'mara@example.com' },
    mark_paid: true,
  })
  return order
}

const parcelsOf = async (order: Json): Promise<Json[]> =>
  (await dashboard.ask('GET', `/fulfillments?order_id=${order.id}`)).fulfillments

test('an order is shipped with a tracking number by keyboard, and is completed', async () => {
  const order = await sell(1)
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await page.getByText('Nothing was shipped yet.').waitFor()
    await press(page, 'Ship a parcel')
    await page.getByLabel('Tracking number').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('00340434161094042557')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await page.getByText('00340434161094042557').waitFor()
    await page.locator('.stamp', { hasText: 'Completed' }).waitFor()
    expect(await page.getByRole('button', { name: 'Ship a parcel' }).count()).toBe(0)
    // The button is gone, so the heading of its section has the focus.
    await page.locator('h2:focus', { hasText: 'Parcels' }).waitFor()
  })
  expect(await parcelsOf(order)).toMatchObject([
    { status: 'shipped', tracking_number: '00340434161094042557' },
  ])
})

test('some units are shipped, their tracking is changed, and their parcel is cancelled', async () => {
  const order = await sell(3)
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await press(page, 'Ship a parcel')
    await tabTo(page, 'A box of cards, of 3')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await page.getByText('Still to ship: 1 × A box of cards.').waitFor()
    expect(await parcelsOf(order)).toMatchObject([{ items: [{ quantity: 2 }] }])

    await press(page, 'Edit tracking')
    await page.getByRole('dialog').getByLabel('Status at the carrier').selectOption('in_transit')
    await press(page, 'Save')
    await untilDialogCloses(page)
    await page.getByText('In transit').waitFor()

    await press(page, 'Cancel parcel')
    await page.getByText('2 units of this parcel have to be shipped again.').waitFor()
    await press(page, 'Cancel parcel')
    await untilDialogCloses(page)
    await page.getByText('Still to ship: 3 × A box of cards.').waitFor()
    expect(await parcelsOf(order)).toMatchObject([{ status: 'cancelled' }])
  })
})

test('an order on hold offers no parcel until it is released', async () => {
  const order = await sell(1)
  for (const [act, offered] of [
    ['hold', 0],
    ['release', 1],
  ] as const) {
    await dashboard.ask('POST', `/orders/${order.id}/${act}`, {})
    await dashboard.on(`/orders/${order.id}`, async (page) => {
      await page.getByText('Nothing was shipped yet.').waitFor()
      expect(await page.getByRole('button', { name: 'Ship a parcel' }).count()).toBe(offered)
    })
  }
})

test('an order without physical goods shows no parcels, and an order of physical goods only shows no deliveries', async () => {
  const shipped = await sell(1)
  await dashboard.on(`/orders/${shipped.id}`, async (page) => {
    await page.getByRole('heading', { name: 'Parcels' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Deliveries' }).count()).toBe(0)
  })
  const service = { name: 'Lesson', type: 'service', price_cents: 500, status: 'active' }
  const { id } = (await dashboard.ask('POST', '/products', service)).product
  const { order } = await dashboard.ask('POST', '/orders', {
    items: [{ product_id: id, quantity: 1 }],
    customer: { email: 'mara@example.com' },
    mark_paid: true,
  })
  await dashboard.on(`/orders/${order.id}`, async (page) => {
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Parcels' }).count()).toBe(0)
  })
})

test('the parcels and their forms have no axe violations', async () => {
  const order = await sell(2)
  await dashboard.ask('POST', `/orders/${order.id}/fulfillments`, {
    items: [{ order_item_id: order.items[0].id, quantity: 1 }],
    tracking_number: '0034',
    tracking_url: 'https://parcels.example/0034',
  })
  await dashboard.examine([`/orders/${order.id}`])
  await dashboard.examine([`/orders/${order.id}`], async (page) => {
    await page.getByRole('button', { name: 'Ship a parcel' }).press('Enter')
    await page.getByRole('dialog').waitFor()
  })
})
