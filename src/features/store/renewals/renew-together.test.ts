import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addKeys } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan, setBalance, subscribe, subscription } from '../../../../test/subscribe.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { renewSubscriptionsJob } from './index.ts'

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

/** Subscriptions of a product with stock keys, which are due now; the balances pay one renewal each. */
async function dueWithKeys(names: readonly string[], spareKeys: number): Promise<Json[]> {
  const planId = await plan(tradepost, { billing_cycle: 'daily' }, { type: 'serial' })
  const { json } = await tradepost.get(`/products/${planId}/variants`)
  const keys = Array.from({ length: names.length + spareKeys }, (_, n) => `${planId}-KEY-${n}`)
  await addKeys(tradepost, { id: planId, variantId: json.variants[0].id }, keys)
  const made: Json[] = []
  for (const name of names) {
    const customer = { email: `${name}@example.com` }
    made.push(await subscribe(tradepost, planId, { payment_method: 'balance', customer }))
    await setBalance(tradepost, customer.email, 1_000)
  }
  tradepost.forward(DAY_MS)
  await tradepost.events()
  return made
}

const seen = (made: readonly Json[]) =>
  Promise.all(made.map(({ id }) => subscription(tradepost, id)))

const keysOf = async ({ payments }: Json): Promise<string[]> => {
  const { json } = await tradepost.get(`/orders/${payments[1].invoice_id}`)
  return json.order.deliveries.flatMap(({ keys }: Json) => keys)
}

test('renewals that are due together each take their own payment and their own key', async () => {
  const made = await dueWithKeys(['a1', 'a2', 'a3', 'a4'], 5)
  await setBalance(tradepost, 'a3@example.com', 999)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await seen(made)
  expect(after.map(({ status }) => status)).toEqual(['active', 'active', 'past_due', 'active'])
  const paid = after.filter(({ status }) => status === 'active')
  const keys = (await Promise.all(paid.map(keysOf))).flat()
  expect(new Set(keys).size).toBe(3)
  const { json } = await tradepost.get('/customers?search=a&limit=100')
  const balances = json.customers.map((item: Json) => item.balance_cents).sort()
  expect(balances).toEqual([0, 0, 0, 999])
  expect(await tradepost.events()).toEqual([
    ...Array.from({ length: 4 }, () => 'order.created'),
    ...Array.from({ length: 3 }, () => 'order.completed'),
  ])
})

test('two subscriptions of one customer are renewed once each, as far as the balance goes', async () => {
  const made = await dueWithKeys(['b1', 'b1'], 2)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await seen(made)
  expect(after.map(({ status }) => status).sort()).toEqual(['active', 'past_due'])
  expect(after.map(({ payments }) => payments.length)).toEqual([2, 2])
})

test('a renewal without stock does not hold back those that were due with it', async () => {
  const made = await dueWithKeys(['c1', 'c2', 'c3'], 2)
  await renewSubscriptionsJob.run(tradepost.app)
  const after = await seen(made)
  expect(after.map(({ status }) => status).sort()).toEqual(['active', 'active', 'past_due'])
})

test('a renewal that fails is postponed alone, and those that were due with it are done', async () => {
  const made = await dueWithKeys(['d1', 'd2', 'd3'], 3)
  await sql`
    create function fail_d2() returns trigger language plpgsql as $$
    begin
      if exists (select from customer c where c.id = new.customer_id and c.email like 'd2@%') then
        raise exception 'This renewal fails in a test.';
      end if;
      return new;
    end $$`.execute(tradepost.db)
  await sql`
    create trigger fail_d2 before insert on balance_entry for each row execute function fail_d2()`.execute(
    tradepost.db,
  )
  await renewSubscriptionsJob.run(tradepost.app)
  const periods = async () => (await seen(made)).map(({ payments }) => payments.length)
  expect(await periods()).toEqual([2, 1, 2])
  await sql`drop trigger fail_d2 on balance_entry`.execute(tradepost.db)
  tradepost.forward(DAY_MS / 24)
  await renewSubscriptionsJob.run(tradepost.app)
  expect(await periods()).toEqual([2, 2, 2])
})
