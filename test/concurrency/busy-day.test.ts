import { expect, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/store/orders/index.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { randomBy } from './random.ts'

/** All calls at once, on the same few records in any order: no deadlock occurs. */

const ACTORS = 12
const STEPS = 30
const ROUNDS_MAX = 5
const DEEDS = ['buy', 'pay', 'refund', 'cancel']

const raceStore = sharedRaceStore()

interface Goods {
  id: string
  variants: number[]
  sort: 'counted' | 'keys' | 'things' | 'licenses'
}

interface Grouping {
  goods: Goods[]
  categories: number[]
  coupons: Json[]
  rate: number
}

test('customers and sellers who make all calls at once cause no deadlock, and every invariant holds', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const grouping = await fill(tradepost)
  const seed = Math.floor(Math.random() * 2 ** 31)
  const orders: Json[] = []
  const counts = new Map<string, number>()
  // In one round chance may leave a deed out, such as a refund that is not refused.
  const isWhole = () => DEEDS.every((deed) => counts.has(`${deed}: 2xx`))
  for (let round = 0; round < ROUNDS_MAX && !isWhole(); round++) {
    const answers = await Promise.all(
      Array.from({ length: ACTORS }, (_, n) =>
        act({ tradepost, grouping, orders, seed: seed + round * ACTORS + n }),
      ),
    )
    for (const item of answers.flat()) counts.set(item, (counts.get(item) ?? 0) + 1)
  }
  const failed = [...counts.keys()].filter((item) => /: 5\d\d/.test(item))
  expect(failed, `seed ${seed}`).toEqual([])
  for (const deed of DEEDS) {
    expect(counts.get(`${deed}: 2xx`) ?? 0, `${deed}, seed ${seed}`).toBeGreaterThan(0)
  }
  await raceStore.expectSweepClean(`seed ${seed}`)
})

async function fill({ targets: [target] }: RealServer): Promise<Grouping> {
  const make = async (path: string, body: Json): Promise<Json> => {
    const { status, json } = await call(target, 'POST', path, { body })
    if (status !== 201) throw new Error(JSON.stringify(json))
    return json
  }
  const counted = (name: string) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity: 6,
  })
  const goodsOf = async (sort: Goods['sort'], body: Json): Promise<Goods> => {
    const { product, variants } = await make('/products', { name: sort, ...body })
    const ids = variants.map((item: Json) => item.id)
    if (sort === 'keys') {
      for (const id of ids) {
        const keys = Array.from({ length: 8 }, (_, n) => `${product.id}-${id}-${n}`)
        await make(`/products/${product.id}/variants/${id}/keys`, { keys })
      }
    }
    return { id: product.id, variants: ids, sort }
  }
  const variants = [counted('a'), counted('b'), counted('c')]
  const zone = {
    name: 'Germany',
    countries: ['DE'],
    rates: [{ name: 'Post', calc_type: 'flat', price_cents: 500 }],
  }
  return {
    goods: [
      await goodsOf('counted', { type: 'service', variants }),
      await goodsOf('keys', { type: 'serial', price_cents: 100 }),
      await goodsOf('things', { type: 'physical', variants }),
      await goodsOf('counted', { type: 'service', variants }),
      await goodsOf('licenses', { type: 'license', price_cents: 100 }),
    ],
    categories: [
      (await make('/categories', { name: 'x' })).category.id,
      (await make('/categories', { name: 'y' })).category.id,
    ],
    coupons: [
      (await make('/coupons', { code: 'ONE', type: 'percentage', discount_percent: 10 })).coupon,
      (await make('/coupons', { code: 'TWO', type: 'fixed', amount_cents: 5, max_uses: 20 }))
        .coupon,
    ],
    rate: (await make('/shipping/zones', zone)).zone.rates[0].id,
  }
}

interface Actor {
  tradepost: RealServer
  grouping: Grouping
  /** Those of all actors. */
  orders: Json[]
  seed: number
}

/** Makes one call after the other, chosen by chance, and returns the answers. */
async function act({ tradepost, grouping, orders, seed }: Actor): Promise<string[]> {
  const random = randomBy(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const some = <T>(list: readonly T[]): T[] =>
    [...list].sort(() => random() - 0.5).slice(0, 1 + Math.floor(random() * list.length))
  const send = (method: string, path: string, body?: unknown) =>
    call(tradepost.targets[0], method, path, { body })
  // The newest: most of the others are over.
  const made = () => one(orders.slice(-6)) ?? { id: 'ord_0000000000000000000000', items: [] }
  const ofSort = (sort: Goods['sort']) => one(grouping.goods.filter((goods) => goods.sort === sort))

  async function buy() {
    const items = some(grouping.goods).map(({ id, variants }) => ({
      product_id: id,
      variant_id: one(variants),
      quantity: 1 + Math.floor(random() * 2),
    }))
    const reply = await send('POST', '/orders', {
      items,
      customer: { email: `customer${Math.floor(random() * 5)}@example.com` },
      ...(random() < 0.5 && { coupon_code: one(['ONE', 'TWO']) }),
      ...(random() < 0.4
        ? { mark_paid: true }
        : {
            shipping_rate_id: grouping.rate,
            shipping_address: { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' },
          }),
    })
    if (reply.status === 201) orders.push(reply.json.order)
    return reply
  }
  const keysPath = () => {
    const { id, variants } = ofSort('keys')
    return `/products/${id}/variants/${one(variants)}/keys`
  }
  const deeds: Record<string, () => Promise<{ status: number }>> = {
    buy,
    'buy more': buy,
    'buy again': buy,
    pay: () => send('POST', `/orders/${made().id}/manual-payments`, {}),
    cancel: () => send('POST', `/orders/${made().id}/cancel`),
    refund: () =>
      send('POST', `/orders/${made().id}/refund`, {
        restock: random() < 0.5,
        to_balance: random() < 0.5,
      }),
    'hand over': () => {
      const { id, items } = made()
      return send('POST', `/orders/${id}/deliveries`, {
        order_item_id: one(items as Json[])?.id ?? 1,
      })
    },
    ship: () => {
      const { id, items } = made()
      const lines = (items as Json[])
        .filter((item) => item.delivery_type === 'physical')
        .map((item) => ({ order_item_id: item.id, quantity: item.quantity }))
      return send('POST', `/orders/${id}/fulfillments`, { items: lines })
    },
    'other email': () =>
      send('PATCH', `/orders/${made().id}`, {
        customer_email: `customer${Math.floor(random() * 5)}@example.com`,
      }),
    'change product': () =>
      send('PATCH', `/products/${one(grouping.goods).id}`, {
        category_ids: some(grouping.categories),
        status: random() < 0.9 ? 'active' : 'draft',
      }),
    'change variant': () => {
      const { id, variants } = one(grouping.goods)
      return send('PATCH', `/products/${id}/variants/${one(variants)}`, { active: random() < 0.8 })
    },
    'fill category': () =>
      send('PUT', `/categories/${one(grouping.categories)}/products`, {
        product_ids: some(grouping.goods).map(({ id }) => id),
      }),
    restock: () => {
      const { id, variants } = ofSort('counted')
      return send('PATCH', `/products/${id}/variants/${one(variants)}/stock`, { delta: 2 })
    },
    'add keys': () =>
      send('POST', keysPath(), {
        keys: [`${Math.floor(random() * 1e9)}`, `${Math.floor(random() * 1e9)}`],
      }),
    'remove keys': () => (random() < 0.3 ? send('DELETE', keysPath()) : send('GET', keysPath())),
    'change coupon': () =>
      send('PATCH', `/coupons/${one(grouping.coupons).id}`, { active: random() < 0.9 }),
    duplicate: () => send('POST', `/products/${one(grouping.goods).id}/duplicate`),
    expire: () => expireOrdersJob.run(tradepost.app).then(() => ({ status: 200 })),
  }
  const names = Object.keys(deeds)
  const answers: string[] = []
  for (let step = 0; step < STEPS; step++) {
    const name = one(names)
    const status = (await deeds[name]?.())?.status ?? 0
    answers.push(`${name}: ${status < 300 ? '2xx' : status}`)
  }
  return answers
}
