import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

/** The view that each role has of delivered goods (decisions 136 and 337). */

const KEYS = ['GAME-FIRST-0001', 'GAME-OTHER-0002']
const MASKED = ['••••0001', '••••0002']

let tradepost: Tradepost
let order: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  const made = await tradepost.post('/products', { name: 'Game', price_cents: 500 })
  const { product, variants } = made.json
  await tradepost.post(`/products/${product.id}/variants/${variants[0].id}/keys`, { keys: KEYS })
  const sold = await tradepost.post('/orders', {
    customer: { email: 'ada@example.com' },
    items: [{ product_id: product.id, quantity: 2 }],
    mark_paid: true,
  })
  order = sold.json.order
})
afterAll(() => tradepost.close())

async function seenBy(browser: SignedIn): Promise<unknown[]> {
  const path = `/stores/${tradepost.live.id}/v1/orders/${order.id}`
  const [delivery] = order.deliveries
  const whole = await browser.get(path)
  const list = await browser.get(`${path}/deliveries`)
  const page = await browser.get(`${path}/deliveries/${delivery.id}/keys`)
  return [whole.json.order.deliveries[0].keys, list.json.deliveries[0].keys, page.json.keys]
}

test.each(['owner', 'admin', 'staff'] as const)(
  'a user who is %s sees delivered keys in full',
  async (role) => {
    expect(await seenBy(await signedIn(tradepost, role))).toEqual([KEYS, KEYS, KEYS])
  },
)

test('a viewer, who has no orders:write, sees the end of each key', async () => {
  expect(await seenBy(await signedIn(tradepost, 'viewer'))).toEqual([MASKED, MASKED, MASKED])
})

test('a viewer sees of a delivered text only that there is one', async () => {
  const body = { name: 'Service', price_cents: 500, type: 'service' }
  const { product } = (await tradepost.post('/products', body)).json
  const sold = await tradepost.post('/orders', {
    customer: { email: 'ada@example.com' },
    items: [{ product_id: product.id, quantity: 1 }],
    mark_paid: true,
  })
  const { id, items } = sold.json.order
  const text = 'The password of your server is rose.'
  const handed = await tradepost.post(`/orders/${id}/deliveries`, {
    order_item_id: items[0].id,
    text,
  })
  expect(handed.json.delivery).toMatchObject({ text })
  const viewer = await signedIn(tradepost, 'viewer')
  const seen = await viewer.get(`/stores/${tradepost.live.id}/v1/orders/${id}`)
  expect(seen.json.order.deliveries[0].text).toBe('••••')
  expect(seen.text).not.toContain('rose')
})
