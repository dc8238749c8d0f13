import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import {
  selectDueSubscriptions,
  selectNextRenewal,
} from '../../src/features/store/subscriptions/index.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** A page of 100,000 subscriptions reads its own rows, and so does the job that looks for due ones. */

const ROWS = 100_000
const READ_MAX = 400
const COUNTED_MAX = 10_100
const BATCH = 100

const COPIES = new URL('../../bench/lib/due-subscriptions.sql', import.meta.url)

let db: Db
let store: number

const tradepost = bigStore(async ({ app, storeId, targets: [target] }) => {
  db = app.db
  store = storeId
  const send = async (method: string, path: string, body: object) => {
    const { status, json } = await call(target, method, path, { body })
    expect(status, JSON.stringify(json)).toBeLessThan(300)
    return json
  }
  const kind = { type: 'service', product_kind: 'subscription' }
  const { product } = await send('POST', '/products', { name: 'Plan', price_cents: 1, ...kind })
  await send('PUT', `/products/${product.id}/billing`, { billing_cycle: 'monthly' })
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'first@example.com' }
  await send('POST', '/orders', { items, customer, mark_paid: true })
  const copies = await readFile(COPIES, 'utf8')
  return [
    copies.replaceAll(':store', String(storeId)).replaceAll(':count', String(ROWS)),
    // One in five hundred is due now; one in ten thousand is past due, or is to end.
    `update subscription
        set created_at = created_at - id * interval '1 second',
            due_at = case when id % 500 = 1 then due_at else now() + (1 + id % 30) * interval '1 day' end,
            status = case when id % 10000 = 3 then 'past_due' else status end,
            auto_renew = id % 10000 <> 2`,
    'vacuum analyze subscription',
  ]
})

test.each([
  ['all', '', 25],
  ['all, far down', '&offset=300', 25],
  ['past due', '&status=past_due', 10],
  ['several statuses of', '&status=past_due,trialing', 10],
  ['a product’s', '&product_id=1', 25],
  ['a customer’s', '&customer_email=due-77@example.com', 1],
  ['nobody’s', '&customer_email=nobody@example.com', 0],
  ['ending', '&auto_renew=false', 10],
])('the list of %s subscriptions reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/subscriptions?limit=25${query}`)
  expect(json.subscriptions).toHaveLength(length)
  expect(plans).toHaveLength(2)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the list of auto-renewals reads its page only', async () => {
  const { json, plans } = await tradepost.look('/auto-renewals?limit=25')
  expect(json.auto_renewals).toHaveLength(25)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test.each([
  ['of all stores', () => ({})],
  ['of one store', () => ({ storeId: store })],
])('a batch of due subscriptions %s reads the batch', async (_, of) => {
  const batch = { now: new Date().toISOString(), limit: BATCH, ...of() }
  const { json, plans } = await tradepost.watch(() => selectDueSubscriptions(db, batch))
  expect(json).toHaveLength(BATCH)
  expect(Math.max(...plans.map(busiest))).toBeLessThanOrEqual(READ_MAX)
})

test('the next due date of a store is the first row of an index', async () => {
  const { json, plans } = await tradepost.watch(() => selectNextRenewal(db, store))
  expect(json).toEqual(expect.any(String))
  expect(Math.max(...plans.map(busiest))).toBeLessThanOrEqual(READ_MAX)
})
