// Fills two stores of a database with records, by statements over whole sets.
import pg from 'pg'
import { manyProducts } from '../lib/many-products.mjs'
import { readSqlFile, splitStatements } from '../lib/sql-file.mjs'

/** The most products of a store. An order has one of them. */
const PRODUCTS_MAX = 10_000
/** The number of calls that the request log keeps of a store. */
const LOGGED_MAX = 100_000

/**
 * Fills the stores. A store has an id, a hash, a number of orders, and the ids of its client app and of its two webhook
 * endpoints. Indexes are created after the rows, which takes a fifth of the time.
 */
export async function fillStores(databaseUrl, stores) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const { hash, orders } of stores)
      await client.query(manyProducts(hash, productsOf(orders)))
    await client.query('analyze product, variant')
    // No foreign key is checked, and no trigger runs. Only a superuser may set this.
    await client.query("set session_replication_role = 'replica'")
    await client.query("set maintenance_work_mem = '512MB'")
    const indexes = await dropIndexes(client)
    for (const store of stores) store.endpoints = await readEndpoints(client, store)
    for (const [position, store] of stores.entries()) await fillStore(client, store, position)
    for (const { indexdef } of indexes) await client.query(indexdef)
    await client.query('reset session_replication_role')
    await client.query('vacuum analyze')
    for (const store of stores) store.ids = await readIds(client, store)
  } finally {
    await client.end()
  }
}

const productsOf = (orders) => Math.min(PRODUCTS_MAX, Math.max(10, orders / 100))

/** Drops all indexes that belong to no constraint, and returns their definitions. */
async function dropIndexes(client) {
  const { rows } = await client.query(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as indexdef
      from pg_index i
      join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace
       and c.relname not in ('product', 'variant', 'store', 'api_key')
       and not exists (select from pg_constraint where conindid = i.indexrelid)`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

async function fillStore(client, store, position) {
  const { orders } = store
  const { rows } = await client.query(
    `select min(id)::text as id from product where store_id = $1 and hash_id like 'z%'`,
    [store.id],
  )
  const parameters = {
    rare_endpoint: store.endpoints[1],
    endpoint: store.endpoints[0],
    store: store.id,
    base: `${position + 1}000000000::bigint`,
    products: productsOf(orders),
    product: rows[0].id,
    app: store.app,
    logged: Math.min(orders, LOGGED_MAX),
    requests: store.requests,
    orders,
    half: orders / 2,
    fifth: orders / 5,
    tenth: orders / 10,
    hundredth: orders / 100,
  }
  const script = await readSqlFile('records', parameters, import.meta.url)
  for (const statement of splitStatements(script)) {
    await client.query(statement)
  }
  // The functions name the store's numbers.
  await client.query(`drop function pg_temp.few, pg_temp.at, pg_temp.lately, pg_temp.order_id, pg_temp.email,
                                    pg_temp.customer_of, pg_temp.product_of`)
}

/** Returns the ids of records of the store that filters name. */
async function readIds(client, { id, webhooks }) {
  const readValue = async (column, from) =>
    (await client.query(`select ${column} as value from ${from}`, [id])).rows[0].value
  return {
    order: await readValue('id', '"order" where store_id = $1 order by number limit 1 offset 5'),
    customer: await readValue('min(id)', 'customer where store_id = $1'),
    product: await readValue('hash_id', "product where store_id = $1 and hash_id = 'z00000000002'"),
    rareProduct: 'z00000000001',
    variant: await readValue(
      'v.id',
      `variant v join product p on p.store_id = v.store_id and p.id = v.product_id
        where v.store_id = $1 and p.hash_id = 'z00000000002' and v.is_default`,
    ),
    partner: await readValue('min(id)', 'affiliate_partner where store_id = $1'),
    record: await readValue('min(id) + 4', 'subscription where store_id = $1'),
    key: await readValue('min(id) + 4', 'license_key where store_id = $1'),
    request: await readValue('min(request_id)', 'api_call where store_id = $1'),
    webhook: webhooks[0],
    rareWebhook: webhooks[1],
    event: 'evt_000000000027s63YJWp5Mg',
  }
}

async function readEndpoints(client, { webhooks }) {
  const { rows } = await client.query(
    'select id from webhook_endpoint where public_id = any($1) order by id',
    [webhooks],
  )
  return rows.map(({ id }) => id)
}
