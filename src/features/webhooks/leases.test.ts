import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { createSender } from '../../sender/sender.ts'
import { untried } from './engine/attempt.ts'
import { createExecutor } from './engine/executor.ts'
import { createLanes } from './engine/lanes.ts'
import { type Result, recordResults } from './engine/record-results.ts'
import { createTargets } from './engine/targets.ts'
import type { Try } from './engine/try.ts'
import { freeLeasesJob, selectOldestDueAge } from './index.ts'
import { NO_METER } from './metrics.ts'
import { selectTarget } from './queries/claim.ts'

/** The lease of an attempt, and the effect of a failed attempt on its endpoint. */

const subscribed = subscribedStore()
const { happen, loseLeases, show, take, turn } = subscribed

const newest = async (): Promise<Json> => {
  const { deliveries } = (
    await subscribed.tradepost.get(`/events/deliveries?webhook_id=${subscribed.webhook.id}`)
  ).json
  return (await subscribed.tradepost.get(`/events/deliveries/${deliveries[0].id}`)).json.delivery
}
const resend = (id: number) => subscribed.tradepost.post(`/events/deliveries/${id}/resend`)

const failed = (item: Try): Result => {
  const result = untried(subscribed.tradepost.app, item, { status: 'pending', wait_ms: 60_000 })
  const row = { ...result.row, attempts: item.progress.attempts + 1, duration_ms: 5 }
  return { ...result, sent: true, row }
}

test('a lease lasts 30 seconds: of a first attempt, of a retry, and of a manual attempt', async () => {
  const look = async () => {
    const { rows } = await sql<{ now: number; until: number | null }>`
      select extract(epoch from clock_timestamp())::float8 as now,
             (select extract(epoch from max(until))::float8
                from (select lease_until as until from webhook_fanout
                       union all select due_at from webhook_retry where lease_token <> 0) l) as until`.execute(
      subscribed.tradepost.db,
    )
    return rows[0] ?? { now: 0, until: null }
  }
  /** The lease began between the two looks. */
  const expectALease = async (before: { now: number }) => {
    const { now, until } = await look()
    expect(until).toBeGreaterThanOrEqual(before.now + 30)
    expect(until).toBeLessThanOrEqual(now + 30)
  }
  await happen(1)
  let before = await look()
  await take()
  await expectALease(before)
  await loseLeases()
  before = await look()
  await take()
  await expectALease(before)
  await loseLeases()
  let finish = () => {}
  subscribed.receiver.answer((response) => {
    finish = () => response.end('ok')
  })
  const { id } = await newest()
  before = await look()
  const resent = resend(id)
  await subscribed.receiver.until(1)
  await expectALease(before)
  finish()
  expect((await resent).json.result.ok).toBe(true)
})

describe('a lease that ends ahead of a clock that was put back has expired (decision 245)', () => {
  const putClockBack = async () => {
    await sql`update webhook_fanout set lease_until = lease_until + interval '1 hour'`.execute(
      subscribed.tradepost.db,
    )
    await sql`
      update webhook_retry set due_at = due_at + interval '1 hour' where lease_token <> 0`.execute(
      subscribed.tradepost.db,
    )
  }

  test('of a first attempt', async () => {
    await happen(1)
    await take()
    expect(await newest()).toMatchObject({ status: 'delivering' })
    await putClockBack()
    expect(await newest()).toMatchObject({ status: 'pending' })
    expect(await take()).toHaveLength(1)
    expect(await newest()).toMatchObject({
      status: 'delivering',
      attempt_history: [{ error: expect.stringMatching(/^worker_lost: /) }],
    })
  })

  test('of a retry', async () => {
    await happen(1)
    await take()
    await loseLeases()
    expect(await take()).toHaveLength(1)
    await putClockBack()
    expect(await newest()).toMatchObject({ status: 'pending' })
    expect(await take()).toEqual([])
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await take()).toHaveLength(1)
  })

  test('a resend does not wait for it', async () => {
    await happen(1)
    await take()
    const { id } = await newest()
    expect((await resend(id)).status).toBe(409)
    await putClockBack()
    expect((await resend(id)).json.result.ok).toBe(true)
  })

  test('nor does a delivery that was given back without an attempt', async () => {
    await happen(1)
    const givenBack = (item: Try) => ({
      ...untried(subscribed.tradepost.app, item, { status: 'pending', wait_ms: 1_000 }),
      sent: false,
    })
    await recordResults(subscribed.tradepost.db, (await take()).map(givenBack))
    await sql`update webhook_retry set due_at = due_at + interval '1 hour'`.execute(
      subscribed.tradepost.db,
    )
    expect(await take()).toEqual([])
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await take()).toHaveLength(1)
  })

  test('a retry that is due in an hour is no lease', async () => {
    await happen(1)
    await recordResults(subscribed.tradepost.db, (await take()).map(failed))
    await sql`update webhook_retry set due_at = due_at + interval '1 hour', step = 1`.execute(
      subscribed.tradepost.db,
    )
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await take()).toEqual([])
  })
})

test('a manual attempt whose process died is recorded as lost, is not sent again, and its schedule goes on', async () => {
  await happen(1)
  await recordResults(subscribed.tradepost.db, (await take()).map(failed))
  await sql`
    update webhook_retry
       set lease_token = 7, by_hand = true, resume_at = due_at,
           due_at = clock_timestamp() - interval '40 s'`.execute(subscribed.tradepost.db)
  const before = await newest()
  expect(await take()).toEqual([])
  expect(await selectOldestDueAge(subscribed.tradepost.db)).toBe(0)
  const delivery = await newest()
  expect(delivery).toMatchObject({
    status: 'pending',
    attempts: 2,
    next_attempt_at: before.next_attempt_at,
  })
  expect(delivery.attempt_history).toMatchObject([
    { attempt: 1, manual: false },
    { attempt: 2, manual: true, error: expect.stringMatching(/^worker_lost: /) },
  ])
})

test('a manual attempt that ends after its lease went to another attempt is not recorded', async () => {
  const held: ServerResponse[] = []
  subscribed.receiver.answer((response) => void held.push(response))
  await happen(1)
  const { id } = await newest()
  const late = resend(id)
  await subscribed.receiver.until(1)
  await loseLeases()
  const again = resend(id)
  await subscribed.receiver.until(2)
  held[0]?.writeHead(500).end()
  await late
  held[1]?.end('ok')
  await again
  const { status, attempt_history } = await newest()
  expect(status).toBe('succeeded')
  expect(attempt_history).toMatchObject([
    { attempt: 1, status_code: null, error: expect.stringMatching(/^worker_lost: /) },
    { attempt: 2, status_code: 200 },
  ])
})

test('deliveries that a closing sender releases were not attempted, and are due in a second', async () => {
  await happen(1)
  const [one] = await take()
  if (!one) throw new Error('Nothing was taken.')
  const sender = createSender({ allowedHosts: subscribed.tradepost.app.config.webhookAllowedHosts })
  await sender.close()
  const results: Result[] = []
  let attempted = 0
  const executor = createExecutor(subscribed.tradepost.app, {
    sender,
    targets: createTargets(subscribed.tradepost.db),
    lanes: createLanes(100, () => {}),
    buffer: {
      add: (result) => void results.push(result),
      size: () => results.length,
      isBehind: () => false,
      close: async () => {},
    },
    meter: { ...NO_METER, attempted: () => void attempted++ },
    noted: (error) => expect(error).toBeUndefined(),
  })
  const [claimed_at, read_at] = [performance.now(), performance.now()]
  const target = await selectTarget(subscribed.tradepost.db, one.endpoint_id)
  executor.begin(one, { claimed_at, read_at, target })
  await expect.poll(() => results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    sent: false,
    row: { status: 'pending', attempts: 0, wait_ms: 1_000 },
  })
  expect(attempted).toBe(0)
})

test('an endpoint that was turned off manually stays off, however many running attempts fail', async () => {
  await happen(40)
  const taken = await take()
  await turn(false)
  const before = await show()
  await recordResults(subscribed.tradepost.db, taken.map(failed))
  expect(await show()).toEqual(before)
  expect(before).toMatchObject({ enabled: false, disabled_reason: 'manual' })
})

test('turning an endpoint on begins its row of failures anew', async () => {
  await happen(39)
  await recordResults(subscribed.tradepost.db, (await take()).map(failed))
  await turn(false)
  await turn(true)
  await happen(1)
  const [one] = (await take()).filter(({ lane }) => lane === 'first')
  await recordResults(subscribed.tradepost.db, one ? [failed(one)] : [])
  expect(await show()).toMatchObject({ enabled: true })
})
