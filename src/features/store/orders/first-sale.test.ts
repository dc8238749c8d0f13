import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('a paid order hands over the oldest keys, and emits an event', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('GAME-ABCDEFGH', 3) })
  await tradepost.events()
  const made = await order(tradepost, game.id, { items: [{ product_id: game.id, quantity: 2 }] })
  expect(made).toMatchObject({ status: 'pending', total_cents: 2000, number: 1 })
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])

  const { status, json } = await tradepost.post(`/orders/${made.id}/manual-payments`, {})
  expect(status).toBe(201)
  expect(json.order).toMatchObject({
    status: 'completed',
    paid_cents: 2000,
    payment_method: 'manual',
    deliveries: [{ status: 'delivered', keys: ['GAME-ABCDEFGH-000001', 'GAME-ABCDEFGH-000002'] }],
  })
  expect(await tradepost.events()).toEqual(['order.completed'])

  const [emitted] = await tradepost.payloads('order.completed')
  expect(emitted).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
    object: 'event',
    type: 'order.completed',
    created: Math.floor(Date.parse(json.order.completed_at) / 1000),
    livemode: true,
    store: { id: tradepost.live.id, name: 'Here', slug: 'here' },
    data: {
      object: {
        object: 'order',
        id: made.id,
        number: 1,
        status: 'completed',
        currency: 'EUR',
        total: 20,
        paid_amount: 20,
        refunded_amount: 0,
        customer: { email: 'ada@example.com', country: null },
        items: [{ product_id: game.id, name: 'Game', quantity: 2, unit_price: 10, total: 20 }],
        paid_at: json.order.paid_at,
        deliveries: [
          {
            product_id: game.id,
            type: 'serial',
            keys: ['GAME-ABCDEFGH-000001', 'GAME-ABCDEFGH-000002'],
            keys_count: 2,
            files: [],
            text: null,
          },
        ],
      },
    },
  })
})

test('keys for many lines are claimed in one pass', async () => {
  const names = Array.from({ length: 20 }, (_, n) => ({ name: `Edition ${n}` }))
  const game = await product(tradepost, { variants: names })
  const ids: number[] = game.product.variants.map((variant: Json) => variant.id)
  for (const variantId of ids) {
    await addKeys(tradepost, { id: game.id, variantId }, keysNamed(`PASS-${variantId}`, 3))
  }
  const sale = (variantIds: readonly number[]) =>
    tradepost.statements(async () => {
      const items = variantIds.map((variant_id) => ({
        product_id: game.id,
        variant_id,
        quantity: 1,
      }))
      const { deliveries } = await order(tradepost, game.id, { items, mark_paid: true })
      expect(deliveries).toHaveLength(variantIds.length)
    })
  const [one, many] = [await sale(ids.slice(0, 1)), await sale(ids)]
  expect(many.filter((text) => text.includes('update stock_key'))).toHaveLength(1)
  expect(many).toHaveLength(one.length)
})

test('a sale costs few statements', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('COST-ABCDEFGH', 3) })
  const count = async (work: () => Promise<unknown>) => (await tradepost.statements(work)).length
  let id = ''
  const costs = {
    one: await count(() => tradepost.get(`/products/${game.id}`)),
    list: await count(() => tradepost.get('/products?limit=25')),
    create: await count(async () => {
      id = (await order(tradepost, game.id)).id
    }),
    pay: await count(() => tradepost.post(`/orders/${id}/manual-payments`, {})),
  }
  const most = { one: 2, list: 3, create: 12, pay: 14 }
  for (const [name, max] of Object.entries(most)) {
    expect(costs[name as keyof typeof costs], name).toBeGreaterThan(0)
    expect(costs[name as keyof typeof costs], name).toBeLessThanOrEqual(max)
  }
})
