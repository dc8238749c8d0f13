import { expect, test } from 'vitest'
import { ANALYZE, manyProducts } from '../../bench/lib/many-products.mjs'
import { keysNamed } from '../build.ts'
import { ask } from '../database.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { nodesOf, type Plan, rowsRead } from './plans.ts'

const PRODUCTS = 100_000

const KEYS = '/products/1/variants/1/keys'
const ALERTS = '/products/1/stock-alerts'

/** Creates a few rare products, a category with all products, and long lists of other records. */
const OTHER_RECORDS = `
  update product set status = 'archived' where id % 10000 = 1;
  update product set visibility = 'on_hold', active = false, type = 'license', product_kind = 'bundle'
   where id % 10000 = 2;
  delete from product_tally;
  insert into product_tally
  select store_id, status, visibility, active, type, product_kind, 0, count(*)
    from product group by 1, 2, 3, 4, 5, 6;
  insert into category (store_id, name, slug, visibility, position, product_count, created_at, updated_at)
  select s.id, 'C' || n, 'c-' || n, 'public', n, case when n = 1 then ${PRODUCTS} else 0 end, now(), now()
    from (select store_id as id from product limit 1) s, generate_series(1, 500) as n;
  insert into product_category (store_id, product_id, category_id)
  select p.store_id, p.id, c.id from product p join category c on c.store_id = p.store_id and c.slug = 'c-1';
  insert into product_group (store_id, name, slug, visibility, position, created_at, updated_at)
  select store_id, name, slug, visibility, position, created_at, updated_at from category;
  insert into coupon (store_id, code, type, amount_cents, product_ids, variant_ids, category_ids,
                      payment_methods, allowed_emails, applies_to_renewals, active, created_at, updated_at)
  select s.id, 'CODE-' || n, 'fixed', 100, '{}', '{}', '{}', '{}', '{}', false, n % 10 > 0,
         now() - n * interval '1 minute', now()
    from (select store_id as id from product limit 1) s, generate_series(1, ${PRODUCTS}) as n;
  insert into shipping_zone (store_id, name, countries, regions, active, position)
  select s.id, 'Z' || n, '{DE}', '{}', true, n
    from (select store_id as id from product limit 1) s, generate_series(1, 250) as n;
  insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at)
  select v.store_id, v.id, '', decode(md5(n::text), 'hex'), case when n % 2 = 0 then 'sold' else 'available' end, now()
    from (select store_id, id from variant where id = 1) v, generate_series(1, ${PRODUCTS}) as n;
  insert into stock_alert (store_id, product_id, email, status, created_at)
  select p.store_id, p.id, n || '@example.com', case when n > 50 then 'notified' else 'pending' end, now()
    from (select store_id, id from product where id = 1) p, generate_series(1, ${PRODUCTS}) as n`

const tradepost = bigStore(async ({ app, targets: [target] }) => {
  const url = app.config.databaseUrl ?? ''
  await ask(url, manyProducts(target.store, PRODUCTS))
  await ask(url, OTHER_RECORDS)
  // The list shows the newest keys, so these must be sealed.
  const keys = keysNamed('PLAN-ABCDEFGH', 60)
  expect((await call(target, 'POST', KEYS, { body: { keys } })).status).toBe(201)
  return [
    `${ANALYZE}, category, product_category, product_group, coupon, shipping_zone, stock_key, stock_alert`,
    `update stock_key set status = 'sold' where id % 2 = 0`,
  ]
})

/** Returns the number of rows that were read in all tables. */
const totalRowsRead = (nodes: Plan[]) =>
  nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce((sum, node) => sum + rowsRead(node), 0)

/** Reads a list. Returns the answer, the number of statements, and the nodes of their plans. */
async function measure(path: string) {
  const { json, plans } = await tradepost.explainList(path)
  return { json, statements: plans.length, nodes: plans.flatMap(nodesOf) }
}

/** The tables that have at least one row for each product. */
const LONG_TABLES = [
  ...['product', 'product_content', 'product_stock', 'variant', 'stock'],
  ...['product_category', 'coupon', 'stock_key', 'stock_alert'],
]
/** Returns the names of the long tables that were read completely. */
const sequentialScans = (nodes: Plan[]) =>
  nodes
    .filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' && LONG_TABLES.includes(node['Relation Name'] ?? ''),
    )
    .map((node) => node['Relation Name'])

/** The limit for a page of 25, which reads each of its rows in a few tables and skips rows that do not match. */
const FEW = 1_000
/** The limit for a list without a stored count, which counts up to 10,000 rows in two joined tables. */
const MANY = 45_000

const DRAFTS = PRODUCTS / 10

test.each<[string, number, number]>([
  ['/products', PRODUCTS, FEW],
  ['/products?include=details,seo,methods,media,variants', PRODUCTS, FEW],
  ['/products?sort=created_at', PRODUCTS, FEW],
  ['/products?sort=name', PRODUCTS, FEW],
  ['/products?sort=-price_cents&offset=200', PRODUCTS, FEW],
  ['/products?sort=sales_count', PRODUCTS, FEW],
  ['/products?sort=-sales_count', PRODUCTS, FEW],
  ['/products?status=archived', 10, FEW],
  ['/products?status=archived&sort=name', 10, FEW],
  ['/products?status=draft', DRAFTS, FEW],
  ['/products?status=draft,archived', DRAFTS + 10, FEW],
  ['/products?status=active&visibility=public&active=true', PRODUCTS - DRAFTS - 20, FEW],
  ['/products?visibility=on_hold', 10, FEW],
  ['/products?active=false&sort=-sales_count', 10, FEW],
  ['/products?type=license', 10, FEW],
  ['/products?product_kind=bundle', 10, FEW],
  ['/products?type=service', 0, FEW],
  ['/products?category_id=1', PRODUCTS, FEW],
  ['/products?category_id=2', 0, FEW],
  ['/products?group_id=1', 0, FEW],
  ['/products?in_stock=false', 0, FEW],
  ['/products?in_stock=true', 10_000, MANY],
  ['/products?in_stock=true&status=archived', 10, FEW],
  ['/products?created_from=2000-01-01T00:00:00Z', 10_000, MANY],
  ['/products?created_to=2000-01-01T00:00:00Z', 0, FEW],
  ['/categories', 500, 2_000],
  ['/groups', 500, 2_000],
  ['/shipping/zones', 250, 1_000],
  ['/coupons', 10_000, MANY],
  ['/coupons?active=false', 10_000, MANY],
  ['/coupons?type=percentage', 0, FEW],
  ['/coupons?code=code-77', 1, FEW],
  [KEYS, 10_000, MANY],
  [`${KEYS}?status=available`, 10_000, MANY],
  [`${KEYS}?status=sold&offset=5`, 10_000, MANY],
  [`${KEYS}?status=burned,revoked`, 0, FEW],
  [ALERTS, 10_000, MANY],
  [`${ALERTS}?status=notified`, 10_000, MANY],
  [`${ALERTS}?status=pending`, 50, FEW],
])('%s with the total %i reads at most %i rows', async (path, total, rowsMax) => {
  const { json, statements, nodes } = await measure(path)
  expect(json.pagination.total).toBe(total)
  expect(statements).toBeLessThanOrEqual(3)
  expect(sequentialScans(nodes)).toEqual([])
  expect(totalRowsRead(nodes)).toBeLessThanOrEqual(rowsMax)
})

test('the few pending sign-ups of a product are read by their index, even if no sample of the planner has one', async () => {
  for (let sample = 1; sample <= 3; sample++) {
    await tradepost.run('set default_statistics_target = 1; analyze stock_alert')
    const { json, nodes } = await measure(`${ALERTS}?status=pending`)
    expect(json.pagination.total).toBe(50)
    expect(totalRowsRead(nodes)).toBeLessThanOrEqual(FEW)
  }
  await tradepost.run('analyze stock_alert')
})

test('a list of products runs one statement, and two if its offset is beyond the end', async () => {
  const { json, statements } = await measure('/products?status=draft')
  expect([json.products.length, statements]).toEqual([25, 1])
  const beyondEnd = await measure(`/products?status=draft&offset=${DRAFTS}`)
  expect(beyondEnd.json.pagination).toMatchObject({ total: DRAFTS, has_more: false })
  expect(beyondEnd.statements).toBe(2)
})

test('a page after 20,000 products, which are counted only up to 10,000, has the correct has_more', async () => {
  const { json } = await measure('/products?in_stock=true&offset=20000')
  expect(json.products).toHaveLength(25)
  expect(json.pagination).toMatchObject({ total: 20_026, has_more: true })
})

test.each(['backup server', 'SKU-4711', 'P-9999', 'ditor gam'])(
  'a search for "%s" among 100,000 products uses the index',
  async (search) => {
    const { json, statements, nodes } = await measure(
      `/products?search=${encodeURIComponent(search)}`,
    )
    expect(json.pagination.total).toBeGreaterThan(0)
    for (const { name, slug, sku } of json.products) {
      expect([name, slug, sku].join('\n').toLowerCase()).toContain(search.toLowerCase())
    }
    expect(statements).toBeLessThanOrEqual(3)
    expect(nodes.map((node) => node['Index Name'])).toContain('product_grams_idx')
    expect(sequentialScans(nodes)).toEqual([])
  },
)

test('a search for a character of all product names counts up to 10,000', async () => {
  const { json, nodes } = await measure('/products?search=p')
  expect(json.pagination).toMatchObject({ total: 10_000, has_more: true })
  expect(Math.max(...nodes.map(rowsRead))).toBeLessThanOrEqual(MANY)
})

test('a search does not find products of another store, nor products with the letters in another sequence', async () => {
  const { targets } = await tradepost.openNext()
  const searchResult = await call(targets[0], 'GET', '/products?search=backup')
  expect(searchResult.json.pagination.total).toBe(0)
  const { json } = await measure('/products?search=pukcab')
  expect(json.products).toEqual([])
})

test('a product among 100,000 is read by its index, in one statement', async () => {
  const { json } = await measure('/products?limit=1')
  const { nodes, statements } = await measure(`/products/${json.products[0].id}`)
  expect(statements).toBe(1)
  expect(sequentialScans(nodes)).toEqual([])
})
