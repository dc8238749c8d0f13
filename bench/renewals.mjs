// Renewals of subscriptions with licenses that are due at the same time. Two workers pay them from the balances of
// the customers, and one worker is killed in the middle. Meanwhile buyers place orders in the same store.
//
//   node bench/renewals.mjs
import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { atLeast, bench, openFolder, print, printTable, quantile, ROOT } from './lib/bench.mjs'
import { endChild } from './lib/children.mjs'
import { openConnection, runAtRate } from './lib/connection.mjs'
import { openPostgres, query } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { call, diagnose, startServer, unlimitedKey } from './lib/server.mjs'
import { readSqlFile } from './lib/sql-file.mjs'
import { withApp } from './webhooks/bench-app.mjs'

const SUBSCRIPTIONS = 10_000
const BAR_PER_SECOND = 200
/** The longest time for all renewals, on a slow machine. */
const RENEWALS_MAX_MS = 600_000
/** How long orders are placed before the renewals: once for the warm-up, and once for the measurement. */
const QUIET_MS = 10_000
const POLL_MS = 200
const ORDERS_A_SECOND = 10
const BUYERS = 4
const KEYS_PER_CALL = 1_000
const PRICE_CENTS = 1_000

const importBuilt = (file) => import(join(ROOT, 'dist', file))

const TITLE = `${SUBSCRIPTIONS} renewals that are due at the same time, two workers, kill -9 of one`

await bench(TITLE, async (atEnd) => {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const settings = { TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64') }
  const start = (role) =>
    startServer(atEnd, {
      dataDir: openFolder(atEnd),
      databaseUrl,
      settings: { ...settings, TRADEPOST_ROLE: role },
    })
  const store = await withApp(
    { databaseUrl, settings, dataDir: openFolder(atEnd) },
    createDueSubscriptions,
  )
  const api = await start('api')
  const buyers = await openBuyers(atEnd, api, store)
  await placeOrders(buyers, QUIET_MS)
  const ordersBefore = await placeOrders(buyers, QUIET_MS)
  const setup = { databaseUrl, buyers, startWorker: () => start('worker'), postgresPid: pid, store }
  const result = await renewAll(atEnd, setup)
  printRenewals(result)
  printOrders(buyers.products, ordersBefore, result.orders)
  // The surviving worker adds up the sales of the last orders.
  await pause(3_000)
  const rows = await runFile(databaseUrl, 'renewed-once', store.id)
  printTable(['kind of record', 'missed', 'once', 'doubled'], rows.map(Object.values))
  const { ok, findings } = await diagnose(api)
  const faults = findings.filter((finding) => !finding.ok)
  print(`doctor: ${ok ? 'no faults' : JSON.stringify(faults)}`)
  if (!ok || rows.some(({ once }) => once !== SUBSCRIPTIONS))
    throw new Error('A renewal is missing or doubled, or the doctor found a fault.')
})

function printRenewals({ renewed, figures, rate }) {
  printTable(
    [
      'due',
      'renewed',
      'seconds',
      'renewals/s',
      'until the kill',
      'after it',
      'CPU ms: ours',
      'PostgreSQL',
      'bar',
      '',
    ],
    [
      [
        SUBSCRIPTIONS,
        renewed,
        ...figures,
        `at least ${BAR_PER_SECOND}`,
        atLeast(rate, BAR_PER_SECOND),
      ],
    ],
  )
}

/** Prints the times of the orders of buyers, before and during the renewals. */
function printOrders(products, ordersBefore, ordersMeanwhile) {
  const figuresOf = ({ times, refused }) => [
    ...[0.5, 0.99].map((share) => quantile(times, share).toFixed(1)),
    `${refused} of ${times.length}`,
  ]
  printTable(
    [
      'orders of buyers',
      'before: p50 ms',
      'p99 ms',
      'refused',
      'meanwhile: p50 ms',
      'p99 ms',
      'refused',
    ],
    products.map(({ name }) => [
      name,
      ...figuresOf(ordersBefore.get(name)),
      ...figuresOf(ordersMeanwhile.get(name)),
    ]),
  )
}

/** Creates a store with due subscriptions: one that was bought, and copies of it. */
async function createDueSubscriptions(app) {
  const { storeContextOf } = await importBuilt('app.js')
  const { createStore } = await importBuilt('features/installation/stores/index.js')
  const { NOBODY } = await importBuilt('features/installation/index.js')
  const { createKeys } = await importBuilt('features/licensing/keys/create-keys.js')
  const { NewLicenseKeys } = await importBuilt('features/licensing/keys/schema.js')
  const { foldSalesJob, foldWalletsJob } = await importBuilt('features/store/index.js')
  const { createProduct } = await importBuilt('features/store/products/index.js')
  const { NewProduct } = await importBuilt('features/store/products/schema.js')
  const { setBilling } = await importBuilt('features/store/billing/set-billing.js')
  const { NewBilling } = await importBuilt('features/store/billing/schema.js')
  const { createOrder } = await importBuilt('features/store/orders/create-order.js')
  const { NewOrder } = await importBuilt('features/store/orders/schema.js')

  const fields = { name: 'Renewals', currency: 'EUR', plan: 'self_hosted' }
  const { live: store } = await createStore(app, fields)
  const context = storeContextOf(app, store)
  const kind = { type: 'license', product_kind: 'subscription' }
  const newProduct = NewProduct.parse({ name: 'Plan', price_cents: PRICE_CENTS, ...kind })
  const { product: plan } = await createProduct(context, newProduct)
  await setBilling(context, plan.id, NewBilling.parse({ billing_cycle: 'weekly' }))
  const items = [{ product_id: plan.id, quantity: 1 }]
  const customer = { email: 'first@example.com' }
  const body = { items, customer, payment_method: 'balance', mark_paid: true }
  await createOrder(context, NewOrder.parse(body))
  // The copies get these license keys. The first subscription has its own.
  for (let licenses = 1; licenses < SUBSCRIPTIONS; licenses += KEYS_PER_CALL) {
    const count = Math.min(KEYS_PER_CALL, SUBSCRIPTIONS - licenses)
    await createKeys(context, NOBODY, NewLicenseKeys.parse({ count }))
  }
  await runFile(app.config.databaseUrl, 'due-subscriptions', store.id)
  for (const job of [foldSalesJob, foldWalletsJob]) while (await job.run(app));
  return { id: store.id, hash: store.hash, plan: plan.id }
}

async function runFile(databaseUrl, name, store) {
  return query(databaseUrl, await readSqlFile(name, { store, count: SUBSCRIPTIONS }))
}

/** Opens connections of buyers, who order the renewed plan and a new product without a subscription. */
async function openBuyers(atEnd, { origin, env }, { hash, plan }) {
  const headers = await unlimitedKey({ ready: { stores: [{ livemode: true, id: hash }] }, env })
  const fields = { name: 'Game', type: 'service', price_cents: PRICE_CENTS }
  const { product } = await call(origin, headers, ['POST', '/products', fields])
  const connections = await Promise.all(
    Array.from({ length: BUYERS }, () => openConnection(origin)),
  )
  for (const connection of connections) atEnd(connection.close)
  const products = [
    { name: 'another product', id: product.id },
    { name: 'the plan', id: plan },
  ]
  return { connections, headers, products }
}

/** Places orders at a steady rate. Returns their times and the number of refusals by the name of the product. */
async function placeOrders({ connections, headers, products }, for_ms, results = new Map()) {
  for (const { name, id } of products) {
    const items = [{ product_id: id, quantity: 1 }]
    const rate = { perSecond: ORDERS_A_SECOND, for_ms: for_ms / products.length }
    let refused = 0
    const { times } = await runAtRate({ connections }, rate, async (connection) => {
      const customer = { email: `buyer-${randomInt(1e9)}@example.com` }
      const body = { items, customer }
      const request = connection.request('POST', '/v1/orders', headers, body)
      const { status, body: answer } = await connection.send(request)
      if (status === 503) refused++
      else if (status !== 201) throw new Error(`An order was answered with ${status}: ${answer}`)
    })
    const before = results.get(name) ?? { times: [], refused: 0 }
    results.set(name, { times: [...before.times, ...times], refused: before.refused + refused })
  }
  return results
}

/** Starts two workers, and kills one of them before all subscriptions are renewed. */
async function renewAll(atEnd, { databaseUrl, buyers, startWorker, postgresPid, store }) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  atEnd(() => client.end())
  const countRenewed = async () => {
    const text = `select count(*)::int as count from subscription where store_id = $1 and renewals_count > 0`
    return (await client.query(text, [store.id])).rows[0].count
  }
  const killAt = randomInt(SUBSCRIPTIONS * 0.3, SUBSCRIPTIONS * 0.6)
  const workers = await Promise.all([startWorker(), startWorker()])
  // Renewals during the start of the workers are not counted.
  const renewedAtStart = await countRenewed()
  const startedAt = performance.now()
  const readCpu = () => [...workers.map(({ child }) => child.pid), postgresPid].map(cpuOf)
  const cpuBefore = readCpu()
  const orders = new Map()
  let renewed = renewedAtStart
  const isOver = () => renewed >= SUBSCRIPTIONS || performance.now() - startedAt > RENEWALS_MAX_MS
  const ordering = placeOrdersUntil(isOver, buyers, orders)
  let kill
  while (!isOver()) {
    await pause(POLL_MS)
    renewed = await countRenewed()
    if (kill || renewed < killAt) continue
    kill = { at: performance.now(), renewed, cpu: cpuOf(workers[0].child.pid) }
    await endChild(workers[0].child, 'SIGKILL')
    print(`A worker was killed after ${renewed} renewals.\n`)
  }
  if (!kill) throw new Error(`Only ${renewed} renewals ran in ${RENEWALS_MAX_MS / 1_000} s.`)
  const endedAt = performance.now()
  const cpuAfter = [kill.cpu, ...readCpu().slice(1)]
  await ordering
  const rate = (count, from, until) => count / ((until - from) / 1_000)
  const counted = renewed - renewedAtStart
  const cpu = cpuAfter.map((value, index) => (value - cpuBefore[index]) / counted)
  return {
    renewed,
    orders,
    rate: rate(counted, startedAt, endedAt),
    figures: [
      ((endedAt - startedAt) / 1_000).toFixed(1),
      rate(counted, startedAt, endedAt).toFixed(0),
      rate(kill.renewed - renewedAtStart, startedAt, kill.at).toFixed(0),
      rate(renewed - kill.renewed, kill.at, endedAt).toFixed(0),
      (cpu[0] + cpu[1]).toFixed(2),
      cpu[2].toFixed(2),
    ],
  }
}

async function placeOrdersUntil(isOver, buyers, results) {
  while (!isOver()) await placeOrders(buyers, 1_000, results)
}
