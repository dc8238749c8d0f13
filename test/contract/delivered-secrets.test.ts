import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The parts of delivered goods that each role can read (decision 136).

const KEYS = ['GAME-FIRST-0001', 'GAME-OTHER-0002']
const MASKED = ['••••0001', '••••0002']

let tradepost: Tradepost
let order: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  const created = await tradepost.post('/products', { name: 'Game', price_cents: 500 })
  const { product, variants } = created.json
  await tradepost.post(`/products/${product.id}/variants/${variants[0].id}/keys`, { keys: KEYS })
  const paid = await tradepost.post('/orders', {
    customer: { email: 'ada@example.com' },
    items: [{ product_id: product.id, quantity: 2 }],
    mark_paid: true,
  })
  expect(paid.status, paid.text).toBe(201)
  order = paid.json.order
})
afterAll(() => tradepost.close())

/** Returns the keys of the delivery as each of three endpoints answers them. */
async function listKeysAs(browser: SignedIn): Promise<unknown[]> {
  const path = `/stores/${tradepost.live.id}/v1/orders/${order.id}`
  const [delivery] = order.deliveries
  const orderAnswer = await browser.get(path)
  const deliveryList = await browser.get(`${path}/deliveries`)
  const keyPage = await browser.get(`${path}/deliveries/${delivery.id}/keys`)
  return [
    orderAnswer.json.order.deliveries[0].keys,
    deliveryList.json.deliveries[0].keys,
    keyPage.json.keys,
  ]
}

test.each(['owner', 'admin', 'staff'] as const)(
  'a user with the role %s reads delivered keys in full',
  async (role) => {
    expect(await listKeysAs(await signedIn(tradepost, role))).toEqual([KEYS, KEYS, KEYS])
  },
)

test('a viewer, who has no permission orders:write, reads the last four characters of each key', async () => {
  expect(await listKeysAs(await signedIn(tradepost, 'viewer'))).toEqual([MASKED, MASKED, MASKED])
})

test('a viewer reads no link to the page of an order, which shows the keys', async () => {
  const urlsAs = async (browser: SignedIn) => {
    const path = `/stores/${tradepost.live.id}/v1/orders`
    const [one, list] = [await browser.get(`${path}/${order.id}`), await browser.get(path)]
    return [one.json.order.order_url, list.json.orders[0].order_url]
  }
  expect(await urlsAs(await signedIn(tradepost, 'viewer'))).toEqual([null, null])
  expect(await urlsAs(await signedIn(tradepost, 'staff'))).toEqual([
    order.order_url,
    order.order_url,
  ])
})

test('a viewer reads a mask instead of a delivered text', async () => {
  const body = { name: 'Service', price_cents: 500, type: 'service' }
  const { product } = (await tradepost.post('/products', body)).json
  const paid = await tradepost.post('/orders', {
    customer: { email: 'ada@example.com' },
    items: [{ product_id: product.id, quantity: 1 }],
    mark_paid: true,
  })
  const { id, items } = paid.json.order
  const text = 'The password of your server is rose.'
  const delivered = await tradepost.post(`/orders/${id}/deliveries`, {
    order_item_id: items[0].id,
    text,
  })
  expect(delivered.json.delivery).toMatchObject({ text })
  const viewer = await signedIn(tradepost, 'viewer')
  const orderAnswer = await viewer.get(`/stores/${tradepost.live.id}/v1/orders/${id}`)
  expect(orderAnswer.json.order.deliveries[0].text).toBe('••••')
  expect(orderAnswer.text).not.toContain('rose')
})
