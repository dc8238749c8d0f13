import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { clockCommands } from '../../installation/clock/index.ts'
import { expireOrdersJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await sql`
    create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'this order cannot be changed'; end $$`.execute(tradepost.db)
  await sql`
    create trigger refuse before update on "order"
       for each row when (old.note = 'always fails') execute function refuse()`.execute(
    tradepost.db,
  )
})
afterAll(() => tradepost.close())

/** Creates orders that always fail to expire. All but the first are copied in the database. */
async function createFailingOrders(count: number, options: CallOptions = {}): Promise<void> {
  const { id } = await product(tradepost, { type: 'service' }, options)
  const newOrder = await order(tradepost, id, {}, options)
  await sql`update "order" set note = 'always fails' where id = ${newOrder.id}`.execute(
    tradepost.db,
  )
  await sql`
    insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
           subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id, customer_email,
           custom_fields, metadata, note, status_history, expires_at, created_at, updated_at)
    select store_id, 'ord_' || lpad(n::text, 22, '0'), 1000000 + n, status, fulfillment_status, source,
           currency, subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id,
           customer_email, custom_fields, metadata, note, status_history, expires_at, created_at,
           updated_at
      from "order", generate_series(2, ${count}::integer) n
     where id = ${newOrder.id}`.execute(tradepost.db)
}
const statusOf = async ({ id }: Json, as = tradepost.live): Promise<string> =>
  (await tradepost.get(`/orders/${id}`, { as })).json.order.status
const failureCounts = async (): Promise<number[]> =>
  (
    await sql<{ failures: number }>`
      select distinct failures from order_expiry_retry order by failures`.execute(tradepost.db)
  ).rows.map((row) => row.failures)

/** Runs the job until it reports no more work, as the job runner does. Returns the number of runs. */
async function runJob(): Promise<number> {
  for (let runs = 1; runs <= 20; runs++)
    if (!(await expireOrdersJob.run(tradepost.app))) return runs
  throw new Error('The job reported more work 20 times.')
}

describe('orders that always fail to expire', () => {
  test('are retried after a minute and then after longer pauses, while other orders expire', async () => {
    await createFailingOrders(150)
    const { id } = await product(tradepost, { type: 'service' })
    tradepost.forward(1)
    const validOrder = await order(tradepost, id)
    await tradepost.events()
    tradepost.forward(HOUR_MS)
    await runJob()
    expect(await statusOf(validOrder)).toBe('expired')
    expect(await tradepost.events()).toEqual(['order.expired'])
    expect(await failureCounts()).toEqual([1])

    expect(await runJob()).toBe(1)
    expect(await failureCounts()).toEqual([1])
    tradepost.forward(MINUTE_MS)
    await runJob()
    expect(await failureCounts()).toEqual([2])
    tradepost.forward(MINUTE_MS)
    await runJob()
    expect(await failureCounts()).toEqual([2])
    tradepost.forward(MINUTE_MS)
    await runJob()
    expect(await failureCounts()).toEqual([3])
    expect(await tradepost.events()).toEqual([])
  })

  test('do not stop an advance of the test clock, or the expiry of later orders', async () => {
    const as = tradepost.test
    await createFailingOrders(120, { as })
    const { id } = await product(tradepost, { type: 'service' }, { as })
    const validOrder = await order(tradepost, id, {}, { as })
    await tradepost.events()
    const [advanceCommand] = clockCommands
    const before = Date.parse(validOrder.created_at)
    const after: Json = await advanceCommand?.run(tradepost.app, { store: as.id, duration: '3h' })
    expect(Date.parse(after.now) - before).toBeGreaterThanOrEqual(3 * HOUR_MS)
    expect(await statusOf(validOrder, as)).toBe('expired')
    expect(await tradepost.events()).toEqual(['order.expired'])
  })
})

test('the recorded failures of an order are deleted once it expires', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id)
  await sql`update "order" set note = 'always fails' where id = ${newOrder.id}`.execute(
    tradepost.db,
  )
  tradepost.forward(HOUR_MS)
  await runJob()
  const retries = () =>
    sql`select order_id from order_expiry_retry where order_id = ${newOrder.id}`.execute(
      tradepost.db,
    )
  expect((await retries()).rows).toHaveLength(1)
  await sql`alter table "order" disable trigger refuse`.execute(tradepost.db)
  tradepost.forward(MINUTE_MS)
  await runJob()
  expect(await statusOf(newOrder)).toBe('expired')
  expect((await retries()).rows).toEqual([])
})
