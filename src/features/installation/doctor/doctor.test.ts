import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { sellerAt } from '../../../../test/client-security/seller.ts'
import { aFile } from '../../../../test/client-security/walks.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan, subscribe } from '../../../../test/subscribe.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import { expireOrdersJob } from '../../store/orders/index.ts'
import { CUSTOMER_FAULTS, useCustomers } from './customer-faults.fixture.ts'
import { findLostFiles } from './find-lost-files.ts'
import { diagnose, doctorCommands, examine } from './index.ts'
import { INVARIANTS } from './queries.ts'
import { SUBSCRIPTION_FAULTS } from './subscription-faults.fixture.ts'
import { SUPPORT_FAULTS, supportOnce } from './support-faults.fixture.ts'

let tradepost: Tradepost

/** A shop in which everything happened once. */
beforeAll(async () => {
  tradepost = await openTradepost()
  const hook = { url: 'http://127.0.0.1:4999/', events: ['*'] }
  await tradepost.post('/webhooks', hook)
  const variants = [
    { name: 'Key', allow_backorder: true },
    { name: 'Setup', delivery_type: 'service' },
  ]
  const game = await product(tradepost, { variants }, { keys: keysNamed('DOCTOR', 6) })
  await order(tradepost, game.id, { mark_paid: true })
  await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 2 }],
    mark_paid: true,
  })
  const expires = await order(tradepost, game.id)
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
  await tradepost.post(`/orders/${expires.id}/manual-payments`, { amount_cents: 300 })
  const cancelled = await order(tradepost, game.id)
  await tradepost.post(`/orders/${cancelled.id}/cancel`)
  const waits = await order(tradepost, game.id, { items: [{ product_id: game.id, quantity: 9 }] })
  await tradepost.post(`/orders/${waits.id}/manual-payments`, { amount_cents: 100 })
  await tradepost.post(`/orders/${waits.id}/manual-payments`, { status: 'pending_review' })
  const free = await product(tradepost, { price_cents: 0, type: 'service' })
  await order(tradepost, free.id)
  const mug = await product(tradepost, {
    type: 'physical',
    variants: [{ name: 'A', stock_mode: 'unlimited' }],
  })
  const mugs = [{ product_id: mug.id, quantity: 2 }]
  const sent = await order(tradepost, mug.id, { items: mugs, mark_paid: true })
  const items = [{ order_item_id: sent.items[0].id, quantity: 1 }]
  await tradepost.post(`/orders/${sent.id}/fulfillments`, { items })
  await subscribe(tradepost, await plan(tradepost))
  await aFile(await sellerAt(tradepost))
  await useCustomers(tradepost)
  await supportOnce(tradepost, mug.id)
})
afterAll(() => tradepost.close())

/** What the doctor finds wrong after these statements, which are undone again. */
async function brokenBy(...faults: RawBuilder<unknown>[]): Promise<string[]> {
  let checks: string[] = []
  const undo = new Error('undo')
  await tradepost.db
    .transaction()
    .execute(async (tx) => {
      for (const fault of faults) await fault.execute(tx)
      const { ok, findings } = await diagnose(tx)
      const bad = findings.filter((item) => !item.ok)
      expect(ok).toBe(bad.length === 0)
      for (const { detail, cure } of bad) {
        expect(detail).toMatch(/ [1-9]\d* rows break it\.$/)
        expect(cure).toMatch(/\.$/)
      }
      checks = bad.map((item) => item.check)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return checks
}

const endpoint = sql`(select store_id, id as endpoint_id from webhook_endpoint limit 1)`

const FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  ...CUSTOMER_FAULTS,
  [
    'products_are_counted',
    'a product that is counted twice',
    [sql`update product_tally set products = products + 1`],
  ],
  [
    'products_are_counted',
    'a product that is counted as a draft',
    [sql`update product_tally set status = 'draft'`],
  ],
  [
    'categories_are_counted',
    'a category that counts a product too many',
    [
      sql`insert into category (store_id, name, slug, visibility, position, product_count, created_at, updated_at)
          select min(id), 'Fun', 'fun', 'public', 0, 1, now(), now() from store`,
    ],
  ],
  [
    'lists_know_stock',
    'a sale that no list knows',
    [sql`update product_stock set sold = sold + 1`],
  ],
  [
    'lists_know_stock',
    'a product that lists think is sold out',
    [sql`update product_stock set sellable = 0 where sellable > 0`],
  ],
  [
    'files_are_counted',
    'a file that nobody shows',
    [sql`insert into blob (store_id, id, uses) select min(id), 'lost', 1 from store`],
  ],
  [
    'delivered_keys',
    'a delivery that lost its key',
    [
      sql`delete from delivery_key where stock_key_id = (select min(stock_key_id) from delivery_key)`,
    ],
  ],
  [
    'shipped_is_shipped',
    'an order that says more was shipped than was',
    [sql`update "order" set fulfillment_status = 'fulfilled' where fulfillment_status = 'partial'`],
  ],
  [
    'shipped_is_shipped',
    'a parcel with more than was bought',
    [
      sql`update fulfillment_item set quantity = 3`,
      sql`update "order" set fulfillment_status = 'fulfilled' where fulfillment_status = 'partial'`,
    ],
  ],
  [
    'key_once',
    'one key in two deliveries',
    [
      sql`drop index delivery_key_once`,
      sql`insert into delivery_key (store_id, delivery_id, stock_key_id)
          select d.store_id, d.id, k.stock_key_id
            from delivery d
            join (select min(stock_key_id) as stock_key_id, min(delivery_id) as delivery_id from delivery_key) k
              on k.delivery_id < d.id
           order by d.id desc limit 1`,
    ],
  ],
  [
    'stock_counts_keys',
    'a key that stock does not count',
    [sql`update stock set on_hand = on_hand + 1 where sold > 0`],
  ],
  [
    'stock_counts_reservations',
    'stock that nobody holds',
    [sql`update stock set reserved = reserved - 1 where reserved > 0`],
  ],
  [
    'stock_counts_reservations',
    'more held than there is',
    [
      sql`update stock set reserved = on_hand + 1 where reserved > 0`,
      sql`update order_item i set reserved = s.reserved from stock s
           where i.reserved > 0 and s.store_id = i.store_id and s.variant_id = i.variant_id`,
    ],
  ],
  [
    'ended_orders_hold_nothing',
    'a cancelled order that holds stock',
    [
      sql`update order_item i set reserved = 1 from "order" o
           where o.store_id = i.store_id and o.id = i.order_id and o.status = 'cancelled'`,
    ],
  ],
  [
    'order_events',
    'an order nobody heard of',
    [sql`delete from event where type = 'order.created'`],
  ],
  [
    'order_events',
    'a completion told twice',
    [
      sql`insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
          select store_id, nextval('event_no'), 1, type, object_id, payload_enc, created_at
            from event where type = 'order.completed' limit 1`,
    ],
  ],
  [
    'order_events',
    'an expiry that was not told',
    [sql`delete from event where type = 'order.expired'`],
  ],
  [
    'order_events',
    'a completion that was told and did not happen',
    [sql`update "order" set status = 'paid' where status = 'completed'`],
  ],
  [
    'orders_are_counted',
    'a number that was given to no order',
    [sql`update order_counter set last_number = last_number + 1`],
  ],
  ['orders_are_found', 'an order that no search finds', [sql`delete from order_search`]],
  [
    'orders_are_found',
    'an order that is found by another email',
    [sql`update "order" set customer_email = 'other@example.com'`],
  ],
  [
    'refunded_is_refunded',
    'money that was given back without a refund',
    [
      sql`update "order" set refunded_cents = 1, refund_status = 'partial' where status = 'completed'`,
    ],
  ],
  [
    'refunded_is_refunded',
    'a refund that was not told',
    [
      sql`insert into refund (store_id, order_id, amount_cents, currency, reason, restock, created_at)
          select store_id, id, 1, currency, 'other', false, now() from "order"
           where status = 'completed' limit 1`,
      sql`update "order" o set refunded_cents = 1, refund_status = 'partial'
            from refund r where r.order_id = o.id`,
    ],
  ],
  [
    'coupon_uses',
    'a use that no order made',
    [
      sql`insert into coupon (store_id, code, type, amount_cents, uses, product_ids, variant_ids,
                              category_ids, payment_methods, allowed_emails, applies_to_renewals,
                              active, created_at, updated_at)
          select store_id, 'LOST', 'fixed', 1, 1, '{}', '{}', '{}', '{}', '{}', false, true, now(), now()
            from "order" limit 1`,
    ],
  ],
  [
    'events_have_orders',
    'an event of no order',
    [
      sql`insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
          select store_id, nextval('event_no'), 1, 'order.created', 'ord_gone', '', now() from ${endpoint} e`,
    ],
  ],
  [
    'paid_is_paid',
    'money without a payment',
    [sql`update "order" set paid_cents = paid_cents + 1`],
  ],
  [
    'paid_is_paid',
    'a completed order that was not paid in full',
    [
      sql`update payment set amount_cents = amount_cents - 1 where amount_cents = 1000`,
      sql`update "order" set paid_cents = paid_cents - 1 where status = 'completed' and paid_cents = 1000`,
    ],
  ],
  [
    'reviews_can_end',
    'a payment to be reviewed on an order that ended',
    [sql`update "order" set status = 'cancelled' where status = 'manual_review'`],
  ],
  [
    'waiting_deliveries',
    'a delivery that waits and is nowhere in the lane',
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select store_id, 1, endpoint_id, 'pending', 1, now(), now() from ${endpoint} e`,
    ],
  ],
  [
    'waiting_deliveries',
    'a delivery that is done and still in the lane',
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select store_id, 1, endpoint_id, 'succeeded', 1, now(), now() from ${endpoint} e`,
      sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
          select store_id, 1, endpoint_id, 1, now() from ${endpoint} e`,
    ],
  ],
  [
    'finished_fanouts',
    'an event that waits although all its deliveries are recorded',
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select f.store_id, f.no * 32 + x.place - 1, x.endpoint_id, 'succeeded', 1, now(), now()
            from webhook_fanout f, unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)`,
    ],
  ],
  ...SUBSCRIPTION_FAULTS,
]

test('a shop that was used is sound, and every promise was looked at', async () => {
  const { ok, findings } = await diagnose(tradepost.db)
  expect(findings.filter((item) => !item.ok)).toEqual([])
  expect(ok).toBe(true)
  const planted = new Set([
    ...[...FAULTS, ...SUPPORT_FAULTS].map(([check]) => check),
    'durable_commits',
  ])
  expect(new Set(findings.map((item) => item.check))).toEqual(planted)
})

test.each([...FAULTS, ...SUPPORT_FAULTS])('%s finds %s', async (check, _, faults) => {
  expect(await brokenBy()).toEqual([])
  expect(await brokenBy(...faults)).toContain(check)
})

test('an order whose events were forgotten after 30 days is sound', async () => {
  const forgotten = sql`delete from event where type like 'order.%'`
  const days = (count: number) => sql`
    update "order"
       set created_at = created_at - ${count} * interval '1 day',
           completed_at = completed_at - ${count} * interval '1 day',
           cancelled_at = cancelled_at - ${count} * interval '1 day',
           expires_at = expires_at - ${count} * interval '1 day'`
  expect(await brokenBy(forgotten, days(31))).not.toContain('order_events')
  expect(await brokenBy(forgotten, days(20))).toContain('order_events')
})

test('every check has the time of one that nobody waits for', async () => {
  const sent = await tradepost.statements(() => diagnose(tradepost.db))
  const begun = sent.flatMap((text, at) => (text.startsWith('begin') ? [sent[at + 1]] : []))
  expect(begun).toEqual(INVARIANTS.map(() => expect.stringContaining("'statement_timeout'")))
})

test('the command prints a line for each check, with the cure where one is broken', async () => {
  const [doctor] = doctorCommands
  const diagnosis = await examine(tradepost.app)
  expect(await doctor?.run(tradepost.app, {})).toEqual(diagnosis)
  const [finding] = diagnosis.findings
  const sick = { ok: false, findings: [finding, { ...finding, ok: false, cure: 'Do this.' }] }
  const lines = String(doctor?.print(sick as never)).split('\n')
  expect(lines[0]).toMatch(/^ok {4}delivered_keys: /)
  expect(lines[1]).toMatch(/^FAULT delivered_keys: /)
  expect(lines[2]).toContain('Do this.')
})

describe('after a restore', () => {
  /** Where the bytes of a new file lie. */
  const stored = async () => {
    const { id } = await product(tradepost)
    const file = { name: 'a.txt', mime_type: 'text/plain', content_base64: 'SGVsbG8h' }
    expect((await tradepost.post(`/products/${id}/files`, file)).status).toBe(201)
    const { rows } = await sql<{ id: string }>`
      select id from blob where uses > 0 order by created_at desc limit 1`.execute(tradepost.db)
    return join(tradepost.app.config.dataDir, 'files', pathOfBlob(rows[0]?.id ?? ''))
  }
  const findingOf = async (check: string, app = tradepost.app) =>
    (await examine(app)).findings.find((item) => item.check === check)

  test('a file that is missing or cut off is found, with what to restore', async () => {
    const [gone, short] = [await stored(), await stored()]
    expect(await findingOf('stored_files')).toMatchObject({ ok: true, cure: null })
    await rm(gone)
    await truncate(short, 3)
    expect(await findingOf('stored_files')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ 2 are not whole in the folder files of DATA_DIR, such as /),
      cure: expect.stringContaining('no older than the database'),
    })
    expect((await examine(tradepost.app)).ok).toBe(false)
  })

  test('files are counted beyond one page', async () => {
    await sql`
      insert into blob (store_id, id, uses)
      select s.id, md5(n::text), 1 from store s, generate_series(1, 1001) n
       where s.hash = ${tradepost.live.id}`.execute(tradepost.db)
    const { files, lost } = await findLostFiles(tradepost.db, tradepost.app.storage)
    expect(files).toBeGreaterThan(1001)
    expect(new Set(lost).size).toBeGreaterThanOrEqual(1001)
    expect(lost).toHaveLength(new Set(lost).size)
    await sql`delete from blob where id in (select md5(n::text) from generate_series(1, 1001) n)`.execute(
      tradepost.db,
    )
  })

  test('it says how much there is, and how new it is', async () => {
    expect(await findingOf('stores')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Stores: 2\. Orders: \d+, the newest of \d{4}-.*Z\.$/),
    })
    const { db, close } = await openTestDatabase()
    onTestFinished(close)
    expect(await findingOf('stores', { ...tradepost.app, db })).toMatchObject({
      ok: true,
      detail: 'Stores: 0. Orders: 0.',
    })
  })
})
