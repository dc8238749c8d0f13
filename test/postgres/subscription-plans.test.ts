import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import {
  nextNotice,
  selectDueNotices,
  selectDueSubscriptions,
  selectNextRenewal,
} from '../../src/features/store/subscriptions/index.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { createdDuring, maxRowsRead } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100
const BATCH = 100

const COPY_SCRIPT = new URL('subscriptions.sql', import.meta.url)

let db: Db
let ownStoreId: number

const tradepost = bigStore(async ({ app, storeId, targets: [target] }) => {
  db = app.db
  ownStoreId = storeId
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
  const copyScript = await readFile(COPY_SCRIPT, 'utf8')
  return [
    copyScript.replaceAll(':store', String(storeId)).replaceAll(':count', String(ROWS)),
    // One subscription in five hundred is due now. One in ten thousand is past due, and one is not renewed.
    `update subscription
        set created_at = created_at - id * interval '1 second',
            due_at = case when id % 500 = 1 then due_at else now() + (1 + id % 30) * interval '1 day' end,
            status = case when id % 10000 = 3 then 'past_due' else status end,
            auto_renew = id % 10000 <> 2`,
    'vacuum analyze subscription',
  ]
})

test.each([
  ['all subscriptions', '', 25],
  ['all subscriptions from an offset on', '&offset=300', 25],
  ['past due subscriptions', '&status=past_due', 10],
  ['subscriptions of two statuses', '&status=past_due,trialing', 10],
  ['subscriptions of a product', '&product_id=1', 25],
  ['subscriptions of a customer', '&customer_email=due-77@example.com', 1],
  ['subscriptions of an unknown customer', '&customer_email=nobody@example.com', 0],
  ['subscriptions of an address of two forms', '&customer_email=a@xn--bcher-kva.example', 0],
  ['subscriptions that are not renewed', '&auto_renew=false', 10],
  ['subscriptions of ten minutes', `&${createdDuring(58_000, 10)}`, 25],
  ['subscriptions by their next bill', '&sort=next_billing_date', 25],
  ['active subscriptions by their next bill', '&sort=next_billing_date&status=active', 25],
  ['past due subscriptions by their next bill', '&sort=next_billing_date&status=past_due', 10],
])('the list of %s reads only one page of the 100,000 subscriptions', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/subscriptions?limit=25${query}`)
  expect(json.subscriptions).toHaveLength(length)
  expect(plans).toHaveLength(2)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the list of auto-renewals reads only one page of the 100,000 auto-renewals', async () => {
  const { json, plans } = await tradepost.explainList('/auto-renewals?limit=25')
  expect(json.auto_renewals).toHaveLength(25)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test.each([
  ['of all stores', () => ({})],
  ['of one store', () => ({ storeId: ownStoreId })],
])('a batch of due subscriptions %s reads only the batch', async (_, filterOf) => {
  const batch = { now: new Date().toISOString(), limit: BATCH, ...filterOf() }
  const { json, plans } = await tradepost.explain(() => selectDueSubscriptions(db, batch))
  expect(json).toHaveLength(BATCH)
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test.each([
  ['of all stores', () => ({})],
  ['of one store', () => ({ storeId: ownStoreId })],
])(
  'a batch of due notices %s reads only the batch, and the next one the first row of an index',
  async (_, filterOf) => {
    const batch = { now: new Date().toISOString(), limit: BATCH, ...filterOf() }
    const { json, plans } = await tradepost.explain(() => selectDueNotices(db, batch))
    expect(json).toHaveLength(BATCH)
    const next = await tradepost.explain(() => sql`select ${nextNotice} as due_at`.execute(db))
    const rowsRead = [...plans, ...next.plans].map(maxRowsRead)
    expect(Math.max(...rowsRead)).toBeLessThanOrEqual(ROWS_READ_MAX)
  },
)

test('the next due date of a store is the first row of an index', async () => {
  const { json, plans } = await tradepost.explain(() => selectNextRenewal(db, ownStoreId))
  expect(json).toEqual(expect.any(String))
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
})
