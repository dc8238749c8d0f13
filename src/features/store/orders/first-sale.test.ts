import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('a paid order delivers the oldest keys, and emits an event', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('GAME-ABCDEFGH', 3) })
  await tradepost.events()
  const newOrder = await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 2 }],
  })
  expect(newOrder).toMatchObject({ status: 'pending', total_cents: 2000, number: 1 })
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])

  const { status, json } = await tradepost.post(`/orders/${newOrder.id}/manual-payments`, {})
  expect(status).toBe(201)
  expect(json.order).toMatchObject({
    status: 'completed',
    paid_cents: 2000,
    payment_method: 'manual',
    deliveries: [{ status: 'delivered', keys: ['GAME-ABCDEFGH-000001', 'GAME-ABCDEFGH-000002'] }],
  })
  expect(await tradepost.events()).toEqual(['order.completed'])

  const [payload] = await tradepost.payloads('order.completed')
  expect(payload).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
    object: 'event',
    type: 'order.completed',
    created: Math.floor(Date.parse(json.order.completed_at) / 1000),
    livemode: true,
    store: { id: tradepost.live.id, name: 'Here', slug: 'here' },
    data: {
      object: {
        object: 'order',
        id: newOrder.id,
        number: 1,
        status: 'completed',
        currency: 'EUR',
        total: 20,
        paid_amount: 20,
        refunded_amount: 0,
        customer: { email: 'ada@example.com', country: null },
        items: [
          {
            product_id: game.id,
            variant_id: game.variantId,
            name: 'Game',
            variant_name: 'Default',
            sku: null,
            bundle: null,
            quantity: 2,
            unit_price: 10,
            total: 20,
          },
        ],
        custom_fields: {},
        paid_at: json.order.paid_at,
        deliveries: [
          {
            order_item_id: newOrder.items[0].id,
            product_id: game.id,
            variant_id: game.variantId,
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

test('an order of many lines claims its keys in one statement, and runs as many statements as an order of one line', async () => {
  const variants = Array.from({ length: 20 }, (_, n) => ({ name: `Edition ${n}` }))
  const game = await product(tradepost, { variants })
  const ids: number[] = game.product.variants.map((variant: Json) => variant.id)
  for (const variantId of ids) {
    await addKeys(tradepost, { id: game.id, variantId }, keysNamed(`PASS-${variantId}`, 3))
  }
  const statementsOfSale = (variantIds: readonly number[]) =>
    tradepost.statements(async () => {
      const items = variantIds.map((variant_id) => ({
        product_id: game.id,
        variant_id,
        quantity: 1,
      }))
      const { deliveries } = await order(tradepost, game.id, { items, mark_paid: true })
      expect(deliveries).toHaveLength(variantIds.length)
    })
  const statementsOfOneLine = await statementsOfSale(ids.slice(0, 1))
  const statementsOfManyLines = await statementsOfSale(ids)
  expect(statementsOfManyLines.filter((text) => text.includes('update stock_key'))).toHaveLength(1)
  expect(statementsOfManyLines).toHaveLength(statementsOfOneLine.length)
})

test('a sale waits for the database once to show a product, 5 times to order and 7 to pay (decision 449)', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('WAIT-ABCDEFGH', 3) })
  await order(tradepost, game.id)
  let id = ''
  const waits = {
    show: await tradepost.packets(() => expectSuccess(tradepost.get(`/products/${game.id}`))),
    create: await tradepost.packets(async () => {
      id = (await order(tradepost, game.id)).id
    }),
    pay: await tradepost.packets(() =>
      expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, {})),
    ),
  }
  expect(waits).toEqual({ show: 1, create: 5, pay: 7 })
})

test('a sale runs at most 2 statements to show a product, 3 to list products, 12 to order and 14 to pay', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('COST-ABCDEFGH', 3) })
  const count = async (work: () => Promise<unknown>) => (await tradepost.statements(work)).length
  let id = ''
  const costs = {
    show: await count(() => expectSuccess(tradepost.get(`/products/${game.id}`))),
    list: await count(() => expectSuccess(tradepost.get('/products?limit=25'))),
    create: await count(async () => {
      id = (await order(tradepost, game.id)).id
    }),
    pay: await count(() => expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, {}))),
  }
  const limits = { show: 2, list: 3, create: 12, pay: 14 }
  for (const [name, max] of Object.entries(limits)) {
    expect(costs[name as keyof typeof costs], name).toBeGreaterThan(0)
    expect(costs[name as keyof typeof costs], name).toBeLessThanOrEqual(max)
  }
})
