import { expect, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { openReceiver } from '../receiver.ts'
import { type OpenedDashboard, WAIT_MS } from './dashboard-harness.ts'

const PRODUCTS = [
  { name: 'Space Game', type: 'serial', price_cents: 1_999, status: 'active' },
  { name: 'Photo Editor', type: 'service', price_cents: 4_900, status: 'active' },
  { name: 'Music Player', type: 'service', price_cents: 900, status: 'draft' },
]
const BUYERS = ['ada@example.com', 'mara@example.com', 'noor@example.com', 'ada@example.com']

/** Creates the same records in the test side each time. Returns the paths of the pages to show. */
export async function createPictureRecords({
  ask,
  management,
}: OpenedDashboard): Promise<Record<string, string>> {
  const receiver = await openReceiver()
  const { webhook } = await ask('POST', '/webhooks', {
    url: receiver.url,
    events: ['order.created'],
  })
  const products: Json[] = []
  for (const body of PRODUCTS) products.push((await ask('POST', '/products', body)).product)
  const [game] = products
  const [variant] = (await ask('GET', `/products/${game.id}/variants`)).variants
  const keys = Array.from({ length: 12 }, (_, n) => `SPACE-${String(n).padStart(4, '0')}`)
  await ask('POST', `/products/${game.id}/variants/${variant.id}/keys`, { keys })
  const orders: Json[] = []
  for (const [n, email] of BUYERS.entries()) {
    const items = [{ product_id: products[n % 2].id, quantity: 1 + (n % 3) }]
    const body = { items, customer: { email }, mark_paid: n !== 1 }
    orders.push((await ask('POST', '/orders', body)).order)
  }
  const [refundedOrder] = orders
  await ask('POST', `/orders/${refundedOrder.id}/refund`, {
    amount_cents: 500,
    reason: 'duplicate',
  })
  await receiver.until(BUYERS.length)
  await receiver.close()

  const { app } = await management.apps.create({ name: 'Photo editor' })
  await management.licenseKeys.create({ app_id: app.id, count: 3, max_devices: 2 })

  const deliveriesPath = `/events/deliveries?status=succeeded&webhook_id=${webhook.id}`
  await vi.waitFor(
    async () => expect((await ask('GET', deliveriesPath)).deliveries).toHaveLength(BUYERS.length),
    { timeout: WAIT_MS, interval: 250 },
  )
  return {
    home: '',
    orders: '/orders',
    order: `/orders/${refundedOrder.id}`,
    products: '/products',
    product: `/products/${game.id}`,
    stock: `/products/${game.id}/variants/${variant.id}/keys`,
    customers: '/customers',
    analytics: '/analytics',
    webhooks: '/webhooks',
    endpoint: `/webhooks/${webhook.id}`,
    'api-keys': '/api-keys',
    'license-keys': '/license-keys',
  }
}
