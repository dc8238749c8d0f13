// The processor time of frequent calls, compared with another commit. Both versions run in turns on one machine, with
// one database server. Exits with 1 if a call costs over a tenth more than in the other version, in two measurements.
//
//   node bench/against.mjs [COMMIT]     by default the last tag, b522589 while there is none
//   node bench/against.mjs COMMIT --only=order,list
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { atMost, bench, median, openFolder, print, printTable, quantile } from './lib/bench.mjs'
import { lastRelease, openCheckout } from './lib/checkout.mjs'
import { openConnection, runClosedLoop } from './lib/connection.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { openReceiver } from './lib/receiver.mjs'
import { CLIENTS } from './lib/sellers.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'
import { PRODUCT, stockProduct } from './lib/stock.mjs'

const ROUNDS = 5
const ROUND_MS = 1_500
const WARM_UP_MS = 4_000
/** The stock keys of a sale, which are more than it can sell. */
const KEYS = 20_000
const STOCKED_PRODUCTS = 20
const LISTED_PRODUCTS = 25
const CUSTOMERS = 800
const POLL_MS = 10
const BAR = 1.1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
})
const commit = positionals[0] ?? lastRelease()

/** Measures these calls and prints them. Returns those that miss the bar. */
async function compareAll(versions, names) {
  const results = []
  for (const name of names) results.push({ name, ...(await compare(versions, CALLS[name])) })
  printTable(
    ['call', 'ours: CPU ms', 'PostgreSQL', 'p99/p50', 'theirs: CPU ms', 'PostgreSQL', 'ratio', ''],
    results.map(({ name, ours, theirs, ratio, spread }) => [
      name,
      ...ours.map((value) => value.toFixed(3)),
      spread.toFixed(1),
      ...theirs.map((value) => value.toFixed(3)),
      ratio.toFixed(2),
      atMost(ratio, BAR),
    ]),
  )
  return results.filter(({ ratio }) => ratio > BAR).map(({ name }) => name)
}

/** Measures a call in both versions in turns. A ratio is the median of the ratios of the rounds. */
async function compare(versions, { prepare, makeCall }) {
  const names = Object.keys(versions)
  for (const version of Object.values(versions)) {
    version.prepared = await prepare(version)
    await measure(version, makeCall, WARM_UP_MS)
  }
  const rounds = []
  for (let n = 0; n < ROUNDS; n++) {
    const round = {}
    // The first version alternates, so that a machine that slows down favours neither.
    for (const name of n % 2 === 0 ? names : names.toReversed())
      round[name] = await measure(versions[name], makeCall, ROUND_MS)
    rounds.push(round)
  }
  const cpuIn = (name) => [0, 1].map((index) => median(rounds.map((it) => it[name].cpu[index])))
  const total = ({ cpu: [program, postgres] }) => program + postgres
  const times = rounds.flatMap(({ ours }) => ours.times)
  return {
    ours: cpuIn('ours'),
    theirs: cpuIn('theirs'),
    ratio: median(rounds.map(({ ours, theirs }) => total(ours) / total(theirs))),
    spread: quantile(times, 0.99) / median(times),
  }
}

/** Makes calls for this time. The processor time of a call includes what follows it, such as its webhooks. */
async function measure(version, makeCall, for_ms) {
  const { connections, pids, prepared } = version
  const before = pids.map(cpuOf)
  const { times } = await runClosedLoop({ connections, pids: [] }, for_ms, (connection) =>
    makeCall(version, connection),
  )
  await prepared.untilDone?.()
  return { times, cpu: pids.map((pid, index) => (cpuOf(pid) - before[index]) / times.length) }
}

async function openVersion(atEnd, { databaseUrl, pid }, root) {
  const settings = { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }
  const dataDir = openFolder(atEnd)
  const server = await startServer(atEnd, { dataDir, databaseUrl, settings, root })
  const { origin } = server
  const headers = await unlimitedKey(server)
  const opening = Array.from({ length: CLIENTS }, () => openConnection(origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) atEnd(connection.close)
  const send = (...request) => call(origin, headers, request)
  return { connections, headers, send, atEnd, pids: [server.child.pid, pid], calls: 0 }
}

/** Sends a request, and returns its answer. Throws unless the status is the expected one. */
async function answerOf({ headers }, connection, [method, path, body], expected = 200) {
  const request = connection.request(method, `/v1${path}`, headers, body)
  const { status, body: bytes } = await connection.send(request)
  if (status !== expected) throw new Error(`${method} ${path} answered ${status}: ${bytes}`)
  return bytes
}

async function prepareStock({ send }) {
  const ids = []
  for (let n = 0; n < STOCKED_PRODUCTS; n++)
    ids.push(await stockProduct(send, `Stock ${n}`, KEYS / STOCKED_PRODUCTS))
  return { ids }
}

/** Creates an order of one unit. Its customer is one of 800. */
async function createOrder(version, connection, fields = {}) {
  const n = version.calls++
  const { ids } = version.prepared
  const body = {
    items: [{ product_id: ids[n % ids.length], quantity: 1 }],
    customer: { email: `client-${n % CUSTOMERS}@example.com` },
    ...fields,
  }
  return JSON.parse(await answerOf(version, connection, ['POST', '/orders', body], 201)).order
}

function requireCompleted({ id, status }) {
  if (status !== 'completed') throw new Error(`The order ${id} is ${status}.`)
}

async function createAndPay(version, connection) {
  const { id } = await createOrder(version, connection)
  const path = `/orders/${id}/manual-payments`
  const answer = await answerOf(version, connection, ['POST', path, {}], 201)
  requireCompleted(JSON.parse(answer).order)
}

const readPrepared = (version, connection) =>
  answerOf(version, connection, ['GET', version.prepared.path])

/** Subscribes a receiver to new orders, and counts the webhooks that it receives. */
async function prepareWebhook(version) {
  const { ids } = await prepareStock(version)
  const receiver = await openReceiver(version.atEnd, 1)
  await version.send('POST', '/webhooks', { url: receiver.urls[0], events: ['order.created'] })
  await receiver.expect()
  const from = version.calls
  return {
    ids,
    async untilDone() {
      while ((await receiver.count()) < version.calls - from) await pause(POLL_MS)
    },
  }
}

/** The calls that are compared. `prepare` returns what `makeCall` needs, and `untilDone` if more follows a call. */
const CALLS = {
  order: { prepare: prepareStock, makeCall: createAndPay },
  'order-at-once': {
    prepare: prepareStock,
    makeCall: async (version, connection) =>
      requireCompleted(await createOrder(version, connection, { mark_paid: true })),
  },
  'order-read': {
    async prepare(version) {
      version.prepared = await prepareStock(version)
      const [connection] = version.connections
      const { id } = await createOrder(version, connection, { mark_paid: true })
      return { path: `/orders/${id}` }
    },
    makeCall: readPrepared,
  },
  'product-read': {
    prepare: async ({ send }) => {
      const { product } = await send('POST', '/products', { ...PRODUCT, sku: undefined })
      return { path: `/products/${product.id}` }
    },
    makeCall: readPrepared,
  },
  list: {
    async prepare({ send }) {
      for (let n = 0; n < LISTED_PRODUCTS; n++)
        await send('POST', '/products', { ...PRODUCT, sku: undefined })
      return { path: `/products?limit=${LISTED_PRODUCTS}` }
    },
    makeCall: readPrepared,
  },
  webhook: { prepare: prepareWebhook, makeCall: createOrder },
}

await bench(`Processor time of calls, compared with ${commit}`, async (atEnd) => {
  const names = values.only?.split(',') ?? Object.keys(CALLS)
  const unknownName = names.find((name) => !(name in CALLS))
  if (unknownName !== undefined)
    throw new Error(`There is no call ${unknownName}. There are ${Object.keys(CALLS).join(', ')}.`)
  const versions = {
    ours: await openVersion(atEnd, await openPostgres(atEnd)),
    theirs: await openVersion(atEnd, await openPostgres(atEnd), openCheckout(atEnd, commit)),
  }
  const slowNames = await compareAll(versions, names)
  if (slowNames.length === 0) return
  print(`Measured again, because of a ratio above ${BAR}: ${slowNames.join(', ')}.\n`)
  if ((await compareAll(versions, slowNames)).length > 0) process.exitCode = 1
})
