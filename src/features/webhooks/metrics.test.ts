import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
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

const start = () => {
  dispatcher = startDispatcher(tradepost.app, tradepost.metrics.webhooks.meter)
}
const happen = async () => order(tradepost, (await product(tradepost, { type: 'service' })).id)
const ready = async () => (await tradepost.server.inject('/readyz')).statusCode

/** Samples of the page, by their name with labels. */
async function metrics(): Promise<Record<string, number>> {
  const payload = await tradepost.metrics.print(tradepost.app)
  const samples = payload.split('\n').filter((line) => line.startsWith('tradepost_webhook_'))
  return Object.fromEntries(
    samples.map((line) => [
      line.slice('tradepost_webhook_'.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' '))),
    ]),
  )
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('the page of metrics has these names, and each has a description', async () => {
  const payload = await tradepost.metrics.print(tradepost.app)
  const helped = [...payload.matchAll(/^# HELP tradepost_webhook_(\S+) \S.*\.$/gm)]
  expect(helped.map(([, name]) => name).sort()).toEqual([
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

test('attempts are counted by result and by what went wrong, and their flushes with them', async () => {
  const before = await metrics()
  const more = async (name: string) => ((await metrics())[name] ?? 0) - (before[name] ?? 0)
  start()
  await happen()
  await until(
    async () => (await more('attempts_total{result="succeeded",error_code="none"}')) === 1,
  )
  receiver.answer((response) => response.writeHead(500).end())
  await happen()
  await until(
    async () => (await more('attempts_total{result="failed",error_code="http_status"}')) === 1,
  )
  await tradepost.patch(`/webhooks/${webhook.id}`, { url: 'https://seller.example/hook' })
  await sql`update webhook_endpoint set url = 'https://10.0.0.1/hook'
             where public_id = ${webhook.id}`.execute(tradepost.db)
  await happen()
  await until(async () => (await more('blocked_addresses_total')) === 1)
  expect(await more('attempts_total{result="failed",error_code="blocked_address"}')).toBe(1)
  expect(await more('attempt_duration_seconds_count')).toBe(3)
  await until(async () => (await more('flush_size_sum')) === 3)
  expect(await more('flush_size_count')).toBe(await more('flush_duration_seconds_count'))
  expect(await more('fenced_writes_total')).toBe(0)
  expect((await metrics()).sockets_open).toBeGreaterThanOrEqual(1)
  expect((await metrics())['queue_depth{lane="retry"}']).toBe(2)
})

test('what waits is counted by lane, and endpoints that are off', async () => {
  expect(await metrics()).toMatchObject({
    'queue_depth{lane="first"}': 0,
    'queue_depth{lane="retry"}': 0,
    'queue_depth{lane="parked"}': 0,
    oldest_due_age_seconds: 0,
    endpoints_off: 0,
  })
  await happen()
  await happen()
  expect((await metrics())['queue_depth{lane="first"}']).toBe(2)
  await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
  start()
  await until(async () => (await metrics())['queue_depth{lane="parked"}'] === 2)
  expect(await metrics()).toMatchObject({
    'queue_depth{lane="first"}': 0,
    'queue_depth{lane="retry"}': 0,
    endpoints_off: 1,
    // A parked delivery is not due.
    oldest_due_age_seconds: 0,
  })
})

test('a lease that ran out is counted, and a result that came too late', async () => {
  const before = await metrics()
  const held: (() => void)[] = []
  receiver.answer((response) => void held.push(() => response.end('ok')))
  start()
  await happen()
  await receiver.until(1)
  await sql`update webhook_fanout set lease_until = now() - interval '1 s'`.execute(tradepost.db)
  await until(async () => {
    const { lease_expiries_total = 0 } = await metrics()
    return lease_expiries_total === (before.lease_expiries_total ?? 0) + 1
  })
  for (const finish of held) finish()
  receiver.answer((response) => response.end('ok'))
  await until(async () => {
    const { fenced_writes_total = 0 } = await metrics()
    return fenced_writes_total === (before.fenced_writes_total ?? 0) + 1
  })
})

describe('the oldest due age', () => {
  test('is the age of an event that no worker claimed, and of an expired lease', async () => {
    await happen()
    await happen()
    await sql`update event set created_at = now() - interval '90 s'
               where no = (select max(no) from webhook_fanout)`.execute(tradepost.db)
    // The younger number is older by its time, but the one before is looked at first: it is due too.
    await sql`update event set created_at = now() - interval '95 s'
               where no = (select min(no) from webhook_fanout)`.execute(tradepost.db)
    expect((await metrics()).oldest_due_age_seconds).toBeGreaterThanOrEqual(95)
    await sql`update webhook_fanout set lease_token = 1, lease_until = now() + interval '20 s'`.execute(
      tradepost.db,
    )
    expect((await metrics()).oldest_due_age_seconds).toBe(0)
    await sql`update webhook_fanout set lease_until = now() - interval '7 s'`.execute(tradepost.db)
    const { oldest_due_age_seconds } = await metrics()
    expect(oldest_due_age_seconds).toBeGreaterThanOrEqual(7)
    expect(oldest_due_age_seconds).toBeLessThan(90)
  })

  test('is that of a retry whose time has come, and not of one that is still ahead', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    start()
    await happen()
    await until(async () => (await metrics())['queue_depth{lane="retry"}'] === 1)
    await dispatcher?.stop()
    expect((await metrics()).oldest_due_age_seconds).toBe(0)
    await sql`update webhook_retry set due_at = now() - interval '40 s'`.execute(tradepost.db)
    expect((await metrics()).oldest_due_age_seconds).toBeGreaterThanOrEqual(40)
  })

  test('looks at few rows behind a backlog of 100,000', async () => {
    await happen()
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
    // It begins with the first store and the first endpoint.
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': Json }>(
        `explain (analyze, format json) ${statement?.replaceAll(/\$\d/g, '0')}`,
      )
      .execute(tradepost.db)
    expect(readRows(rows[0]?.['QUERY PLAN'][0].Plan)).toBeLessThan(200)
    expect(await selectOldestDueAge(tradepost.db)).toBeGreaterThanOrEqual(50 * SECOND_MS)
    await sql`
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select store_id, 0, endpoint_id, 1, now() from webhook_retry limit 1`.execute(tradepost.db)
    expect(await metrics()).toMatchObject({
      'queue_depth{lane="first"}': 100_000,
      'queue_depth{lane="retry"}': 100_000,
    })
  })
})

/** Rows that the scans of a plan read. */
function readRows(plan: Json): number {
  const own = plan['Relation Name'] ? plan['Actual Rows'] * plan['Actual Loops'] : 0
  return own + (plan.Plans ?? []).reduce((sum: number, item: Json) => sum + readRows(item), 0)
}

describe('readiness', () => {
  /** The machine's clock moves on; what waits is as old as that, by the database's clock. */
  const wait = async (ms: number, age_ms = ms) => {
    tradepost.forward(ms)
    await sql`update event set created_at = now() - ${age_ms}::int * interval '1 ms'
               where no in (select no from webhook_fanout)`.execute(tradepost.db)
  }

  test('fails when events are due and nothing was taken for 30 seconds, and comes back', async () => {
    await happen()
    expect(await ready()).toBe(200)
    await wait(29 * SECOND_MS)
    expect(await ready()).toBe(200)
    await wait(2 * SECOND_MS, 31 * SECOND_MS)
    expect(await ready()).toBe(503)
    start()
    await receiver.until(1)
    await until(async () => (await ready()) === 200)
  })

  test('does not mind a quiet hour: nothing is due', async () => {
    await wait(3_600 * SECOND_MS)
    expect(await ready()).toBe(200)
  })

  test('does not mind a backlog of which something is taken all the time', async () => {
    await happen()
    await wait(31 * SECOND_MS)
    expect(await ready()).toBe(503)
    tradepost.metrics.webhooks.meter.claimed()
    expect(await ready()).toBe(200)
  })

  test.each([
    [
      'first tries',
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
  ])('knows %s that another process took, and when that one is gone', async (_, took, died) => {
    await happen()
    await happen()
    await wait(31 * SECOND_MS)
    expect(await ready()).toBe(503)
    await took.execute(tradepost.db)
    expect(await ready()).toBe(200)
    await died.execute(tradepost.db)
    await wait(31 * SECOND_MS)
    expect(await ready()).toBe(503)
  })

  test('does not take a retry that only comes due soon for one that was taken', async () => {
    await happen()
    await sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
              select store_id, 1, id, 1, now() + interval '20 s' from webhook_endpoint
               order by id desc limit 1`.execute(tradepost.db)
    await wait(31 * SECOND_MS)
    expect(await ready()).toBe(503)
  })

  test('fails at a process that only answers, since a worker has no page of its own', async () => {
    const answering = {
      ...tradepost.app,
      config: { ...tradepost.app.config, role: 'api' as const },
    }
    const operations = {
      version: '0',
      storeApiUrl: 'http://127.0.0.1:4100/v1',
      metrics: tradepost.metrics,
      leaving: () => false,
    }
    const server = await openSurfaces(answering, openAuthentication(answering), operations)
    const status = async () => (await server.inject('/readyz')).statusCode
    expect(await status()).toBe(200)
    await happen()
    await wait(31 * SECOND_MS)
    expect(await status()).toBe(503)
    await server.close()
  })
})
