import { expect, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/store/payments/index.ts'
import { type Chance, chanceOf, SEED } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// Customers and sellers make random calls concurrently on the same few records.

const ACTORS = 12
const STEPS = 30
const ROUNDS_MAX = 5
/** The calls that must succeed at least once. */
const REQUIRED_CALLS = ['buy', 'pay', 'refund', 'cancel']

const database = sharedDatabase()

interface CatalogueProduct {
  id: string
  variants: number[]
  kind: 'counted' | 'keys' | 'physical' | 'licenses'
}

interface Catalogue {
  products: CatalogueProduct[]
  categories: number[]
  coupons: Json[]
  rateId: number
}

test('customers and sellers who make random calls concurrently cause no deadlock and break no invariant', async (context) => {
  const tradepost = await database.openStore(context)
  const catalogue = await createCatalogue(tradepost)
  const orders: Json[] = []
  const counts = new Map<string, number>()
  // A random round may contain no successful refund, for example.
  const isComplete = () => REQUIRED_CALLS.every((name) => counts.has(`${name}: 2xx`))
  for (let round = 0; round < ROUNDS_MAX && !isComplete(); round++) {
    const answers = await Promise.all(
      Array.from({ length: ACTORS }, (_, n) =>
        act({
          tradepost,
          catalogue,
          orders,
          random: chanceOf(`busy day, round ${round}, actor ${n}`),
        }),
      ),
    )
    for (const item of answers.flat()) counts.set(item, (counts.get(item) ?? 0) + 1)
  }
  // A busy machine refuses calls with 503, which have no effect (decision 132).
  const failed = [...counts.keys()].filter((item) => /: 5\d[^3]/.test(item))
  expect(failed, `SEED=${SEED}`).toEqual([])
  for (const name of REQUIRED_CALLS) {
    expect(counts.get(`${name}: 2xx`) ?? 0, `${name}, SEED=${SEED}`).toBeGreaterThan(0)
  }
  await database.expectNoFaults(`SEED=${SEED}`)
})

async function createCatalogue({ targets: [target] }: ServedStore): Promise<Catalogue> {
  const create = async (path: string, body: Json): Promise<Json> => {
    const { status, json } = await call(target, 'POST', path, { body })
    if (status !== 201) throw new Error(JSON.stringify(json))
    return json
  }
  const countedVariant = (name: string) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity: 6,
  })
  const createProduct = async (
    kind: CatalogueProduct['kind'],
    body: Json,
  ): Promise<CatalogueProduct> => {
    const { product, variants } = await create('/products', { name: kind, ...body })
    const ids = variants.map((item: Json) => item.id)
    if (kind === 'keys') {
      for (const id of ids) {
        const keys = Array.from({ length: 8 }, (_, n) => `${product.id}-${id}-${n}`)
        await create(`/products/${product.id}/variants/${id}/keys`, { keys })
      }
    }
    return { id: product.id, variants: ids, kind }
  }
  const variants = [countedVariant('a'), countedVariant('b'), countedVariant('c')]
  const zone = {
    name: 'Germany',
    countries: ['DE'],
    rates: [{ name: 'Post', calc_type: 'flat', price_cents: 500 }],
  }
  return {
    products: [
      await createProduct('counted', { type: 'service', variants }),
      await createProduct('keys', { type: 'serial', price_cents: 100 }),
      await createProduct('physical', { type: 'physical', variants }),
      await createProduct('counted', { type: 'service', variants }),
      await createProduct('licenses', { type: 'license', price_cents: 100 }),
    ],
    categories: [
      (await create('/categories', { name: 'x' })).category.id,
      (await create('/categories', { name: 'y' })).category.id,
    ],
    coupons: [
      (await create('/coupons', { code: 'ONE', type: 'percentage', discount_percent: 10 })).coupon,
      (await create('/coupons', { code: 'TWO', type: 'fixed', amount_cents: 5, max_uses: 20 }))
        .coupon,
    ],
    rateId: (await create('/shipping/zones', zone)).zone.rates[0].id,
  }
}

interface Actor {
  tradepost: ServedStore
  catalogue: Catalogue
  /** The orders of all actors. */
  orders: Json[]
  random: Chance
}

/** Makes random calls one after the other, and returns the answers. */
async function act({ tradepost, catalogue, orders, random }: Actor): Promise<string[]> {
  const pickRandom = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const pickSome = <T>(list: readonly T[]): T[] =>
    [...list].sort(() => random() - 0.5).slice(0, 1 + Math.floor(random() * list.length))
  const send = (method: string, path: string, body?: unknown) =>
    call(tradepost.targets[0], method, path, { body })
  // Most orders but the newest have ended.
  const pickOrder = () =>
    pickRandom(orders.slice(-6)) ?? { id: 'ord_0000000000000000000000', items: [] }
  const pickProduct = (kind: CatalogueProduct['kind']) =>
    pickRandom(catalogue.products.filter((product) => product.kind === kind))

  async function buy() {
    const items = pickSome(catalogue.products).map(({ id, variants }) => ({
      product_id: id,
      variant_id: pickRandom(variants),
      quantity: 1 + Math.floor(random() * 2),
    }))
    const reply = await send('POST', '/orders', {
      items,
      customer: { email: `customer${Math.floor(random() * 5)}@example.com` },
      ...(random() < 0.5 && { coupon_code: pickRandom(['ONE', 'TWO']) }),
      ...(random() < 0.4
        ? { mark_paid: true }
        : {
            shipping_rate_id: catalogue.rateId,
            shipping_address: { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' },
          }),
    })
    if (reply.status === 201) orders.push(reply.json.order)
    return reply
  }
  const keysPath = () => {
    const { id, variants } = pickProduct('keys')
    return `/products/${id}/variants/${pickRandom(variants)}/keys`
  }
  const calls: Record<string, () => Promise<{ status: number }>> = {
    buy,
    // More names make more of the random calls a purchase.
    'buy more': buy,
    'buy again': buy,
    pay: () => send('POST', `/orders/${pickOrder().id}/manual-payments`, {}),
    cancel: () => send('POST', `/orders/${pickOrder().id}/cancel`),
    refund: () =>
      send('POST', `/orders/${pickOrder().id}/refund`, {
        restock: random() < 0.5,
        to_balance: random() < 0.5,
      }),
    deliver: () => {
      const { id, items } = pickOrder()
      return send('POST', `/orders/${id}/deliveries`, {
        order_item_id: pickRandom(items as Json[])?.id ?? 1,
      })
    },
    ship: () => {
      const { id, items } = pickOrder()
      const lines = (items as Json[])
        .filter((item) => item.delivery_type === 'physical')
        .map((item) => ({ order_item_id: item.id, quantity: item.quantity }))
      return send('POST', `/orders/${id}/fulfillments`, { items: lines })
    },
    'other email': () =>
      send('PATCH', `/orders/${pickOrder().id}`, {
        customer_email: `customer${Math.floor(random() * 5)}@example.com`,
      }),
    'change product': () =>
      send('PATCH', `/products/${pickRandom(catalogue.products).id}`, {
        category_ids: pickSome(catalogue.categories),
        status: random() < 0.9 ? 'active' : 'draft',
      }),
    'change variant': () => {
      const { id, variants } = pickRandom(catalogue.products)
      return send('PATCH', `/products/${id}/variants/${pickRandom(variants)}`, {
        active: random() < 0.8,
      })
    },
    'fill category': () =>
      send('PUT', `/categories/${pickRandom(catalogue.categories)}/products`, {
        product_ids: pickSome(catalogue.products).map(({ id }) => id),
      }),
    restock: () => {
      const { id, variants } = pickProduct('counted')
      return send('PATCH', `/products/${id}/variants/${pickRandom(variants)}/stock`, { delta: 2 })
    },
    'add keys': () =>
      send('POST', keysPath(), {
        keys: [`${Math.floor(random() * 1e9)}`, `${Math.floor(random() * 1e9)}`],
      }),
    'remove keys': () => (random() < 0.3 ? send('DELETE', keysPath()) : send('GET', keysPath())),
    'change coupon': () =>
      send('PATCH', `/coupons/${pickRandom(catalogue.coupons).id}`, { active: random() < 0.9 }),
    duplicate: () => send('POST', `/products/${pickRandom(catalogue.products).id}/duplicate`),
    expire: () => expireOrdersJob.run(tradepost.app).then(() => ({ status: 200 })),
  }
  const names = Object.keys(calls)
  const answers: string[] = []
  for (let step = 0; step < STEPS; step++) {
    const name = pickRandom(names)
    const status = (await calls[name]?.())?.status ?? 0
    answers.push(`${name}: ${status < 300 ? '2xx' : status}`)
  }
  return answers
}
