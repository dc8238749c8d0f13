import { type KyselyPlugin, RawNode, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { DAY_MS, HOUR_MS, iso } from '../../kernel/time.ts'
import { clockCommands } from '../installation/clock/index.ts'
import { foldStatsJob, pruneEventsJob, startDispatcher } from './index.ts'
import { deletePruned, lockPrunable, selectStoresToPrune } from './queries/prune.ts'

let tradepost: Tradepost
let receiver: Receiver
let webhook: Json

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  receiver = await openReceiver()
  webhook = await createEndpoint(tradepost.live)
})
afterEach(async () => {
  await tradepost.delete(`/webhooks/${webhook.id}`)
  await receiver.close()
})

const createEndpoint = async (as = tradepost.live): Promise<Json> => {
  const body = { url: receiver.url, events: ['order.created'] }
  return (await tradepost.post('/webhooks', body, { as })).json.webhook
}
const runPruneJob = () => pruneEventsJob.run(tradepost.app)
const listDeliveries = async (as = tradepost.live): Promise<Json[]> =>
  (await tradepost.get('/events/deliveries?limit=100', { as })).json.deliveries
const createOrder = async (as = tradepost.live) =>
  order(tradepost, (await product(tradepost, { type: 'service' }, { as })).id, {}, { as })

/** Sends all pending deliveries. */
async function sendAll(): Promise<void> {
  const receivedBefore = receiver.received.length
  const dispatcher = startDispatcher(tradepost.app)
  await receiver.until(receivedBefore + 1)
  await dispatcher.stop()
}

async function countRows(): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from event) as events,
           (select count(*) from webhook_delivery) as deliveries,
           (select count(*) from webhook_attempt) as attempts`.execute(tradepost.db)
  return { ...rows[0] }
}

describe('after 30 days (decisions 18 and 49)', () => {
  test('an event is deleted with its deliveries and all their attempts, and not an hour earlier', async () => {
    await createOrder()
    await sendAll()
    const [{ id } = {}] = await listDeliveries()
    await tradepost.post(`/events/deliveries/${id}/resend`)
    await tradepost.post(`/events/deliveries/${id}/resend`)
    const rowsBefore = await countRows()
    expect(rowsBefore).toMatchObject({ deliveries: 1, attempts: 2 })

    tradepost.forward(30 * DAY_MS - HOUR_MS)
    expect(await runPruneJob()).toBe(false)
    expect(await countRows()).toEqual(rowsBefore)

    tradepost.forward(HOUR_MS)
    await createOrder()
    expect(await runPruneJob()).toBe(false)
    // The newest event is kept, and waits for its first attempt.
    expect(await countRows()).toEqual({ events: 1, deliveries: 0, attempts: 0 })
    expect((await tradepost.get(`/events/deliveries/${id}`)).status).toBe(404)
    expect((await tradepost.post(`/events/deliveries/${id}/resend`)).status).toBe(404)
    expect(await listDeliveries()).toMatchObject([{ status: 'pending' }])
    await sendAll()
  })

  test('a delivery that waits for its first attempt is kept, and sent', async () => {
    const newOrder = await createOrder()
    tradepost.forward(31 * DAY_MS)
    await runPruneJob()
    await sendAll()
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '').data.object.id).toBe(newOrder.id)
    await runPruneJob()
    expect(await listDeliveries()).toEqual([])
  })

  test('a delivery that waits for a retry is kept, and one parked at an endpoint that is off is deleted', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    await createOrder()
    await sendAll()
    tradepost.forward(31 * DAY_MS)
    await runPruneJob()
    const [pendingDelivery] = await listDeliveries()
    expect(pendingDelivery).toMatchObject({ status: 'pending', attempts: 1 })
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    expect(await listDeliveries()).toMatchObject([{ status: 'pending', next_attempt_at: null }])
    await runPruneJob()
    expect(await listDeliveries()).toEqual([])
    expect((await tradepost.post(`/events/deliveries/${pendingDelivery?.id}/resend`)).status).toBe(
      404,
    )
    const { rows } = await sql`select from webhook_retry`.execute(tradepost.db)
    expect(rows).toEqual([])
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: true })
    expect((await tradepost.get('/webhooks')).json.webhooks[0].stats).toMatchObject({ pending: 0 })
  })

  test('a delivery is kept while it is being resent', async () => {
    await createOrder()
    await sendAll()
    tradepost.forward(31 * DAY_MS)
    let finish = () => {}
    receiver.answer((response) => {
      finish = () => response.end('ok')
    })
    const [{ id } = {}] = await listDeliveries()
    const resend = tradepost.post(`/events/deliveries/${id}/resend`)
    await receiver.until(2)
    await runPruneJob()
    finish()
    expect((await resend).json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })
    await runPruneJob()
    expect(await listDeliveries()).toEqual([])
  })

  test('by its own clock, a test side deletes events, even if its live side does not yet', async () => {
    await createOrder()
    await sendAll()
    const testEndpoint = await createEndpoint(tradepost.test)
    await createOrder(tradepost.test)
    await sendAll()
    await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration: '31d' })
    await runPruneJob()
    expect(await listDeliveries(tradepost.test)).toEqual([])
    expect(await listDeliveries()).toMatchObject([{ status: 'succeeded' }])
    await tradepost.delete(`/webhooks/${testEndpoint.id}`, { as: tradepost.test })
  })
})

test('hourly statistics are kept for the seven days that are counted, and deleted after eight', async () => {
  await createOrder()
  await sendAll()
  await foldStatsJob.run(tradepost.app)
  const countHours = async () =>
    (
      await sql`select from webhook_stat_hour s join webhook_endpoint w on w.id = s.endpoint_id
                where w.public_id = ${webhook.id}`.execute(tradepost.db)
    ).rows.length
  tradepost.forward(7 * DAY_MS)
  await runPruneJob()
  expect(await countHours()).toBe(1)
  tradepost.forward(DAY_MS + HOUR_MS)
  await runPruneJob()
  expect(await countHours()).toBe(0)
})

test('deliveries that become pending between the query and the deletion are kept', async () => {
  await createOrder()
  await sendAll()
  tradepost.forward(31 * DAY_MS)
  const [store] = await selectStoresToPrune(tradepost.db, {
    now: iso(tradepost.app.clock.now()),
    days: 30,
  })
  if (!store) throw new Error('There is nothing to prune.')
  const deliveries = await listDeliveries()
  await inTransaction(tradepost.db, async (tx) => {
    const eventNumbers = await lockPrunable(tx, store, 100)
    expect(eventNumbers.length).toBeGreaterThan(0)
    await sql`
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select store_id, id, endpoint_id, 0, now() from webhook_delivery`.execute(tx)
    await deletePruned(tx, store.store_id, eventNumbers)
  })
  expect(await listDeliveries()).toHaveLength(deliveries.length)
  await sql`delete from webhook_retry`.execute(tradepost.db)
  await runPruneJob()
  expect(await listDeliveries()).toEqual([])
})

describe('with 100,000 events', () => {
  let storeId: number

  beforeAll(async () => {
    const { rows } = await sql<{ id: number }>`
      select id from store where hash = ${tradepost.other.id}`.execute(tradepost.db)
    storeId = rows[0]?.id ?? 0
    const body = { url: 'http://127.0.0.1:4999/', events: ['order.created'] }
    await tradepost.post('/webhooks', body, { as: tradepost.other })
    // Two hundred a day: 1,200 of them are more than 30 days old.
    const now = iso(tradepost.app.clock.now())
    await sql`
      insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select ${storeId}, 1000000 + n, n, 'order.created', 'ord_' || n, '',
             ${now}::timestamptz - case when n <= 1200 then interval '31 days'
                                        else (100000 - n) * interval '20 s' end
        from generate_series(1, 100000) as n`.execute(tradepost.db)
    await sql`
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
      select e.store_id, e.no * 32, w.id, 'succeeded', 2, e.created_at, e.created_at
        from event e
        join webhook_endpoint w on w.store_id = e.store_id
       where e.store_id = ${storeId}`.execute(tradepost.db)
    await sql`
      insert into webhook_attempt (store_id, delivery_id, attempt, manual, worker_lost, created_at)
      select store_id, id, 1, false, false, created_at
        from webhook_delivery where store_id = ${storeId}`.execute(tradepost.db)
    // The 600 oldest are pending, so they are not deleted, but a query reads them first.
    await sql`
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select store_id, id, endpoint_id, 1, now()
        from webhook_delivery
       where store_id = ${storeId} and id < (1000000 + 601) * 32`.execute(tradepost.db)
    await sql`analyze`.execute(tradepost.db)
  })

  test('every query uses an index, even with a backlog of pending events', async () => {
    const plans: string[] = []
    const explainingTx = tradepost.db.withPlugin(explain(plans)) as unknown as Tx
    const store = {
      store_id: storeId,
      retained_since: iso(tradepost.app.clock.now() - 30 * DAY_MS),
    }
    await selectStoresToPrune(explainingTx, { now: iso(tradepost.app.clock.now()), days: 30 })
    await lockPrunable(explainingTx, store, 500)
    const eventNumbers = Array.from({ length: 500 }, (_, n) => 1_000_601 + n)
    await deletePruned(explainingTx, storeId, eventNumbers)
    expect(plans).toHaveLength(3)
    expect(plans[0]).toMatch(/Index.* event_store_id_created_at_idx/)
    expect(plans[1]).toMatch(/Index.* event_store_id_created_at_idx/)
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on (event|webhook_delivery|webhook_attempt|webhook_retry)/)
    }
  })

  test('old records are deleted in batches, and no others', async () => {
    const countRemaining = async () => {
      const { rows } = await sql<{ events: number; deliveries: number; attempts: number }>`
        select (select count(*) from event where store_id = ${storeId}) as events,
               (select count(*) from webhook_delivery where store_id = ${storeId}) as deliveries,
               (select count(*) from webhook_attempt where store_id = ${storeId}) as attempts`.execute(
        tradepost.db,
      )
      return rows[0]
    }
    const rowsOf = (count: number) => ({ events: count, deliveries: count, attempts: count })
    expect(await runPruneJob()).toBe(true)
    expect(await countRemaining()).toEqual(rowsOf(99_500))
    expect(await runPruneJob()).toBe(false)
    expect(await countRemaining()).toEqual(rowsOf(99_400))
  })
})

/** Returns the plan of each query instead of its rows. */
const explain = (plans: string[]): KyselyPlugin => ({
  transformQuery: ({ node }) => RawNode.create(['explain ', ''], [node]),
  async transformResult({ result }) {
    plans.push(result.rows.map((row) => row['QUERY PLAN']).join('\n'))
    return result
  },
})
