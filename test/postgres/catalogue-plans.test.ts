import { expect, test } from 'vitest'
import { ANALYZE, manyProducts } from '../../bench/lib/many-products.mjs'
import { keysNamed } from '../build.ts'
import { ask } from '../database.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { lookedAt, nodesOf, type Plan } from './plans.ts'

/** Lists of a store with 100,000 products cost what their page costs: the plans say so. */

const PRODUCTS = 100_000

const KEYS = '/products/1/variants/1/keys'
const ALERTS = '/products/1/stock-alerts'

/** A few rare products among the many, a category with most of them, and long lists of the rest. */
const GROUPINGS = `
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
  await ask(url, GROUPINGS)
  // The newest ones are shown, and are sealed as such.
  const keys = keysNamed('PLAN-ABCDEFGH', 60)
  await call(target, 'POST', KEYS, { body: { keys } })
  return [
    `${ANALYZE}, category, product_category, product_group, coupon, shipping_zone, stock_key, stock_alert`,
    `update stock_key set status = 'sold' where id % 2 = 0`,
  ]
})

/** Rows that were looked at, in all tables together. */
const looked = (nodes: Plan[]) =>
  nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce((sum, node) => sum + lookedAt(node), 0)

/** The answer of a list, its statements, and the nodes of their plans. */
async function look(path: string) {
  const { json, plans } = await tradepost.look(path)
  return { json, statements: plans.length, nodes: plans.flatMap(nodesOf) }
}

/** Tables that are as long as the catalogue is. */
const LONG = [
  ...['product', 'product_content', 'product_stock', 'variant', 'stock'],
  ...['product_category', 'coupon', 'stock_key', 'stock_alert'],
]
const scans = (nodes: Plan[]) =>
  nodes
    .filter(
      (node) => node['Node Type'] === 'Seq Scan' && LONG.includes(node['Relation Name'] ?? ''),
    )
    .map((node) => node['Relation Name'])

/** A page of 25 looks at each of its rows in a few tables, and passes by some that do not match. */
const FEW = 1_000
/** Lists without a stored count are counted up to 10,000, twice: in the product's table and in a joined one. */
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
])('%s finds %i at the cost of a page', async (path, total, most) => {
  const { json, statements, nodes } = await look(path)
  expect(json.pagination.total).toBe(total)
  expect(statements).toBeLessThanOrEqual(3)
  expect(scans(nodes)).toEqual([])
  expect(looked(nodes)).toBeLessThanOrEqual(most)
})

test('a list of products is one statement, and one more past its end', async () => {
  const { json, statements } = await look('/products?status=draft')
  expect([json.products.length, statements]).toEqual([25, 1])
  const past = await look(`/products?status=draft&offset=${DRAFTS}`)
  expect(past.json.pagination).toMatchObject({ total: DRAFTS, has_more: false })
  expect(past.statements).toBe(2)
})

test('a page far behind 10,000 that nothing counts knows whether another follows', async () => {
  const { json } = await look('/products?in_stock=true&offset=20000')
  expect(json.products).toHaveLength(25)
  expect(json.pagination).toMatchObject({ total: 20_026, has_more: true })
})

test.each(['backup server', 'SKU-4711', 'P-9999', 'ditor gam'])(
  'a search for "%s" among 100,000 asks the index',
  async (search) => {
    const { json, statements, nodes } = await look(`/products?search=${encodeURIComponent(search)}`)
    expect(json.pagination.total).toBeGreaterThan(0)
    for (const { name, slug, sku } of json.products) {
      expect([name, slug, sku].join('\n').toLowerCase()).toContain(search.toLowerCase())
    }
    expect(statements).toBeLessThanOrEqual(3)
    expect(nodes.map((node) => node['Index Name'])).toContain('product_grams_idx')
    expect(scans(nodes)).toEqual([])
  },
)

test('a search for a character that everybody has ends at the 10,000 that it counts', async () => {
  const { json, nodes } = await look('/products?search=p')
  expect(json.pagination).toMatchObject({ total: 10_000, has_more: true })
  expect(Math.max(...nodes.map(lookedAt))).toBeLessThanOrEqual(MANY)
})

test('no search finds records of another store, or with the letters in another order', async () => {
  const { targets } = await tradepost.openNext()
  const found = await call(targets[0], 'GET', '/products?search=backup')
  expect(found.json.pagination.total).toBe(0)
  const { json } = await look('/products?search=pukcab')
  expect(json.products).toEqual([])
})

test('one product among 100,000 is read by its index', async () => {
  const { json } = await look('/products?limit=1')
  const { nodes, statements } = await look(`/products/${json.products[0].id}`)
  expect(statements).toBe(1)
  expect(scans(nodes)).toEqual([])
})
