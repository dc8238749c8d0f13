// Renewals of subscriptions that are due at the same time, paid from customer balances.
//
//   node bench/renewals.mjs
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atLeast, bench, openFolder, ROOT, say, table } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { environment } from './lib/shop.mjs'

const DUE = 10_000
const BAR = 200
/** Time limit: on a slow machine, the later subscriptions are left out. */
const MOST_MS = 120_000
const HEADINGS = ['database', 'due', 'renewed', 'seconds', 'renewals/s', 'bar', '']

const load = (file) => import(join(ROOT, 'dist', file))

await bench(`${DUE} renewals that are due at once`, async (later) => {
  const { databaseUrl } = await openPostgres(later)
  const rows = []
  for (const [name, url] of [
    ['PostgreSQL', databaseUrl],
    ['embedded', undefined],
  ]) {
    const { renewed, seconds } = await renew(later, url)
    const rate = renewed / seconds
    const judged = name === 'PostgreSQL'
    const bar = judged ? [`at least ${BAR}`, atLeast(rate, BAR)] : ['', '']
    rows.push([name, DUE, renewed, seconds.toFixed(1), rate.toFixed(0), ...bar])
  }
  table(HEADINGS, rows)
  say(
    'One worker. A renewal is an order with its payment from the balance, and moves its period on.\n',
  )
})

async function renew(later, databaseUrl) {
  const { app, store } = await openDue(later, databaseUrl)
  const { renewSubscriptionsJob } = await load('features/store/index.js')
  const begun = performance.now()
  while ((await renewSubscriptionsJob.run(app)) && performance.now() - begun < MOST_MS);
  const seconds = (performance.now() - begun) / 1_000
  const { count } = await app.db
    .selectFrom('subscription')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('store_id', '=', store.id)
    .where('renewals_count', '=', 1)
    .executeTakeFirstOrThrow()
  return { renewed: Number(count), seconds }
}

/** A store with subscriptions that are due. */
async function openDue(later, databaseUrl) {
  const { readConfig } = await load('config/config.js')
  const { openApp } = await load('process/open-app.js')
  const { storeContextOf } = await load('app.js')
  const { createStore } = await load('features/installation/stores/index.js')
  const { createProduct } = await load('features/store/products/index.js')
  const { NewProduct } = await load('features/store/products/schema.js')
  const { putBilling } = await load('features/store/subscriptions/billing.js')
  const { createOrder } = await load('features/store/orders/create-order.js')
  const { NewOrder } = await load('features/store/orders/schema.js')
  const { pino } = await import('pino')

  const { config } = readConfig(environment(openFolder(later), databaseUrl))
  const { app, close } = await openApp(config, { log: pino({ level: 'silent' }) })
  later(close)
  const fields = { name: 'Renewals', currency: 'EUR', plan: 'self_hosted' }
  const { live: store } = await createStore(app, fields)
  const context = storeContextOf(app, store)
  const kind = { type: 'service', product_kind: 'subscription' }
  const sent = NewProduct.parse({ name: 'Plan', price_cents: 1_000, ...kind })
  const { product } = await createProduct(context, sent)
  const terms = { billing_cycle: 'monthly', trial_days: 0, recurring_price_cents: null }
  await putBilling(context, product.id, terms)
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'first@example.com' }
  const body = { items, customer, payment_method: 'balance', mark_paid: true }
  await createOrder(context, NewOrder.parse(body))
  await copy(app, store)
  return { app, store }
}

async function copy(app, store) {
  const { CompiledQuery } = await import('kysely')
  const text = await readFile(join(ROOT, 'bench/lib/due-subscriptions.sql'), 'utf8')
  const filled = text.replaceAll(':store', store.id).replaceAll(':count', DUE)
  for (const statement of filled.split(';').filter((part) => part.trim() !== '')) {
    await app.db.executeQuery(CompiledQuery.raw(statement))
  }
}
