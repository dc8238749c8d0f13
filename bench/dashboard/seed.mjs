// A started store whose lists have 100,000 records each, and sessions of the people who look at them.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openFolder, ROOT } from '../lib/bench.mjs'
import { ANALYZE, manyProducts } from '../lib/many-products.mjs'
import { openPostgres } from '../lib/postgres.mjs'
import { call, startServer, unlimitedKey } from '../lib/shop.mjs'

export const RECORDS = 100_000
const KEYS_A_CALL = 1_000
const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')

/** Starts the demo store on a new database. */
export async function openStore(later) {
  const { databaseUrl, pid } = await openPostgres(later)
  const tradepost = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  return { tradepost, databaseUrl, pid, headers, hash: headers['x-store-hash'] }
}

/** Gives the live side its records. Takes about a minute. */
export async function fill({ tradepost, databaseUrl, headers, hash }) {
  const send = (...request) => call(tradepost.origin, headers, request)
  await send('POST', '/products', { name: 'First game', price_cents: 1_000 })
  const body = { url: 'http://127.0.0.1:59999/hook', events: ['affiliate.partner_applied'] }
  await send('POST', '/webhooks', body)
  await mintKeys(tradepost)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select id from store where hash = $1', [hash])
    const sales = await readFile(join(ROOT, 'bench/lib/year-of-sales.sql'), 'utf8')
    const filled = sales
      .replaceAll(':store', rows[0].id)
      .replaceAll(':orders', RECORDS)
      .replaceAll(':customers', RECORDS)
    const statements = [...filled.split(';'), ...deliveries(rows[0].id)]
    for (const text of statements) if (text.trim() !== '') await client.query(text)
    await client.query(manyProducts(hash, RECORDS))
    await client.query(ANALYZE)
  } finally {
    await client.end()
  }
}

async function mintKeys({ origin, ready }) {
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
  for (let n = 0; n < RECORDS / KEYS_A_CALL; n++) {
    await send('/keys', { app_id: app.id, count: KEYS_A_CALL })
  }
}

/** They take the next numbers of the ledger, so this store cannot sell afterwards. */
const deliveries = (store) => [
  `insert into event (store_id, no, tag, type, object_id, test, payload_enc, created_at)
   select ${store}, n, n, 'order.created', 'o', false, decode(repeat('ab', 200), 'hex'),
          now() - n * interval '1 s'
     from generate_series(1, ${RECORDS}) n
       on conflict do nothing`,
  `insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, attempted_at, status_code,
          duration_ms, created_at, updated_at)
   select e.store_id, e.no * 32, w.id, 'succeeded', 1, now(), 200, 5, e.created_at, now()
     from event e, webhook_endpoint w
    where e.store_id = ${store} and w.store_id = ${store}
       on conflict do nothing`,
  'vacuum analyze event',
  'vacuum analyze webhook_delivery',
]

/** The cookie of a new session; the first owner's, or that of a person who is made for it. */
export async function signIn({ tradepost, hash }, email) {
  const command = email
    ? ['users', 'create', '--email', email, '--store', hash]
    : ['dashboard', '--store', hash]
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...command, '--json'], {
    env: tradepost.env,
  })
  // The command names the configured port; the server has taken a free one.
  const { pathname, search } = new URL(JSON.parse(stdout).sign_in_url)
  const url = new URL(pathname + search, tradepost.origin)
  const response = await fetch(url, { redirect: 'manual' })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`The link of ${email ?? 'the owner'} answered ${response.status}.`)
  return cookie
}
