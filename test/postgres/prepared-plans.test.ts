import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  openServedDatabase,
  type ServedDatabase,
  type ServedStore,
} from '../concurrency/open-served-database.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { keyStatements, orderStatements, parcelStatements } from './many-orders.ts'
import type { Unavailable } from './server.ts'

// Frequent calls plan no statement again, also in a store that has grown, and read only rows that they need (decisions
// 67 and 450).

/** With fewer, PostgreSQL would read whole tables, because they are small. */
const EARLIER_ORDERS = 20_000
/** A table of so few rows may be read whole. */
const SMALL_TABLE_MAX = 1_000
const WARM_UP_CALLS = 40
const MEASURED_CALLS = 10
/** Statements that write the process's own records in batches, or that read an expired entry of its caches. */
const OWN_STATEMENTS = /\b(api_call|api_key_use|api_key)\b|from "store" where "hash"/

let server: RealPostgres | Unavailable
let installation: ServedDatabase | undefined
let store: ServedStore
let url: string
let productId: string
let orderId: string
let customerCount = 0

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  installation = await openServedDatabase(server, { env: { TRADEPOST_DB_POOL: '2' } })
  url = installation.app.config.databaseUrl ?? ''
  await ask(url, 'create extension if not exists pg_stat_statements')
  store = await installation.openStore()
  await stockProducts()
  const largeStore = { store, productId }
  // Statements are prepared in a new store, whose tables are almost empty.
  store = await installation.openStore()
  await stockProducts()
  orderId = (await createOrder({ mark_paid: true })).id
  for (let n = 0; n < WARM_UP_CALLS; n++)
    for (const makeCall of Object.values(CALLS)) await makeCall()
  ;({ store, productId } = largeStore)
  const hash = '00'.repeat(32)
  const { storeId } = store
  for (const statement of [
    ...orderStatements(storeId, EARLIER_ORDERS),
    ...parcelStatements(storeId),
    ...keyStatements(storeId, EARLIER_ORDERS, hash),
  ])
    await ask(url, statement)
  orderId = (await createOrder({ mark_paid: true })).id
})
afterAll(() => installation?.close())
beforeEach((context) => {
  postgresOrSkip(context, server)
})

/** Creates 25 products, one of which has keys. */
async function stockProducts(): Promise<void> {
  const { product, variants } = await send('POST', '/products', { name: 'Key', price_cents: 500 })
  productId = product.id
  const keys = Array.from({ length: 1_000 }, (_, n) => `KEY-${n}`)
  await send('POST', `/products/${productId}/variants/${variants[0].id}/keys`, { keys })
  for (let n = 1; n < 25; n++) await send('POST', '/products', { name: 'Other', price_cents: 500 })
}

async function send(method: string, path: string, body?: Json): Promise<Json> {
  const { status, json } = await call(store.targets[0], method, path, { body })
  expect(status, JSON.stringify(json)).toBeLessThan(300)
  return json
}

/** Creates an order of one of a hundred customers. */
const createOrder = async (fields: Json = {}): Promise<Json> => {
  const email = `client-${customerCount++ % 100}@example.com`
  const items = [{ product_id: productId, quantity: 1 }]
  return (await send('POST', '/orders', { items, customer: { email }, ...fields })).order
}

const CALLS = {
  async 'an order created and paid in two calls'() {
    const { id } = await createOrder()
    const { order } = await send('POST', `/orders/${id}/manual-payments`, {})
    expect(order.status).toBe('completed')
  },
  async 'an order created and paid in one call'() {
    expect((await createOrder({ mark_paid: true })).status).toBe('completed')
  },
  'an order read': () => send('GET', `/orders/${orderId}`),
  'a product read': () => send('GET', `/products/${productId}`),
  'a list of 25 products': async () => {
    expect((await send('GET', '/products?limit=25')).products).toHaveLength(25)
  },
}

/** Returns the rows that all statements have read so far, by table. */
async function rowsReadByTable(): Promise<Map<string, number>> {
  // A session reports its counters at most once a second, unless it is told to. The last one used is used again.
  await sql`select pg_stat_force_next_flush()`.execute(store.app.db)
  const rows = (await ask(
    url,
    `select s.relname as name, (s.seq_tup_read + s.idx_tup_fetch)::int as rows
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where c.reltuples > ${SMALL_TABLE_MAX}`,
  )) as { name: string; rows: number }[]
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}

interface StatementCounts {
  query: string
  plans: number
  calls: number
}

/** Returns the statements since the last reset, except those of foreign keys, with the numbers of their plans. */
async function countsOfStatements(): Promise<StatementCounts[]> {
  const rows = (await ask(
    url,
    `select query, plans::int, calls::int from pg_stat_statements s
       join pg_database d on d.oid = s.dbid and d.datname = current_database()
      where query not like '%pg_stat%'`,
  )) as StatementCounts[]
  return rows.filter(({ query }) => !OWN_STATEMENTS.test(query))
}

/** The rows of a table that a call may read: its own records, and those that it locks or checks. */
const ROWS_MAX = 12

test.each(Object.entries(CALLS))(
  '%s plans no statement again, and reads only rows of its own records (decision 67)',
  async (_, makeCall) => {
    for (let n = 0; n < WARM_UP_CALLS; n++) await makeCall()
    // A process without workers does not analyze its tables.
    await ask(url, 'analyze')
    for (let n = 0; n < WARM_UP_CALLS; n++) await makeCall()
    const before = await rowsReadByTable()
    await ask(url, 'select pg_stat_statements_reset()')
    for (let n = 0; n < MEASURED_CALLS; n++) await makeCall()

    const statements = await countsOfStatements()
    const planned = statements.filter(({ plans }) => plans > 0)
    expect(planned).toEqual([])
    expect(statements.length).toBeGreaterThan(0)
    const after = await rowsReadByTable()
    const rowsOfCall = [...after]
      .map(([table, rows]) => [table, (rows - (before.get(table) ?? 0)) / MEASURED_CALLS] as const)
      .filter(([, rows]) => rows > ROWS_MAX)
    expect(rowsOfCall).toEqual([])
  },
)
