import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { createTargets } from './engine/targets.ts'
import { movePendingJob } from './index.ts'
import { POSITIONS } from './queries/delivery-id.ts'

const RETRIES = 2_500
const BATCH = 1_000

let tradepost: Tradepost
let storeId: number
let endpointId: number
let webhook: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  webhook = await createEndpoint()
  const { rows } = await sql<{ store_id: string; id: string }>`
    select store_id, id from webhook_endpoint`.execute(tradepost.db)
  storeId = Number(rows[0]?.store_id)
  endpointId = Number(rows[0]?.id)
})
afterAll(() => tradepost.close())

const createEndpoint = async (): Promise<Json> =>
  (
    await tradepost.post('/webhooks', {
      url: 'http://127.0.0.1:4999/hook',
      events: ['order.created'],
    })
  ).json.webhook

/** Creates retries of existing events that are due in six hours. */
beforeEach(async () => {
  for (const table of ['webhook_fanout', 'webhook_retry', 'webhook_delivery', 'event']) {
    await sql`delete from ${sql.table(table)}`.execute(tradepost.db)
  }
  await sql`
    insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
    select ${storeId}, n, n, 'order.created', 'o', '', now() from generate_series(1, ${RETRIES}) n`.execute(
    tradepost.db,
  )
  await sql`
    insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                  attempted_at, created_at, updated_at)
    select ${storeId}, n * ${POSITIONS}, ${endpointId}, 'pending', 1, now() + interval '6 h', now(), now(), now()
      from generate_series(1, ${RETRIES}) n`.execute(tradepost.db)
  await sql`
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select store_id, id, endpoint_id, 1, next_attempt_at from webhook_delivery`.execute(
    tradepost.db,
  )
})

async function countDeliveries(): Promise<Json> {
  const { rows } = await sql<Json>`
    select count(*) filter (where retry.due_at = 'infinity' and d.next_attempt_at is null)::int as parked,
           count(*) filter (where retry.due_at <= clock_timestamp())::int as due,
           count(*) filter (where d.status = 'cancelled' and retry.delivery_id is null)::int as cancelled,
           count(*) filter (where d.status = 'failed' and retry.delivery_id is null)::int as failed
      from webhook_delivery d
      left join webhook_retry retry on retry.store_id = d.store_id and retry.delivery_id = d.id`.execute(
    tradepost.db,
  )
  return rows[0]
}

const setEnabled = (enabled: boolean) => tradepost.patch(`/webhooks/${webhook.id}`, { enabled })

async function moveRemaining(): Promise<number> {
  let runs = 0
  while (await movePendingJob.run(tradepost.app)) runs++
  return runs
}

test('at most 10,000 pending retries of an endpoint and 10,000 pending events are counted', async () => {
  const COUNT_MAX = 10_000
  const countPending = async () => (await tradepost.get('/webhooks')).json.webhooks[0].stats.pending
  await sql`
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select ${storeId}, (${RETRIES} + n) * ${POSITIONS}, ${endpointId}, 1, 'infinity'
      from generate_series(1, ${COUNT_MAX + 1 - RETRIES}) n`.execute(tradepost.db)
  expect(await countPending()).toBe(COUNT_MAX)
  await sql`delete from webhook_retry where delivery_id > ${RETRIES * POSITIONS}`.execute(
    tradepost.db,
  )
  expect(await countPending()).toBe(RETRIES)
  await sql`
    insert into webhook_fanout (store_id, no, endpoint_ids)
    select ${storeId}, ${RETRIES} + n, array[${endpointId}::bigint]
      from generate_series(1, ${COUNT_MAX + 1}) n`.execute(tradepost.db)
  expect(await countPending()).toBe(RETRIES + COUNT_MAX)
})

describe('a long queue', () => {
  test('is parked when its endpoint is turned off: one batch at once, the others by a job', async () => {
    await setEnabled(false)
    expect(await countDeliveries()).toMatchObject({ parked: BATCH })
    expect(await moveRemaining()).toBe(2)
    expect(await countDeliveries()).toMatchObject({ parked: RETRIES })

    await setEnabled(true)
    expect(await countDeliveries()).toMatchObject({ due: BATCH, parked: RETRIES - BATCH })
    await moveRemaining()
    expect(await countDeliveries()).toMatchObject({ due: RETRIES, parked: 0 })
  })

  test('is not parked further if its endpoint is turned on again before the job runs', async () => {
    await setEnabled(false)
    await setEnabled(true)
    await moveRemaining()
    expect(await countDeliveries()).toMatchObject({ due: BATCH, parked: 0 })
  })

  test('that was parked for longer than 21 hours fails, and the statistics count every delivery', async () => {
    await setEnabled(false)
    await moveRemaining()
    await sql`update webhook_delivery set created_at = now() - interval '22 h'`.execute(
      tradepost.db,
    )
    await setEnabled(true)
    await moveRemaining()
    expect(await countDeliveries()).toMatchObject({ failed: RETRIES, parked: 0 })
    const { webhooks } = (await tradepost.get('/webhooks')).json
    expect(webhooks[0].stats).toMatchObject({ failed: RETRIES, pending: 0 })
  })

  test('is cancelled with its endpoint', async () => {
    await tradepost.delete(`/webhooks/${webhook.id}`)
    await moveRemaining()
    expect(await countDeliveries()).toMatchObject({ cancelled: RETRIES })
    expect(await movePendingJob.run(tradepost.app)).toBe(false)
  })
})

test('a concurrent read of more endpoints than the cache holds returns each of them', async () => {
  const { db } = tradepost.app
  const targets = createTargets(db, 1)
  const ids = await Promise.all(
    [1, 2].map(async () => {
      const { id } = await createEndpoint()
      const { rows } = await sql<{ id: number }>`
        select id from webhook_endpoint where public_id = ${id}`.execute(db)
      return Number(rows[0]?.id)
    }),
  )
  const [cachedId = 0, otherId = 0] = ids
  await targets.read(new Set([cachedId]))
  const [cachedTargets, otherTargets] = await Promise.all([
    targets.read(new Set([cachedId])),
    targets.read(new Set([otherId])),
  ])
  expect(cachedTargets.get(cachedId)).toMatchObject({ id: cachedId })
  expect(otherTargets.get(otherId)).toMatchObject({ id: otherId })
})
