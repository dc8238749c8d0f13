import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { ANALYZE, manyProducts } from '../../bench/lib/many-products.mjs'
import { type Market, openMarket, type RealShop } from '../concurrency/open-market.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import type { Unavailable } from './server.ts'

/** Lists of a store with 100,000 products cost what their page costs: the plans say so. */

const PRODUCTS = 100_000

let server: RealPostgres | Unavailable
let market: Market | undefined
let shop: RealShop
const heard: { text: string; values: unknown[] }[] = []

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  market = await openMarket(server, { onConnect: listen })
  shop = await market.openShop()
  const url = market.app.config.databaseUrl ?? ''
  await ask(url, manyProducts(shop.doors[0].store, PRODUCTS))
  await ask(url, ANALYZE)
}, 300_000)
afterAll(async () => {
  await market?.close()
  await closePostgres(server)
})
beforeEach((context) => {
  postgresOrSkip(context as TestContext, server)
})

function listen(client: pg.PoolClient) {
  const query = client.query.bind(client) as (...args: any[]) => unknown
  client.query = ((statement: string | { text: string; values: unknown[] }, ...rest: unknown[]) => {
    if (typeof statement !== 'string') heard.push(statement)
    return query(statement, ...rest)
  }) as typeof client.query
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The answer of a list, its statements, and the nodes of their plans. */
async function look(path: string) {
  const [door] = shop.doors
  await call(door, 'GET', path)
  heard.length = 0
  const { status, json } = await call(door, 'GET', path)
  expect(status).toBe(200)
  const statements = [...heard]
  const nodes: Plan[] = []
  for (const { text, values } of statements) {
    const { rows } = await explain(text, values)
    nodes.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan))
  }
  return { json, statements: statements.length, nodes }
}

async function explain(text: string, values: unknown[]): Promise<Json> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: market?.app.config.databaseUrl })
  await client.connect()
  try {
    return await client.query(`explain (format json) ${text}`, values)
  } finally {
    await client.end()
  }
}

/** Tables that are as long as the catalogue is. */
const LONG = ['product', 'product_content', 'variant', 'stock']
const scans = (nodes: Plan[]) =>
  nodes
    .filter(
      (node) => node['Node Type'] === 'Seq Scan' && LONG.includes(node['Relation Name'] ?? ''),
    )
    .map((node) => node['Relation Name'])

test.each([
  '/products',
  '/products?include=details,seo,methods,media,variants',
  '/products?sort=name',
  '/products?sort=-price_cents&offset=200',
  '/products?status=active&visibility=public&active=true',
])('%s of 100,000 takes at most 3 statements, and scans no table', async (path) => {
  const { json, statements, nodes } = await look(path)
  expect(json.products).toHaveLength(25)
  expect(json.pagination.total).toBe(path.includes('status') ? PRODUCTS * 0.9 : PRODUCTS)
  expect(statements).toBeLessThanOrEqual(3)
  // To count who is active takes one look at each: there is no index that would be shorter.
  const counts = path.includes('status') ? ['product'] : []
  expect(scans(nodes).filter((name) => !counts.includes(name ?? ''))).toEqual([])
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

test('no search finds what is in another store, or has the letters in another order', async () => {
  const elsewhere = await market?.openShop()
  const found = await call(elsewhere?.doors[0] ?? shop.doors[0], 'GET', '/products?search=backup')
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
