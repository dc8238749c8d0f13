import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting, meanwhile } from './meanwhile.ts'

const raceStore = sharedRaceStore()

const turned = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
]

test('lists show the right sold and sellable products, whoever buys and whatever the seller changes meanwhile', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const make = async (path: string, body: Json) => (await call(target, 'POST', path, { body })).json

  const variants = ['a', 'b', 'c'].map((name) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity: 3,
  }))
  const products: Json[] = []
  for (let n = 0; n < 4; n++) {
    products.push(await make('/products', { name: `P${n}`, type: 'service', variants }))
  }
  const categories: number[] = []
  for (const name of ['x', 'y', 'z']) {
    categories.push((await make('/categories', { name })).category.id)
  }

  const buy = (n: number) => {
    const items = turned(products, n).map(({ product, variants: own }) => ({
      product_id: product.id,
      variant_id: own[n % 3].id,
      quantity: 1,
    }))
    const body = { items, customer: { email: `b${n}@example.com` }, mark_paid: n % 2 === 0 }
    return call(target, 'POST', '/orders', { body })
  }
  const change = (n: number) => {
    const { product, variants: own } = products[n % 4]
    const path = `/products/${product.id}`
    const changes = [
      () =>
        call(target, 'PATCH', `${path}/variants/${own[n % 3].id}`, { body: { active: n % 2 > 0 } }),
      () =>
        call(target, 'PATCH', path, {
          body: {
            category_ids: turned(categories, n).slice(0, 2),
            status: n % 8 ? 'active' : 'draft',
          },
        }),
      () =>
        call(target, 'PUT', `/categories/${categories[n % 3]}/products`, {
          body: {
            product_ids: turned(products, n)
              .slice(0, 3)
              .map((item) => item.product.id),
          },
        }),
      () =>
        call(target, 'PATCH', `${path}/variants/${own[n % 3].id}/stock`, { body: { delta: 1 } }),
      () => call(target, 'POST', `${path}/duplicate`),
    ]
    return changes[n % 5]?.()
  }
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? buy(n / 2) : change((n - 1) / 2))),
  )
  for (const reply of replies) expect([200, 201, 409, 422, 503]).toContain(reply?.status)
  expect(replies.filter((reply) => reply?.status === 201).length).toBeGreaterThan(5)

  await raceStore.expectSweepClean()

  const { json } = await call(target, 'GET', '/products?sort=-sales_count&limit=100')
  const sold = json.products.map((item: Json) => item.sales_count)
  expect(sold).toEqual([...sold].sort((a, b) => b - a))
  expect(sold[0]).toBeGreaterThan(0)
})

test('orders paid at once and orders that take the last unit of a sibling do not deadlock', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const stocked = (name: string, stock_quantity: number) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity,
  })
  const body = {
    name: 'Shirt',
    type: 'service',
    variants: [
      stocked('plenty', 100),
      ...'abcdefghijklmnopqrst'.split('').map((n) => stocked(n, 1)),
    ],
  }
  const { product, variants } = (await call(target, 'POST', '/products', { body })).json
  const [plenty, ...last] = variants
  const buy = (variant: Json, mark_paid: boolean) =>
    call(target, 'POST', '/orders', {
      body: {
        items: [{ product_id: product.id, variant_id: variant.id, quantity: 1 }],
        customer: { email: `v${variant.id}@example.com` },
        mark_paid,
      },
    })
  const replies = await Promise.all(
    last.flatMap((variant: Json) => [buy(variant, false), buy(plenty, true)]),
  )
  for (const { status } of replies) expect(status).toBe(201)
  await raceStore.expectSweepClean()
})

test('a category counts none of the products that are removed while they are put into it', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const make = async (path: string, body: Json) => (await call(target, 'POST', path, { body })).json
  const { category } = await make('/categories', { name: 'x' })
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { product } = await make('/products', { name: `P${n}`, price_cents: 1 })
        return product.id as string
      }),
    )
    const removed = ids.filter((_, n) => n % 2 > 0)
    const put = () =>
      call(target, 'PUT', `/categories/${category.id}/products`, { body: { product_ids: ids } })
    await Promise.all([
      put(),
      ...removed.map((id) => call(target, 'DELETE', `/products/${id}`)),
      put(),
    ])
  }
  await raceStore.expectSweepClean()
})

test('products that are moved between categories at once are all moved, and counted where they are', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const make = async (path: string, body: Json) => (await call(target, 'POST', path, { body })).json
  const { db } = tradepost.app
  const categories: number[] = []
  for (const name of ['x', 'y', 'z']) {
    categories.push((await make('/categories', { name })).category.id)
  }
  const products: string[] = []
  for (let n = 0; n < 8; n++) {
    const body = { name: `P${n}`, price_cents: 1, category_ids: categories }
    products.push((await make('/products', body)).product.id)
  }
  // So many that PostgreSQL looks for each by its id, and looks again for one that changed meanwhile.
  await sql`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select ${tradepost.storeId}, n, n, 'public', n, now(), now()
      from generate_series(1, 20000) as n`.execute(db)
  await sql`analyze category, product_category`.execute(db)
  for (let round = 0; round < 8; round++) {
    const replies = await Promise.all(
      products.map((id, n) =>
        call(target, 'PATCH', `/products/${id}`, {
          body: { category_ids: [categories[(round + n) % 3]] },
        }),
      ),
    )
    expect(replies.map((reply) => reply.status)).toEqual(products.map(() => 200))
  }
  await raceStore.expectSweepClean()
})

test('categories get a new order while products are listed in several, and neither waits in vain', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const make = async (path: string, body: Json) => (await call(target, 'POST', path, { body })).json
  const { category: first } = await make('/categories', { name: 'x' })
  const { category: second } = await make('/categories', { name: 'y' })
  const { product } = await make('/products', { name: 'P', price_cents: 1 })
  // Its row now stands behind that of the second, too.
  await call(target, 'PATCH', `/categories/${first.id}`, { body: { name: 'changed' } })
  const letGo = await meanwhile(
    tradepost.app,
    `select from category where id = ${first.id} for no key update`,
  )
  const category_ids = [first.id, second.id]
  const listed = call(target, 'PATCH', `/products/${product.id}`, { body: { category_ids } })
  await areWaiting(tradepost.app, 1)
  const ids = [second.id, first.id]
  const ordered = call(target, 'PUT', '/categories/order', { body: { ids } })
  await areWaiting(tradepost.app, 2)
  await letGo()
  expect([(await listed).status, (await ordered).status]).toEqual([200, 200])
  await raceStore.expectSweepClean()
})
