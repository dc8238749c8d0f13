// The cost of each list, search, filter, sort, figure and background job in stores of 10,000 to 1,000,000 orders.
//
//   node bench/growth.mjs                  10,000, 100,000 and 1,000,000 orders, about 15 minutes and 8 GB
//   node bench/growth.mjs --large          also 10,000,000 orders, about 3 hours and 80 GB
//   node bench/growth.mjs --to=100000      up to this number of orders
//
// `offset` is left out: a page at an offset reads the rows before it, and `cursor` does not.
import { callsOf, dashboardCalls, yearCalls } from './growth/calls.mjs'
import { fillStores } from './growth/fill.mjs'
import { openMeter } from './growth/meter.mjs'
import { bench, openFolder, print, printTable } from './lib/bench.mjs'
import { importBuilt, openInProcess } from './lib/in-process.mjs'
import { openPostgres, query } from './lib/postgres.mjs'

const SIZES = [10_000, 100_000, 1_000_000]
const LARGE = 10_000_000
/** The orders of the second store, at each size of the first. */
const SMALL_STORE = 1_000
/** The bar: the pages of the largest store, divided by those of the smallest one. */
const GROWTH_MAX = 1.3
const SETTINGS = `
shared_preload_libraries = 'pg_stat_statements'
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 1GB
shared_buffers = 1GB
autovacuum = off
`
/** An index of a hundred times the rows has one or two more levels, so a read of a single record may cost twice. */
const DEEPER_MAX = 2
/** The age of the oldest call in the request log. */
const LOGGED_MS = 5 * 86_400_000
const VERDICTS = ['met', 'bounded', 'deeper index', 'GROWS', 'failed']
const PARTS = ['large store', 'small store next to it', 'background jobs']

const limit = Number(process.argv.find((item) => item.startsWith('--to='))?.slice(5) ?? LARGE)
const sizes = process.argv.includes('--large') ? [...SIZES, LARGE] : SIZES

await bench('Pages that a call reads, in a growing store', async (atEnd) => {
  const results = []
  for (const size of sizes.filter((item) => item <= limit)) {
    const startedAt = performance.now()
    results.push({ size, figures: await measureSize(atEnd, size) })
    print(`${size} orders: ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
  print()
  for (const part of PARTS) printFigures(part, results)
})

/** Returns the figures of each part of the table, as lists of `{ name, pages, time_ms }`. */
async function measureSize(atEnd, size) {
  const { databaseUrl } = await openPostgres(atEnd, { addedSettings: SETTINGS })
  await query(databaseUrl, 'create extension pg_stat_statements')
  const setup = { dataDir: openFolder(atEnd), databaseUrl }
  const { app, origin } = await openInProcess(atEnd, setup, () => undefined)
  openUnsealed(app.vault)
  const stores = []
  for (const orders of [size, SMALL_STORE]) stores.push(await openStore({ app, origin }, orders))
  await fillStores(databaseUrl, stores)
  const meter = await openMeter(atEnd, databaseUrl)
  const documents = await readDocuments(origin)
  const figures = []
  for (const store of stores) figures.push(await measureStore(meter, documents, store))
  return [...figures, await measureJobs(meter, app)]
}

/** Lets the vault open the values of created records, which are one byte that was not sealed. */
function openUnsealed(vault) {
  const { open } = vault
  vault.open = (context, sealed) =>
    sealed.length === 1 ? Buffer.from('TEXT') : open(context, sealed)
}

/** Creates a store with an API key for each API, a user, a client app and two webhook endpoints. */
async function openStore({ app, origin }, orders) {
  const { createStore } = await importBuilt('features/installation/stores/index.js')
  const { createKey } = await importBuilt('features/installation/api-keys/index.js')
  const { addUser } = await importBuilt('features/installation/index.js')
  const { live } = await createStore(app, { name: 'Growth', currency: 'EUR', plan: 'self_hosted' })
  const keyOf = { account_id: live.account_id, livemode: true, rate_limit: 0 }
  const { key } = await createKey(app, keyOf)
  const security = await createKey(app, { ...keyOf, kind: 'security' })
  const user = { email: `owner-${live.id}@example.com`, name: 'Owner', role: 'owner' }
  const { sign_in_url } = await addUser(app, live, user)
  const { pathname, search } = new URL(sign_in_url)
  const signedIn = await fetch(origin + pathname + search, { redirect: 'manual' })
  const headers = {
    store: { 'x-api-key': key, 'x-store-hash': live.hash },
    security: { authorization: `Bearer ${security.key}`, 'x-store-hash': live.hash },
    dashboard: { cookie: signedIn.headers.get('set-cookie').split(';')[0], origin },
  }
  const prefixes = {
    store: `${origin}/v1`,
    security: `${origin}/security/v1`,
    dashboard: `${origin}/dashboard/api/stores/${live.hash}`,
  }
  const send = async (api, method, path, body) => {
    const response = await fetch(prefixes[api] + path, {
      method,
      headers: { ...headers[api], ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const answer = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
    return JSON.parse(answer)
  }
  await send('store', 'PATCH', '/affiliates/program', { enabled: true })
  const webhooks = []
  for (const type of ['order.created', 'order.refunded']) {
    const body = { url: 'https://receiver.example/hook', events: [type] }
    webhooks.push((await send('store', 'POST', '/webhooks', body)).webhook.id)
  }
  const client = await send('security', 'POST', '/apps', { name: 'Growth' })
  const { lowestId } = await importBuilt('kernel/ids.js')
  const requests = lowestId('req_', Date.now() - LOGGED_MS).slice(0, 14)
  return { requests, id: live.id, hash: live.hash, orders, send, webhooks, app: client.app.id }
}

async function readDocuments(origin) {
  const read = async (path) => (await fetch(origin + path)).json()
  return { store: await read('/openapi.json'), security: await read('/security/openapi.json') }
}

async function measureStore(meter, documents, store) {
  const calls = [
    ...callsOf(documents.store, store).map((item) => ({ api: 'store', ...item })),
    ...yearCalls().map((item) => ({ api: 'store', ...item })),
    ...callsOf(documents.security, store).map((item) => ({ api: 'security', ...item })),
    ...dashboardCalls(store).map((item) => ({ api: 'dashboard', ...item })),
  ]
  const figures = []
  for (const { api, name, path } of calls) {
    const figure = await meter.measure(() => store.send(api, 'GET', path))
    figures.push({ name: api === 'store' ? name : `${api} ${name}`, ...figure })
  }
  return figures
}

/** Measures each background job when no row is due, and the statement that reads the due times of all jobs. */
async function measureJobs(meter, app) {
  const { JOBS } = await importBuilt('process/jobs.js')
  const { selectTimeUntilDue } = await importBuilt('jobs/queries.js')
  const readDueTimes = () =>
    selectTimeUntilDue(
      app,
      JOBS.filter(({ due }) => due),
    )
  const figures = [{ name: 'due times of all jobs', ...(await meter.measure(readDueTimes)) }]
  for (const job of JOBS) {
    figures.push({ name: job.name, ...(await meter.measure(() => job.run(app))) })
  }
  return figures
}

function printFigures(part, results) {
  const position = PARTS.indexOf(part)
  const rows = results[0].figures[position].map(({ name }, index) => {
    const figures = results.map((result) => result.figures[position][index])
    const pages = figures.map((item) => item.pages)
    const times = figures.map((item) => item.time_ms.toFixed(1))
    const growth = pages.at(-1) / Math.max(pages[0], 1)
    return [name, pages.join(' '), times.join(' '), growth.toFixed(2), verdictOf(growth, pages)]
  })
  printTable([part, 'pages', 'ms', 'ratio', ''], rows)
  const counts = VERDICTS.map((verdict) => rows.filter((row) => row.at(-1) === verdict).length)
  print(`${VERDICTS.map((verdict, index) => `${verdict}: ${counts[index]}`).join(', ')}\n`)
}

/**
 * Returns the verdict of a call. Counts end at 10,000 records and the request log at 100,000 calls, so their cost ends to
 * grow; that of an index that is one level deeper grows by a page for each record that is read.
 */
function verdictOf(growth, pages) {
  if (Number.isNaN(growth)) return 'failed'
  if (growth <= GROWTH_MAX) return 'met'
  const [previous, last] = pages.slice(-2)
  if (pages.length > 2 && last <= previous * GROWTH_MAX) return 'bounded'
  return growth <= DEEPER_MAX ? 'deeper index' : 'GROWS'
}
