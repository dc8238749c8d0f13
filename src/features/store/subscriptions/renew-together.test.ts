import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addKeys } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import {
  setBalance,
  subscribe,
  subscription,
  subscriptionProduct,
} from '../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { renewSubscriptionsJob } from './renew-subscriptions.job.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
})
afterAll(async () => {
  for (const { check, count } of INVARIANTS) {
    expect([check, await count(tradepost.db)]).toEqual([check, 0])
  }
  await tradepost.close()
})
beforeEach(() => tradepost.events())

/** Creates due subscriptions of a product with stock keys. Each balance pays for one renewal. */
async function createDueWithKeys(names: readonly string[], spareKeys: number): Promise<Json[]> {
  const productId = await subscriptionProduct(
    tradepost,
    { billing_cycle: 'daily' },
    { type: 'serial' },
  )
  const { json } = await tradepost.get(`/products/${productId}/variants`)
  const keys = Array.from({ length: names.length + spareKeys }, (_, n) => `${productId}-KEY-${n}`)
  await addKeys(tradepost, { id: productId, variantId: json.variants[0].id }, keys)
  const subscriptions: Json[] = []
  for (const name of names) {
    const customer = { email: `${name}@example.com` }
    subscriptions.push(
      await subscribe(tradepost, productId, { payment_method: 'balance', customer }),
    )
    await setBalance(tradepost, customer.email, 1_000)
  }
  tradepost.forward(DAY_MS)
  await tradepost.events()
  return subscriptions
}

const getAll = (subscriptions: readonly Json[]) =>
  Promise.all(subscriptions.map(({ id }) => subscription(tradepost, id)))

const renewalKeys = async ({ payments }: Json): Promise<string[]> => {
  const { json } = await tradepost.get(`/orders/${payments[1].invoice_id}`)
  return json.order.deliveries.flatMap(({ keys }: Json) => keys)
}

test('renewals that are due together are each paid separately and each get a different key', async () => {
  const subscriptions = await createDueWithKeys(['a1', 'a2', 'a3', 'a4'], 5)
  await setBalance(tradepost, 'a3@example.com', 999)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await getAll(subscriptions)
  expect(after.map(({ status }) => status)).toEqual(['active', 'active', 'past_due', 'active'])
  const renewedSubscriptions = after.filter(({ status }) => status === 'active')
  const keys = (await Promise.all(renewedSubscriptions.map(renewalKeys))).flat()
  expect(new Set(keys).size).toBe(3)
  const { json } = await tradepost.get('/customers?search=a&limit=100')
  const balances = json.customers.map((item: Json) => item.balance_cents).sort()
  expect(balances).toEqual([0, 0, 0, 999])
  expect(await tradepost.events()).toEqual([
    ...Array.from({ length: 4 }, () => 'order.created'),
    ...Array.from({ length: 3 }, () => 'order.completed'),
  ])
})

test('a balance for one renewal renews only one of two due subscriptions of a customer', async () => {
  const subscriptions = await createDueWithKeys(['b1', 'b1'], 2)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await getAll(subscriptions)
  expect(after.map(({ status }) => status).sort()).toEqual(['active', 'past_due'])
  expect(after.map(({ payments }) => payments.length)).toEqual([2, 2])
})

test('a renewal without stock does not block other due renewals', async () => {
  const subscriptions = await createDueWithKeys(['c1', 'c2', 'c3'], 2)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await getAll(subscriptions)
  expect(after.map(({ status }) => status).sort()).toEqual(['active', 'active', 'past_due'])
})

test('a renewal that fails is postponed alone, and other due renewals succeed', async () => {
  const subscriptions = await createDueWithKeys(['d1', 'd2', 'd3'], 3)
  await sql`
    create function fail_d2() returns trigger language plpgsql as $$
    begin
      if exists (select from customer where id = new.customer_id and email like 'd2@%') then
        raise exception 'This renewal fails in a test.';
      end if;
      return new;
    end $$`.execute(tradepost.db)
  await sql`
    create trigger fail_d2 before insert on balance_entry for each row execute function fail_d2()`.execute(
    tradepost.db,
  )
  await renewSubscriptionsJob.run(tradepost.app)
  const paymentCounts = async () =>
    (await getAll(subscriptions)).map(({ payments }) => payments.length)
  expect(await paymentCounts()).toEqual([2, 1, 2])
  await sql`drop trigger fail_d2 on balance_entry`.execute(tradepost.db)
  tradepost.forward(HOUR_MS)
  await renewSubscriptionsJob.run(tradepost.app)
  expect(await paymentCounts()).toEqual([2, 2, 2])
})

/** Creates due subscriptions of two license keys each. */
async function createDueWithLicenses(names: readonly string[]): Promise<Json[]> {
  const productId = await subscriptionProduct(
    tradepost,
    { billing_cycle: 'daily' },
    { type: 'license' },
  )
  const subscriptions: Json[] = []
  for (const name of names) {
    const customer = { email: `${name}@example.com` }
    const items = [{ product_id: productId, quantity: 2 }]
    subscriptions.push(
      await subscribe(tradepost, productId, { items, payment_method: 'balance', customer }),
    )
    await setBalance(tradepost, customer.email, 2_000)
  }
  tradepost.forward(DAY_MS)
  return subscriptions
}

test('renewals that are due together extend only the licenses of subscriptions that the balance pays', async () => {
  const subscriptions = await createDueWithLicenses(['e1', 'e2', 'e3'])
  await setBalance(tradepost, 'e2@example.com', 1_999)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await getAll(subscriptions)
  expect(after.map(({ status }) => status)).toEqual(['active', 'past_due', 'active'])
  const keys = await tradepost.db
    .selectFrom('license_key')
    .select(['subscription_id', 'expires_at'])
    .where(
      'subscription_id',
      'in',
      subscriptions.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  expect(keys).toEqual(
    after.flatMap(({ id, current_period_end }) => {
      const key = { subscription_id: id, expires_at: current_period_end }
      return [key, key]
    }),
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_event where action = 'license_key.extend'`.execute(
    tradepost.db,
  )
  // The first payments extended six licenses, and the paid renewals extended four.
  expect(rows).toEqual([{ count: 6 + 4 }])
})

/** Cancels all subscriptions and creates due ones. Returns the number of statements that renew them. */
async function countRenewalStatements(names: readonly string[]): Promise<number> {
  const { json } = await tradepost.get('/subscriptions?status=active,past_due&limit=100')
  for (const { id } of json.subscriptions) {
    await expectSuccess(tradepost.post(`/subscriptions/${id}/cancel`, { at_period_end: false }))
  }
  const subscriptions = await createDueWithLicenses(names)
  const statements = await tradepost.statements(() => renewSubscriptionsJob.run(tradepost.app))
  const payments = (await getAll(subscriptions)).map((item) => item.payments.length)
  expect(payments).toEqual(names.map(() => 2))
  return statements.length
}

test('a batch of six renewals with licenses sends no more statements than a batch of two', async () => {
  const statementsOfTwo = await countRenewalStatements(['f1', 'f2'])
  expect(await countRenewalStatements(['g1', 'g2', 'g3', 'g4', 'g5', 'g6'])).toBeLessThanOrEqual(
    statementsOfTwo,
  )
})
