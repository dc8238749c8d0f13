import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, type Target } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

const creatorFor =
  (target: Target) =>
  async (path: string, body: Json): Promise<Json> =>
    (await call(target, 'POST', path, { body })).json

const rotate = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
]

test('the list of products is sorted by their sales after concurrent purchases and changes', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const create = creatorFor(target)

  const variants = ['a', 'b', 'c'].map((name) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity: 3,
  }))
  const products: Json[] = []
  for (let n = 0; n < 4; n++) {
    products.push(await create('/products', { name: `P${n}`, type: 'service', variants }))
  }
  const categories: number[] = []
  for (const name of ['x', 'y', 'z']) {
    categories.push((await create('/categories', { name })).category.id)
  }

  const buy = (n: number) => {
    const items = rotate(products, n).map(({ product, variants: ownVariants }) => ({
      product_id: product.id,
      variant_id: ownVariants[n % 3].id,
      quantity: 1,
    }))
    const body = { items, customer: { email: `b${n}@example.com` }, mark_paid: n % 2 === 0 }
    return call(target, 'POST', '/orders', { body })
  }
  const change = (n: number) => {
    const { product, variants: ownVariants } = products[n % 4]
    const path = `/products/${product.id}`
    const changes = [
      () =>
        call(target, 'PATCH', `${path}/variants/${ownVariants[n % 3].id}`, {
          body: { active: n % 2 > 0 },
        }),
      () =>
        call(target, 'PATCH', path, {
          body: {
            category_ids: rotate(categories, n).slice(0, 2),
            status: n % 8 ? 'active' : 'draft',
          },
        }),
      () =>
        call(target, 'PUT', `/categories/${categories[n % 3]}/products`, {
          body: {
            product_ids: rotate(products, n)
              .slice(0, 3)
              .map((item) => item.product.id),
          },
        }),
      () =>
        call(target, 'PATCH', `${path}/variants/${ownVariants[n % 3].id}/stock`, {
          body: { delta: 1 },
        }),
      () => call(target, 'POST', `${path}/duplicate`),
    ]
    return changes[n % 5]?.()
  }
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? buy(n / 2) : change((n - 1) / 2))),
  )
  for (const reply of replies) expect([200, 201, 409, 422, 503]).toContain(reply?.status)
  expect(replies.filter((reply) => reply?.status === 201).length).toBeGreaterThan(5)

  await database.expectNoFaults()

  const { json } = await call(target, 'GET', '/products?sort=-sales_count&limit=100')
  const salesCounts = json.products.map((item: Json) => item.sales_count)
  expect(salesCounts).toEqual([...salesCounts].sort((left, right) => right - left))
  expect(salesCounts[0]).toBeGreaterThan(0)
})

test('payments of one variant and orders of the last unit of other variants of the product do not deadlock', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const countedVariant = (name: string, stock_quantity: number) => ({
    name,
    price_cents: 100,
    stock_mode: 'manual',
    stock_quantity,
  })
  const body = {
    name: 'Shirt',
    type: 'service',
    variants: [
      countedVariant('plenty', 100),
      ...'abcdefghijklmnopqrst'.split('').map((name) => countedVariant(name, 1)),
    ],
  }
  const { product, variants } = (await call(target, 'POST', '/products', { body })).json
  const [variantOfMany, ...variantsOfOne] = variants
  const buy = (variant: Json, mark_paid: boolean) =>
    call(target, 'POST', '/orders', {
      body: {
        items: [{ product_id: product.id, variant_id: variant.id, quantity: 1 }],
        customer: { email: `v${variant.id}@example.com` },
        mark_paid,
      },
    })
  const replies = await Promise.all(
    variantsOfOne.flatMap((variant: Json) => [buy(variant, false), buy(variantOfMany, true)]),
  )
  for (const { status } of replies) expect(status).toBe(201)
  await database.expectNoFaults()
})

test('a category does not count products that are deleted while they are added to it', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const create = creatorFor(target)
  const { category } = await create('/categories', { name: 'x' })
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { product } = await create('/products', { name: `P${n}`, price_cents: 1 })
        return product.id as string
      }),
    )
    const deletedIds = ids.filter((_, n) => n % 2 > 0)
    const put = () =>
      call(target, 'PUT', `/categories/${category.id}/products`, { body: { product_ids: ids } })
    await Promise.all([
      put(),
      ...deletedIds.map((id) => call(target, 'DELETE', `/products/${id}`)),
      put(),
    ])
  }
  await database.expectNoFaults()
})

test('products that are concurrently moved between categories are counted in their new category', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const create = creatorFor(target)
  const { db } = tradepost.app
  const categories: number[] = []
  for (const name of ['x', 'y', 'z']) {
    categories.push((await create('/categories', { name })).category.id)
  }
  const products: string[] = []
  for (let n = 0; n < 8; n++) {
    const body = { name: `P${n}`, price_cents: 1, category_ids: categories }
    products.push((await create('/products', body)).product.id)
  }
  // With this many rows PostgreSQL finds a category by its id, and reads the row again if it changed in between.
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
  await database.expectNoFaults()
})

test('a product is added to two categories while the categories are reordered, without a deadlock', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const create = creatorFor(target)
  const { category: first } = await create('/categories', { name: 'x' })
  const { category: second } = await create('/categories', { name: 'y' })
  const { product } = await create('/products', { name: 'P', price_cents: 1 })
  // The row of the first category is now stored after that of the second.
  await call(target, 'PATCH', `/categories/${first.id}`, { body: { name: 'changed' } })
  const release = await holdTransaction(
    tradepost.app,
    `select from category where id = ${first.id} for no key update`,
  )
  const category_ids = [first.id, second.id]
  const assignment = call(target, 'PATCH', `/products/${product.id}`, { body: { category_ids } })
  await untilWaiting(tradepost.app, 1)
  const ids = [second.id, first.id]
  const reordering = call(target, 'PUT', '/categories/order', { body: { ids } })
  await untilWaiting(tradepost.app, 2)
  await release()
  expect([(await assignment).status, (await reordering).status]).toEqual([200, 200])
  await database.expectNoFaults()
})
