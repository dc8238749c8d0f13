// Starts a store whose lists have 100,000 records each, and signs users in to its dashboard.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openFolder, ROOT } from '../lib/bench.mjs'
import { ANALYZE, manyProducts } from '../lib/many-products.mjs'
import { openPostgres } from '../lib/postgres.mjs'
import { call, startServer, unlimitedKey } from '../lib/server.mjs'
import { readSqlFile, splitStatements } from '../lib/sql-file.mjs'

export const RECORDS = 100_000
const KEYS_PER_CALL = 1_000
const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')

/** Starts the demo store on a new database. */
export async function openStore(atEnd) {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const tradepost = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  return { tradepost, databaseUrl, pid, headers, hash: headers['x-store-hash'] }
}

/** Creates the records of the live side, which takes about a minute. */
export async function createRecords({ tradepost, databaseUrl, headers, hash }) {
  const send = (...request) => call(tradepost.origin, headers, request)
  await send('POST', '/products', { name: 'First game', price_cents: 1_000 })
  const body = { url: 'http://127.0.0.1:59999/hook', events: ['affiliate.partner_applied'] }
  await send('POST', '/webhooks', body)
  await createLicenseKeys(tradepost)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select id from store where hash = $1', [hash])
    const store = rows[0].id
    const parameters = { store, orders: RECORDS, customers: RECORDS }
    const sales = splitStatements(await readSqlFile('year-of-sales', parameters))
    for (const statement of [...sales, ...deliveryStatements(store)]) await client.query(statement)
    await client.query(manyProducts(hash, RECORDS))
    await client.query(ANALYZE)
  } finally {
    await client.end()
  }
}

async function createLicenseKeys({ origin, ready }) {
  const { security_key } = ready.stores.find((side) => side.livemode)
  const send = async (path, body) => {
    const response = await fetch(`${origin}/security/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${security_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!answer.success) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const { app } = await send('/apps', { name: 'Bench' })
  for (let n = 0; n < RECORDS / KEYS_PER_CALL; n++) {
    await send('/keys', { app_id: app.id, count: KEYS_PER_CALL })
  }
}

/**
 * Returns statements that insert events and deliveries. The ledger would assign their numbers again, so no call may
 * record an event afterwards.
 */
const deliveryStatements = (store) => [
  `insert into event (store_id, no, tag, type, object_id, test, payload_enc, created_at)
   select ${store}, n, n, 'order.created', 'o', false, decode(repeat('ab', 200), 'hex'),
          now() - n * interval '1 s'
     from generate_series(1, ${RECORDS}) n
       on conflict do nothing`,
  `insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, attempted_at, status_code,
          duration_ms, created_at, updated_at)
   select event.store_id, event.no * 32, endpoint.id, 'succeeded', 1, now(), 200, 5, event.created_at, now()
     from event, webhook_endpoint endpoint
    where event.store_id = ${store} and endpoint.store_id = ${store}
       on conflict do nothing`,
  'vacuum analyze event',
  'vacuum analyze webhook_delivery',
]

/** Returns the cookie of a new session of the first owner, or of a new user with this address. */
export async function signIn({ tradepost, hash }, email) {
  const command = email
    ? ['users', 'create', '--email', email, '--store', hash]
    : ['dashboard', '--store', hash]
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...command, '--json'], {
    env: tradepost.env,
  })
  // The link contains the configured port, which is 0. The server listens on a free port.
  const { pathname, search } = new URL(JSON.parse(stdout).sign_in_url)
  const url = new URL(pathname + search, tradepost.origin)
  const response = await fetch(url, { redirect: 'manual' })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`The link of ${email ?? 'the owner'} answered ${response.status}.`)
  return cookie
}
