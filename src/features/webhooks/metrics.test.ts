import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { until } from '../../../test/until.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { openSurfaces } from '../../surfaces/server.ts'
import { openAuthentication } from '../../surfaces/store-authentication.ts'
import { type Dispatcher, selectOldestDueAge, startDispatcher } from './index.ts'

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher | undefined
let webhook: Json

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  receiver = await openReceiver()
  const { json } = await tradepost.post('/webhooks', {
    url: receiver.url,
    events: ['order.created'],
  })
  webhook = json.webhook
})
afterEach(async () => {
  await dispatcher?.stop()
  dispatcher = undefined
  await receiver.close()
  await sql`truncate webhook_fanout, webhook_retry`.execute(tradepost.db)
  await tradepost.delete(`/webhooks/${webhook.id}`)
})

const startMeteredDispatcher = () => {
  dispatcher = startDispatcher(tradepost.app, tradepost.metrics.webhooks.meter)
}
const createOrder = async () => order(tradepost, (await product(tradepost, { type: 'service' })).id)
const readyStatus = async () => (await tradepost.server.inject('/readyz')).statusCode

/** Samples of the metrics page, by name with labels. */
async function readMetrics(): Promise<Record<string, number>> {
  const payload = await tradepost.metrics.print(tradepost.app)
  const sampleLines = payload.split('\n').filter((line) => line.startsWith('tradepost_webhook_'))
  return Object.fromEntries(
    sampleLines.map((line) => [
      line.slice('tradepost_webhook_'.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' '))),
    ]),
  )
}

test('the metrics page has exactly the listed webhook metrics, each with a description', async () => {
  const payload = await tradepost.metrics.print(tradepost.app)
  const describedNames = [...payload.matchAll(/^# HELP tradepost_webhook_(\S+) \S.*\.$/gm)]
  expect(describedNames.map(([, name]) => name).sort()).toEqual([
    'attempt_duration_seconds',
    'attempts_total',
    'blocked_addresses_total',
    'endpoints_off',
    'fenced_writes_total',
    'flush_duration_seconds',
    'flush_size',
    'lease_expiries_total',
    'oldest_due_age_seconds',
    'queue_depth',
    'sockets_open',
  ])
})

test('attempts are measured from 5 ms to 10 s, writes from 1 ms, and batches up to 500 results', async () => {
  const payload = await tradepost.metrics.print(tradepost.app)
  const buckets = (name: string) =>
    [...payload.matchAll(new RegExp(`^tradepost_webhook_${name}_bucket.le="(.*?)"`, 'gm'))]
      .map(([, le]) => le)
      .join(' ')
  expect(buckets('attempt_duration_seconds')).toBe(
    '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf',
  )
  expect(buckets('flush_duration_seconds')).toBe(
    '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 +Inf',
  )
  expect(buckets('flush_size')).toBe('1 2 5 10 25 50 100 200 500 +Inf')
})

test('attempts are counted by result and failure, and so are the flushes of results', async () => {
  const before = await readMetrics()
  const increaseOf = async (name: string) =>
    ((await readMetrics())[name] ?? 0) - (before[name] ?? 0)
  startMeteredDispatcher()
  await createOrder()
  await until(
    async () => (await increaseOf('attempts_total{result="succeeded",error_code="none"}')) === 1,
  )
  let socketsDuringCall: number | undefined
  receiver.answer(async (response) => {
    socketsDuringCall = (await readMetrics()).sockets_open
    response.writeHead(500).end()
  })
  await createOrder()
  await until(
    async () =>
      (await increaseOf('attempts_total{result="failed",error_code="http_status"}')) === 1,
  )
  await tradepost.patch(`/webhooks/${webhook.id}`, { url: 'https://seller.example/hook' })
  await sql`update webhook_endpoint set url = 'https://10.0.0.1/hook'
             where public_id = ${webhook.id}`.execute(tradepost.db)
  await createOrder()
  await until(async () => (await increaseOf('blocked_addresses_total')) === 1)
  expect(await increaseOf('attempts_total{result="failed",error_code="blocked_address"}')).toBe(1)
  expect(await increaseOf('attempt_duration_seconds_count')).toBe(3)
  await until(async () => (await increaseOf('flush_size_sum')) === 3)
  expect(await increaseOf('flush_size_count')).toBe(
    await increaseOf('flush_duration_seconds_count'),
  )
  expect(await increaseOf('fenced_writes_total')).toBe(0)
  expect(socketsDuringCall).toBeGreaterThanOrEqual(1)
  expect((await readMetrics())['queue_depth{lane="retry"}']).toBe(2)
})

test('pending deliveries are counted by lane, and so are endpoints that are off', async () => {
  expect(await readMetrics()).toMatchObject({
    'queue_depth{lane="first"}': 0,
    'queue_depth{lane="retry"}': 0,
    'queue_depth{lane="parked"}': 0,
    oldest_due_age_seconds: 0,
    endpoints_off: 0,
  })
  await createOrder()
  await createOrder()
  expect((await readMetrics())['queue_depth{lane="first"}']).toBe(2)
  await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
  startMeteredDispatcher()
  await until(async () => (await readMetrics())['queue_depth{lane="parked"}'] === 2)
  expect(await readMetrics()).toMatchObject({
    'queue_depth{lane="first"}': 0,
    'queue_depth{lane="retry"}': 0,
    endpoints_off: 1,
    // A parked delivery is not due.
    oldest_due_age_seconds: 0,
  })
})

test('an expired lease is counted, and so is a late result', async () => {
  const before = await readMetrics()
  const openReplies: (() => void)[] = []
  receiver.answer((response) => void openReplies.push(() => response.end('ok')))
  startMeteredDispatcher()
  await createOrder()
  await receiver.until(1)
  await sql`update webhook_fanout set lease_until = now() - interval '1 s'`.execute(tradepost.db)
  await until(async () => {
    const { lease_expiries_total = 0 } = await readMetrics()
    return lease_expiries_total === (before.lease_expiries_total ?? 0) + 1
  })
  for (const finish of openReplies) finish()
  receiver.answer((response) => response.end('ok'))
  await until(async () => {
    const { fenced_writes_total = 0 } = await readMetrics()
    return fenced_writes_total === (before.fenced_writes_total ?? 0) + 1
  })
})

describe('the oldest due age', () => {
  test('is the age of an unclaimed event, and of an expired lease', async () => {
    await createOrder()
    await createOrder()
    await sql`update event set created_at = now() - interval '90 s'
               where no = (select max(no) from webhook_fanout)`.execute(tradepost.db)
    // The second event has the earlier time, but the first is read first: it is due too.
    await sql`update event set created_at = now() - interval '95 s'
               where no = (select min(no) from webhook_fanout)`.execute(tradepost.db)
    expect((await readMetrics()).oldest_due_age_seconds).toBeGreaterThanOrEqual(95)
    await sql`update webhook_fanout set lease_token = 1, lease_until = now() + interval '20 s'`.execute(
      tradepost.db,
    )
    expect((await readMetrics()).oldest_due_age_seconds).toBe(0)
    await sql`update webhook_fanout set lease_until = now() - interval '7 s'`.execute(tradepost.db)
    const { oldest_due_age_seconds } = await readMetrics()
    expect(oldest_due_age_seconds).toBeGreaterThanOrEqual(7)
    expect(oldest_due_age_seconds).toBeLessThan(90)
  })

  test('is the age of a due retry, and 0 if all retries are due later', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    startMeteredDispatcher()
    await createOrder()
    await until(async () => (await readMetrics())['queue_depth{lane="retry"}'] === 1)
    await dispatcher?.stop()
    expect((await readMetrics()).oldest_due_age_seconds).toBe(0)
    await sql`update webhook_retry set due_at = now() - interval '40 s'`.execute(tradepost.db)
    expect((await readMetrics()).oldest_due_age_seconds).toBeGreaterThanOrEqual(40)
  })

  test('is read from few rows despite a backlog of 100,000', async () => {
    await createOrder()
    await sql`
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select w.store_id, n, w.id, 1, now() - interval '50 s'
        from webhook_endpoint w, generate_series(1, 100000) n
       where w.public_id = ${webhook.id}`.execute(tradepost.db)
    await sql`
      insert into webhook_fanout (store_id, no, endpoint_ids)
      select store_id, no + n, endpoint_ids from webhook_fanout, generate_series(1, 100000) n`.execute(
      tradepost.db,
    )
    await sql`analyze webhook_retry, webhook_fanout`.execute(tradepost.db)
    const [statement] = await tradepost.statements(() => selectOldestDueAge(tradepost.db))
    // The parameters of the first page are zero.
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': Json }>(
        `explain (analyze, format json) ${statement?.replaceAll(/\$\d/g, '0')}`,
      )
      .execute(tradepost.db)
    expect(countReadRows(rows[0]?.['QUERY PLAN'][0].Plan)).toBeLessThan(200)
    expect(await selectOldestDueAge(tradepost.db)).toBeGreaterThanOrEqual(50 * SECOND_MS)
    await sql`
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select store_id, 0, endpoint_id, 1, now() from webhook_retry limit 1`.execute(tradepost.db)
    expect(await readMetrics()).toMatchObject({
      'queue_depth{lane="first"}': 100_000,
      'queue_depth{lane="retry"}': 100_000,
    })
  })
})

/** Counts the rows that the scans of a plan read. */
function countReadRows(plan: Json): number {
  const rowsOfNode = plan['Relation Name'] ? plan['Actual Rows'] * plan['Actual Loops'] : 0
  return (
    rowsOfNode +
    (plan.Plans ?? []).reduce((sum: number, item: Json) => sum + countReadRows(item), 0)
  )
}

describe('readiness', () => {
  /** Advances the machine clock, and sets the age of pending events, which the database's clock measures. */
  const agePendingWork = async (advance_ms: number, age_ms = advance_ms) => {
    tradepost.forward(advance_ms)
    await sql`update event set created_at = now() - ${age_ms}::int * interval '1 ms'
               where no in (select no from webhook_fanout)`.execute(tradepost.db)
  }

  test('fails if events are due and none was claimed for 30 seconds, and recovers', async () => {
    await createOrder()
    expect(await readyStatus()).toBe(200)
    await agePendingWork(29 * SECOND_MS)
    expect(await readyStatus()).toBe(200)
    await agePendingWork(2 * SECOND_MS, 31 * SECOND_MS)
    expect(await readyStatus()).toBe(503)
    startMeteredDispatcher()
    await receiver.until(1)
    await until(async () => (await readyStatus()) === 200)
  })

  test('succeeds in an idle hour, in which nothing is due', async () => {
    await agePendingWork(3_600 * SECOND_MS)
    expect(await readyStatus()).toBe(200)
  })

  test('succeeds with a backlog from which a delivery was just claimed', async () => {
    await createOrder()
    await agePendingWork(31 * SECOND_MS)
    expect(await readyStatus()).toBe(503)
    tradepost.metrics.webhooks.meter.recordClaim()
    expect(await readyStatus()).toBe(200)
  })

  test.each([
    [
      'first attempts',
      sql`update webhook_fanout set lease_token = 1, lease_until = now() + interval '20 s'
           where no = (select min(no) from webhook_fanout)`,
      sql`update webhook_fanout set lease_until = now() - interval '31 s' where lease_token = 1`,
    ],
    [
      'retries',
      sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at, lease_token)
          select store_id, 1, id, 1, now() + interval '20 s', 1 from webhook_endpoint
           order by id desc limit 1`,
      sql`update webhook_retry set due_at = now() - interval '31 s'`,
    ],
  ])(
    'succeeds while another process has claimed %s, and fails after their leases have expired',
    async (_, claim, expireLease) => {
      await createOrder()
      await createOrder()
      await agePendingWork(31 * SECOND_MS)
      expect(await readyStatus()).toBe(503)
      await claim.execute(tradepost.db)
      expect(await readyStatus()).toBe(200)
      await expireLease.execute(tradepost.db)
      await agePendingWork(31 * SECOND_MS)
      expect(await readyStatus()).toBe(503)
    },
  )

  test('does not count a retry that becomes due soon as claimed', async () => {
    await createOrder()
    await sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
              select store_id, 1, id, 1, now() + interval '20 s' from webhook_endpoint
               order by id desc limit 1`.execute(tradepost.db)
    await agePendingWork(31 * SECOND_MS)
    expect(await readyStatus()).toBe(503)
  })

  test('fails on an API process if the workers stall, because a worker serves no page', async () => {
    const apiProcess = {
      ...tradepost.app,
      config: { ...tradepost.app.config, role: 'api' as const },
    }
    const operations = {
      version: '0',
      storeApiUrl: 'http://127.0.0.1:4100/v1',
      metrics: tradepost.metrics,
      isStopping: () => false,
    }
    const server = await openSurfaces(apiProcess, openAuthentication(apiProcess), operations)
    const status = async () => (await server.inject('/readyz')).statusCode
    expect(await status()).toBe(200)
    await createOrder()
    await agePendingWork(31 * SECOND_MS)
    expect(await status()).toBe(503)
    await server.close()
  })
})
