import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { readSqlFile } from '../../bench/lib/sql-file.mjs'
import { storeContextOf } from '../../src/app.ts'
import { NOBODY } from '../../src/features/installation/index.ts'
import { createKeys } from '../../src/features/licensing/keys/create-keys.ts'
import { NewLicenseKeys } from '../../src/features/licensing/keys/schema.ts'
import { NewBilling } from '../../src/features/store/billing/schema.ts'
import { setBilling } from '../../src/features/store/billing/set-billing.ts'
import { createOrder } from '../../src/features/store/orders/create-order.ts'
import { NewOrder } from '../../src/features/store/orders/schema.ts'
import { createProduct } from '../../src/features/store/products/index.ts'
import { NewProduct } from '../../src/features/store/products/schema.ts'
import { INVARIANTS } from '../../src/process/invariants.ts'
import { chanceOf } from '../chance.mjs'
import { ask } from '../database.ts'
import { sharedPostgres } from '../process/real-postgres.ts'
import { elapse, until } from '../until.ts'
import { type Setup, withSetup } from './setup.ts'

const SUBSCRIPTIONS = 300

const requirePostgres = sharedPostgres()

test(`two workers renew each of ${SUBSCRIPTIONS} due subscriptions once`, (context) =>
  expectRenewedOnce(context, async (setup) => {
    await Promise.all([setup.startWorker(), setup.startWorker()])
  }))

test('two workers, one of which is killed meanwhile, renew each due subscription once', (context) =>
  expectRenewedOnce(context, async (setup) => {
    const [first] = await Promise.all([setup.startWorker(), setup.startWorker()])
    const killAt = 20 + chanceOf('kill of a worker that renews').below(SUBSCRIPTIONS / 5 - 20)
    await until(async () => (await countRenewed(setup)) > killAt)
    first.signal('SIGKILL')
    await first.ended
    expect(await countRenewed(setup)).toBeLessThan(SUBSCRIPTIONS)
  }))

/** Creates due subscriptions, starts workers with `startWorkers`, and expects one renewal of each subscription. */
async function expectRenewedOnce(
  context: TestContext,
  startWorkers: (setup: Setup) => Promise<void>,
): Promise<void> {
  await withSetup({ postgres: requirePostgres(context), paths: [] }, async (setup) => {
    await createDueSubscriptions(setup)
    await startWorkers(setup)
    await until(async () => (await countRenewed(setup)) >= SUBSCRIPTIONS)
    // In this time a worker queries for due subscriptions once more, so that it could renew one again.
    await elapse(1_500)
    const counts = (await runSqlFile(setup, 'renewed-once')) as { kind: string }[]
    expect(counts.length).toBeGreaterThan(5)
    for (const count of counts) {
      expect(count).toEqual({ kind: count.kind, missed: 0, once: SUBSCRIPTIONS, doubled: 0 })
    }
    for (const { check, count } of INVARIANTS) {
      expect([check, await count(setup.app.db)]).toEqual([check, 0])
    }
  })
}

const countRenewed = async ({ app }: Setup): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from subscription where renewals_count > 0`.execute(app.db)
  return rows[0]?.count ?? 0
}

/** Creates a due subscription with a license, paid from the balance, and due copies of it. */
async function createDueSubscriptions(setup: Setup): Promise<void> {
  const { app, store } = setup
  const context = storeContextOf(app, store)
  const kind = { type: 'license', product_kind: 'subscription' }
  const newProduct = NewProduct.parse({ name: 'Plan', price_cents: 1_000, ...kind })
  const { product } = await createProduct(context, newProduct)
  await setBilling(context, product.id, NewBilling.parse({ billing_cycle: 'weekly' }))
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'first@example.com' }
  const body = { items, customer, payment_method: 'balance', mark_paid: true }
  await createOrder(context, NewOrder.parse(body))
  await createKeys(context, NOBODY, NewLicenseKeys.parse({ count: SUBSCRIPTIONS - 1 }))
  await runSqlFile(setup, 'due-subscriptions')
}

const runSqlFile = async ({ database, store }: Setup, name: string): Promise<unknown[]> =>
  ask(database.url, await readSqlFile(name, { store: store.id, count: SUBSCRIPTIONS }))
