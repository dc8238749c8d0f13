import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendAlertsJob } from '../../src/features/store/stock/index.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { sharedDatabase } from './shared-database.ts'

const SUBSCRIBERS = 5_000

const database = sharedDatabase()

test('concurrent workers send one mail for each of 5,000 stock alerts while stock is added', async (context) => {
  const { app, targets, storeId } = await database.openStore(context)
  const post = (path: string, body: Json) => call(targets[0], 'POST', path, { body })
  const { product, variants } = (
    await post('/products', { name: 'Game', type: 'serial', price_cents: 100 })
  ).json
  const [{ id: variantId }] = variants
  await sql`
    insert into stock_alert (store_id, product_id, variant_id, email, status, created_at)
    select p.store_id, p.id, v.id, n || '@example.com', 'pending', p.created_at
      from product p
     cross join generate_series(1, ${SUBSCRIBERS}::int) n
     cross join (values (null::bigint), (${variantId}::bigint)) v(id)
     where p.store_id = ${storeId}`.execute(app.db)
  const restock = async (worker: number) => {
    for (let n = 0; n < 5; n++) {
      const keys = [`ALERTS-${worker}-${n}`]
      const path = `/products/${product.id}/variants/${variantId}/keys`
      expect((await post(path, { keys })).status).toBe(201)
      while (await sendAlertsJob.run(app));
    }
  }
  await Promise.all([0, 1, 2, 3].map(restock))
  const { rows } = await sql`
    select (select count(*) from stock_alert
             where store_id = ${storeId} and status = 'pending') as pending,
           (select count(*) from stock_alert_due where store_id = ${storeId}) as due,
           count(*) as mails, count(distinct recipient) as subscribers
      from mail where store_id = ${storeId}`.execute(app.db)
  expect(rows).toEqual([{ pending: 0, due: 0, mails: SUBSCRIBERS, subscribers: SUBSCRIBERS }])
  await database.expectNoFaults()
})
