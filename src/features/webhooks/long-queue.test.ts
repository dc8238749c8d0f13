import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { createTargets } from './engine/targets.ts'
import { moveWaitingJob } from './index.ts'

/** A backlog of days is moved in batches: no statement moves all of it. */

const WAITING = 2_500
const AT_ONCE = 1_000

let tradepost: Tradepost
let storeId: number
let endpointId: number
let webhook: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  webhook = await listen()
  const { rows } = await sql<{ store_id: string; id: string }>`
    select store_id, id from webhook_endpoint`.execute(tradepost.db)
  storeId = Number(rows[0]?.store_id)
  endpointId = Number(rows[0]?.id)
})
afterAll(() => tradepost.close())

const listen = async (): Promise<Json> =>
  (
    await tradepost.post('/webhooks', {
      url: 'http://127.0.0.1:4999/hook',
      events: ['order.created'],
    })
  ).json.webhook

/** As many retries, of events that exist; they fall due far in the future. */
beforeEach(async () => {
  for (const table of ['webhook_fanout', 'webhook_retry', 'webhook_delivery', 'event']) {
    await sql`delete from ${sql.table(table)}`.execute(tradepost.db)
  }
  await sql`
    insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
    select ${storeId}, n, n, 'order.created', 'o', '', now() from generate_series(1, ${WAITING}) n`.execute(
    tradepost.db,
  )
  await sql`
    insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                  attempted_at, created_at, updated_at)
    select ${storeId}, n * 32, ${endpointId}, 'pending', 1, now() + interval '6 h', now(), now(), now()
      from generate_series(1, ${WAITING}) n`.execute(tradepost.db)
  await sql`
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select store_id, id, endpoint_id, 1, next_attempt_at from webhook_delivery`.execute(
    tradepost.db,
  )
})

async function counted(): Promise<Json> {
  const { rows } = await sql<Json>`
    select count(*) filter (where q.due_at = 'infinity' and d.next_attempt_at is null)::int as parked,
           count(*) filter (where q.due_at <= clock_timestamp())::int as due,
           count(*) filter (where d.status = 'cancelled' and q.delivery_id is null)::int as cancelled,
           count(*) filter (where d.status = 'failed' and q.delivery_id is null)::int as failed
      from webhook_delivery d
      left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id`.execute(
    tradepost.db,
  )
  return rows[0]
}

const turn = (enabled: boolean) => tradepost.patch(`/webhooks/${webhook.id}`, { enabled })

async function moveRest(): Promise<number> {
  let runs = 0
  while (await moveWaitingJob.run(tradepost.app)) runs++
  return runs
}

test('of what waits no more than 10,000 retries of an endpoint and 10,000 events are counted', async () => {
  const COUNTED = 10_000
  const pending = async () => (await tradepost.get('/webhooks')).json.webhooks[0].stats.pending
  await sql`
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select ${storeId}, (${WAITING} + n) * 32, ${endpointId}, 1, 'infinity'
      from generate_series(1, ${COUNTED + 1 - WAITING}) n`.execute(tradepost.db)
  expect(await pending()).toBe(COUNTED)
  await sql`delete from webhook_retry where delivery_id > ${WAITING * 32}`.execute(tradepost.db)
  expect(await pending()).toBe(WAITING)
  await sql`
    insert into webhook_fanout (store_id, no, endpoint_ids)
    select ${storeId}, ${WAITING} + n, array[${endpointId}::bigint]
      from generate_series(1, ${COUNTED + 1}) n`.execute(tradepost.db)
  expect(await pending()).toBe(WAITING + COUNTED)
})

describe('a long queue', () => {
  test('waits when its endpoint is turned off, a share at once and the rest by a job', async () => {
    await turn(false)
    expect(await counted()).toMatchObject({ parked: AT_ONCE })
    expect(await moveRest()).toBe(2)
    expect(await counted()).toMatchObject({ parked: WAITING })

    await turn(true)
    expect(await counted()).toMatchObject({ due: AT_ONCE, parked: WAITING - AT_ONCE })
    await moveRest()
    expect(await counted()).toMatchObject({ due: WAITING, parked: 0 })
  })

  test('goes on from wherever it was when its endpoint is turned on again at once', async () => {
    await turn(false)
    await turn(true)
    await moveRest()
    expect(await counted()).toMatchObject({ due: AT_ONCE, parked: 0 })
  })

  test('that waited for longer than 21 hours ends as failed, all of it counted', async () => {
    await turn(false)
    await moveRest()
    await sql`update webhook_delivery set created_at = now() - interval '22 h'`.execute(
      tradepost.db,
    )
    await turn(true)
    await moveRest()
    expect(await counted()).toMatchObject({ failed: WAITING, parked: 0 })
    const { webhooks } = (await tradepost.get('/webhooks')).json
    expect(webhooks[0].stats).toMatchObject({ failed: WAITING, pending: 0 })
  })

  test('ends with its endpoint', async () => {
    await tradepost.delete(`/webhooks/${webhook.id}`)
    await moveRest()
    expect(await counted()).toMatchObject({ cancelled: WAITING })
    expect(await moveWaitingJob.run(tradepost.app)).toBe(false)
  })
})

test('a caller that reads many endpoints at once gets each, although they do not fit into the cache', async () => {
  const { db } = tradepost.app
  const targets = createTargets(db, 1)
  const ids = await Promise.all(
    [1, 2].map(async () => {
      const { id } = await listen()
      const { rows } = await sql<{ id: number }>`
        select id from webhook_endpoint where public_id = ${id}`.execute(db)
      return Number(rows[0]?.id)
    }),
  )
  const [a = 0, b = 0] = ids
  await targets.read(new Set([a]))
  const [first, second] = await Promise.all([
    targets.read(new Set([a])),
    targets.read(new Set([b])),
  ])
  expect(first.get(a)).toMatchObject({ id: a })
  expect(second.get(b)).toMatchObject({ id: b })
})
