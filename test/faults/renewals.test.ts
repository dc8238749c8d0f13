import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { createOrder } from '../../src/features/store/orders/create-order.ts'
import { NewOrder } from '../../src/features/store/orders/schema.ts'
import { createProduct } from '../../src/features/store/products/index.ts'
import { NewProduct } from '../../src/features/store/products/schema.ts'
import { putBilling } from '../../src/features/store/subscriptions/billing.ts'
import { subscriptionInvariants } from '../../src/features/store/subscriptions/invariants.ts'
import { NewBilling } from '../../src/features/store/subscriptions/schema.ts'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import type { RealPostgres } from '../process/real-postgres.ts'
import { closePostgres, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'
import { type Scene, until, withScene } from './scene.ts'

const DUE_SQL = new URL('../../bench/lib/due-subscriptions.sql', import.meta.url)
const DUE = 1_000
const PRICE = 1_000
const TIMEOUT_MS = 180_000
const DONE_MS = 120_000

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
}, TIMEOUT_MS)
afterAll(() => closePostgres(postgres))

test(
  'two workers renew 1,000 due subscriptions: none is missed, and none is renewed twice',
  (context) =>
    withDue(context, async (scene) => {
      await Promise.all([scene.worker(), scene.worker()])
    }),
  TIMEOUT_MS,
)

test(
  'one of two workers is killed on the way, and still none is missed or renewed twice',
  (context) =>
    withDue(context, async (scene) => {
      const [first] = await Promise.all([scene.worker(), scene.worker()])
      const most = randomInt(50, 300)
      await until(async () => (await renewed(scene)) > most, DONE_MS)
      first.signal('SIGKILL')
      await first.ended
      expect(await renewed(scene)).toBeLessThan(DUE)
    }),
  TIMEOUT_MS,
)

/** Makes many subscriptions due, and runs the work on them. */
async function withDue(context: TestContext, work: (scene: Scene) => Promise<void>): Promise<void> {
  await withScene({ postgres: postgresOrSkip(context, postgres), paths: [] }, async (scene) => {
    await makeDue(scene)
    await work(scene)
    await until(async () => (await renewed(scene)) >= DUE, DONE_MS)
    // Long enough for a worker to look for due subscriptions once more.
    await pause(1_500)
    const { rows } = await sql<{ renewals: number; balance_cents: number }>`
      select (select count(*) from subscription_payment y
               where y.store_id = s.store_id and y.subscription_id = s.id) - 1 as renewals,
             c.balance_cents
        from subscription s
        join customer c on c.store_id = s.store_id and c.id = s.customer_id`.execute(scene.app.db)
    const once = { renewals: 1, balance_cents: 1_000_000 - PRICE }
    expect(rows).toEqual(Array.from({ length: DUE }, () => once))
    for (const { check, count } of subscriptionInvariants) {
      expect([check, await count(scene.app.db)]).toEqual([check, 0])
    }
  })
}

const renewed = async ({ app }: Scene): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from subscription where renewals_count > 0`.execute(app.db)
  return rows[0]?.count ?? 0
}

/** A subscription that is paid from the balance, and copies of it that are due as well. */
async function makeDue({ app, store }: Scene): Promise<void> {
  const context = storeContextOf(app, store)
  const kind = { type: 'service', product_kind: 'subscription' }
  const sent = NewProduct.parse({ name: 'Plan', price_cents: PRICE, ...kind })
  const { product } = await createProduct(context, sent)
  await putBilling(context, product.id, NewBilling.parse({ billing_cycle: 'monthly' }))
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'first@example.com' }
  const body = { items, customer, payment_method: 'balance', mark_paid: true }
  await createOrder(context, NewOrder.parse(body))
  const text = await readFile(DUE_SQL, 'utf8')
  const filled = text.replaceAll(':store', String(store.id)).replaceAll(':count', String(DUE))
  await ask(app.config.databaseUrl ?? '', filled)
}
