// Payments through a provider: orders that are paid by card against orders that are created paid, callbacks, a sweep, and
// other calls while the provider hangs.
//
//   node bench/payments.mjs
import { execFile, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atLeast, atMost, bench, median, openFolder, printTable, quantile } from './lib/bench.mjs'
import { openRequests } from './lib/child-requests.mjs'
import { endChild } from './lib/children.mjs'
import { openConnection, runAtRate, runClosedLoop } from './lib/connection.mjs'
import { openPostgres, query } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'
import { stockProduct } from './lib/stock.mjs'

const CLIENTS = 8
const KEYS = 8_000
const ROUNDS = 3
const ROUND_MS = 3_000
const WARM_UP_MS = 4_000
const CALLBACKS_A_SECOND = 200
const CALLBACKS_MS = 5_000
const OPEN_PAYMENTS = 100_000
const DUE_PAYMENTS = 50
const MAX_SWEEP_MS = 30_000
/** Time in which a question about a payment that is not due would arrive. */
const AFTER_SWEEP_MS = 2_000
const HANGING_CALLS = 50
/** Requests of one address, more than the 600 refused callbacks that it may send in a minute. */
const FORGED_OF_ONE = 700
const SECRET = 'whsec_OfTheBenchmark'
let eventCount = 0
const STRIPE = fileURLToPath(new URL('./lib/stripe-process.mjs', import.meta.url))

await bench('Payments through a provider', async (atEnd) => {
  const setup = await openSetup(atEnd)
  const rows = [
    ...(await comparePaths(setup)),
    ...(await receiveCallbacks(setup)),
    ...(await hang(setup)),
    await sweep(setup),
  ]
  printTable(['figure', 'value', 'bar', ''], rows)
})

async function openSetup(atEnd) {
  const child = fork(STRIPE)
  atEnd(() => endChild(child))
  const stripe = openRequests(child)
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const settings = {
    TRADEPOST_STRIPE_URL: await stripe('listen', {}),
    TRADEPOST_TRUSTED_PROXIES: '127.0.0.1',
  }
  const api = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl, settings })
  const headers = await unlimitedKey(api)
  const send = (...request) => call(api.origin, headers, request)
  const credentials = { secret_key: 'sk_live_OfTheBenchmark', webhook_secret: SECRET }
  await send('PUT', '/account/payment-providers/stripe', credentials)
  const product_id = await stockProduct(send, 'Stock', KEYS)
  const connections = await Promise.all(
    Array.from({ length: CLIENTS }, () => openConnection(api.origin)),
  )
  for (const connection of connections) atEnd(connection.close)
  const pids = [api.child.pid, pid]
  return { api, stripe, databaseUrl, headers, send, product_id, connections, pids }
}

/** Sends a request, and returns the JSON of its answer. */
async function post({ headers }, connection, path, body) {
  const request = connection.request('POST', `/v1${path}`, headers, body)
  const { status, body: bytes } = await connection.send(request)
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${bytes}`)
  return JSON.parse(bytes)
}

function newOrder({ product_id }, client) {
  const customer = { email: `client-${client}@example.com` }
  return { items: [{ product_id, quantity: 1 }], customer }
}

/** Returns the request of a callback about a session, signed by Stripe or by a forger. */
function callback(setup, connection, { session, secret = SECRET, address = '203.0.113.1' }) {
  const object = { id: session, object: 'checkout.session' }
  const event = { id: `evt_${++eventCount}`, type: 'checkout.session.completed', data: { object } }
  const text = JSON.stringify(event)
  const time = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
  const headers = {
    'stripe-signature': `t=${time},v1=${signature}`,
    'x-forwarded-for': address,
  }
  const path = `/callbacks/stripe/${setup.headers['x-store-hash']}`
  return connection.request('POST', path, headers, event)
}

async function payByCard(setup, connection, client) {
  const { order } = await post(setup, connection, '/orders', newOrder(setup, client))
  const path = `/orders/${order.id}/payments`
  const { payment } = await post(setup, connection, path, { method: 'card' })
  const session = payment.external_id
  const { status } = await connection.send(callback(setup, connection, { session }))
  if (status !== 200) throw new Error(`A callback got ${status}.`)
}

function payAtOnce(setup, connection, client) {
  return post(setup, connection, '/orders', { ...newOrder(setup, client), mark_paid: true })
}

/** Runs a loop until its callbacks are applied. Returns the orders a second, and their processor time. */
async function runOrders(setup, for_ms, makeOrder) {
  const before = setup.pids.map(cpuOf)
  const startedAt = performance.now()
  const { times } = await runClosedLoop(setup, for_ms, (connection, client) =>
    makeOrder(setup, connection, client),
  )
  // Calls of the API would be counted.
  while ((await countRows(setup, `payment_callback where status = 'received'`)) > 0) await pause(20)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = setup.pids.reduce((sum, pid, index) => sum + cpuOf(pid) - before[index], 0)
  return { perSecond: times.length / seconds, cpu_ms: cpu / times.length }
}

async function countRows({ databaseUrl }, rows) {
  const [{ count }] = await query(databaseUrl, `select count(*)::int as count from ${rows}`)
  return count
}

async function comparePaths(setup) {
  const cardRounds = []
  const paidRounds = []
  await runOrders(setup, WARM_UP_MS, payByCard)
  await runOrders(setup, WARM_UP_MS, payAtOnce)
  for (let round = 0; round < ROUNDS; round++) {
    cardRounds.push(await runOrders(setup, ROUND_MS, payByCard))
    paidRounds.push(await runOrders(setup, ROUND_MS, payAtOnce))
  }
  const rate = (rounds) => median(rounds.map(({ perSecond }) => perSecond))
  const cpu = (rounds) => median(rounds.map(({ cpu_ms }) => cpu_ms))
  const ratio = cpu(paidRounds) / cpu(cardRounds)
  const undelivered = await countRows(setup, `"order" where status <> 'completed'`)
  if (undelivered > 0) throw new Error(`${undelivered} orders were not paid and delivered.`)
  return [
    ['orders paid by card a second', rate(cardRounds).toFixed(0), '', ''],
    ['orders created paid a second', rate(paidRounds).toFixed(0), '', ''],
    [
      `orders paid by card for the CPU of one created paid (${cpu(cardRounds).toFixed(1)}, ${cpu(paidRounds).toFixed(1)} ms)`,
      ratio.toFixed(2),
      'at least 0.6',
      atLeast(ratio, 0.6),
    ],
  ]
}

async function receiveCallbacks(setup) {
  const makeCall = (fields) => async (connection) => {
    const { status } = await connection.send(callback(setup, connection, fields()))
    if (status !== 200 && status !== 400) throw new Error(`A callback got ${status}.`)
  }
  const signed = makeCall(() => ({ session: `cs_unknown_${eventCount}` }))
  const forged = makeCall(() => ({
    session: 'cs_unknown',
    secret: 'whsec_OfAForger',
    address: `10.${eventCount % 200}.${eventCount % 251}.${eventCount % 241}`,
  }))
  const steady = { perSecond: CALLBACKS_A_SECOND, for_ms: CALLBACKS_MS }
  const { times } = await runAtRate(setup, steady, signed)
  const { perSecond: signedRate } = await runClosedLoop(setup, ROUND_MS, signed)
  const { perSecond: forgedRate } = await runClosedLoop(setup, ROUND_MS, forged)
  const p99 = quantile(times, 0.99)
  const ratio = forgedRate / signedRate
  return [
    [
      `callback at ${CALLBACKS_A_SECOND} a second, p99 ms`,
      p99.toFixed(1),
      'at most 15',
      atMost(p99, 15),
    ],
    [
      `forged callbacks for each stored one (${forgedRate.toFixed(0)}, ${signedRate.toFixed(0)} a second)`,
      ratio.toFixed(1),
      'at least 5',
      atLeast(ratio, 5),
    ],
    await limitForged(setup),
  ]
}

/** Counts the refusals without a look at the body, of one address that sends too many forged callbacks. */
async function limitForged(setup) {
  const [connection] = setup.connections
  let limited = 0
  for (let n = 0; n < FORGED_OF_ONE; n++) {
    const fields = { session: 'cs_unknown', secret: 'whsec_OfAForger', address: '198.51.100.7' }
    const { status } = await connection.send(callback(setup, connection, fields))
    if (status === 429) limited++
  }
  const name = `429 for ${FORGED_OF_ONE} forged callbacks of one address`
  return [name, limited, 'at least 100', atLeast(limited, FORGED_OF_ONE - 600)]
}

/** Compares reads of a product with and without calls that wait for the provider. */
async function hang(setup) {
  const { stripe, headers, product_id, send, api } = setup
  const read = async (connection) => {
    const path = `/v1/products/${product_id}`
    const { status } = await connection.send(connection.request('GET', path, headers))
    if (status !== 200) throw new Error(`A read got ${status}.`)
  }
  const quiet = []
  const hanging = []
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await runClosedLoop(setup, ROUND_MS, read))
    const ids = []
    for (let n = 0; n < HANGING_CALLS; n++)
      ids.push((await send('POST', '/orders', newOrder(setup, n))).order.id)
    await stripe('hang', { isHanging: true })
    const starts = ids.map((id) =>
      call(api.origin, headers, ['POST', `/orders/${id}/payments`, { method: 'card' }]).catch(
        () => {},
      ),
    )
    await pause(500)
    hanging.push(await runClosedLoop(setup, ROUND_MS, read))
    await Promise.all(starts)
    await stripe('hang', { isHanging: false })
  }
  const rate = (rounds) => median(rounds.map(({ perSecond }) => perSecond))
  const lost = 100 * (1 - rate(hanging) / rate(quiet))
  const name = `reads a second lost while ${HANGING_CALLS} calls wait for the provider`
  return [[name, `${lost.toFixed(1)} %`, 'at most 5 %', atMost(lost, 5)]]
}

/** Sweeps a store with many open payments, of which few are due. */
async function sweep({ api, stripe, databaseUrl, headers, send, product_id }) {
  const { order } = await send('POST', '/orders', newOrder({ product_id }, 'sweep'))
  const { payment } = await send('POST', `/orders/${order.id}/payments`, { method: 'card' })
  await query(
    databaseUrl,
    `insert into payment overriding system value
     select (jsonb_populate_record(p, jsonb_build_object(
              'id', ${payment.id} + n, 'external_id', 'cs_open_' || n,
              'check_at', now() + case when n <= ${DUE_PAYMENTS} then interval '20 s' else interval '1 day' end))).*
       from payment p, generate_series(1, ${OPEN_PAYMENTS}) n
      where p.id = ${payment.id}`,
  )
  await query(databaseUrl, 'analyze payment')
  const args = [api.program, 'payments', 'sweep', '--store', headers['x-store-hash'], '--json']
  await pause(21_000)
  await promisify(execFile)(process.execPath, args, { env: api.env, maxBuffer: 2 ** 26 })
  const countQuestions = () => stripe('countOpenQuestions', {})
  // The job of the server may have claimed the due payments before the command.
  const deadline = performance.now() + MAX_SWEEP_MS
  while ((await countQuestions()) < DUE_PAYMENTS && performance.now() < deadline) await pause(100)
  await pause(AFTER_SWEEP_MS)
  const questions = await countQuestions()
  const name = `questions of a sweep over ${OPEN_PAYMENTS} open payments, ${DUE_PAYMENTS} due`
  const outcome = atMost(Math.abs(questions - DUE_PAYMENTS), 0)
  return [name, questions, `${DUE_PAYMENTS}`, outcome]
}
