import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { createSender } from '../../sender/sender.ts'
import { unsentResult } from './engine/attempt.ts'
import { createEndpointQueues } from './engine/endpoint-queues.ts'
import { createExecutor } from './engine/executor.ts'
import type { LeasedDelivery } from './engine/leased-delivery.ts'
import { type AttemptResult, recordResults } from './engine/record-results.ts'
import { createTargets } from './engine/targets.ts'
import { freeLeasesJob, selectOldestDueAge } from './index.ts'
import { NO_METER } from './metrics.ts'
import { selectTarget } from './queries/claim.ts'

const subscribed = subscribedStore()
const { createOrders, expireLeases, getWebhook, claimAll, setEnabled } = subscribed

const getNewestDelivery = async (): Promise<Json> => {
  const { deliveries } = (
    await subscribed.tradepost.get(`/events/deliveries?webhook_id=${subscribed.webhook.id}`)
  ).json
  return (await subscribed.tradepost.get(`/events/deliveries/${deliveries[0].id}`)).json.delivery
}
const resend = (id: number) => subscribed.tradepost.post(`/events/deliveries/${id}/resend`)

const failedResult = (item: LeasedDelivery): AttemptResult => {
  const result = unsentResult(subscribed.tradepost.app, item, {
    status: 'pending',
    wait_ms: 60_000,
  })
  const row = { ...result.row, attempts: item.progress.attempts + 1, duration_ms: 5 }
  return { ...result, isSent: true, row }
}

test('a lease lasts 30 seconds for a first attempt, a retry and a manual attempt', async () => {
  const readLease = async () => {
    const { rows } = await sql<{ now: number; until: number | null }>`
      select extract(epoch from clock_timestamp())::float8 as now,
             (select extract(epoch from max(until))::float8
                from (select lease_until as until from webhook_fanout
                       union all select due_at from webhook_retry where lease_token <> 0) l) as until`.execute(
      subscribed.tradepost.db,
    )
    return rows[0] ?? { now: 0, until: null }
  }
  /** Expects a lease of 30 s that began between the read and now. */
  const expectNewLease = async (earlier: { now: number }) => {
    const { now, until } = await readLease()
    expect(until).toBeGreaterThanOrEqual(earlier.now + 30)
    expect(until).toBeLessThanOrEqual(now + 30)
  }
  await createOrders(1)
  let earlier = await readLease()
  await claimAll()
  await expectNewLease(earlier)
  await expireLeases()
  earlier = await readLease()
  await claimAll()
  await expectNewLease(earlier)
  await expireLeases()
  let finish = () => {}
  subscribed.receiver.answer((response) => {
    finish = () => response.end('ok')
  })
  const { id } = await getNewestDelivery()
  earlier = await readLease()
  const resendAnswer = resend(id)
  await subscribed.receiver.until(1)
  await expectNewLease(earlier)
  finish()
  expect((await resendAnswer).json.result.ok).toBe(true)
})

describe('after the clock was set back by an hour', () => {
  const setClockBack = async () => {
    await sql`update webhook_fanout set lease_until = lease_until + interval '1 hour'`.execute(
      subscribed.tradepost.db,
    )
    await sql`
      update webhook_retry set due_at = due_at + interval '1 hour' where lease_token <> 0`.execute(
      subscribed.tradepost.db,
    )
  }

  test('the lease of a running first attempt has expired', async () => {
    await createOrders(1)
    await claimAll()
    expect(await getNewestDelivery()).toMatchObject({ status: 'delivering' })
    await setClockBack()
    expect(await getNewestDelivery()).toMatchObject({ status: 'pending' })
    expect(await claimAll()).toHaveLength(1)
    expect(await getNewestDelivery()).toMatchObject({
      status: 'delivering',
      attempt_history: [{ error: expect.stringMatching(/^worker_lost: /) }],
    })
  })

  test('the lease of a running retry has expired', async () => {
    await createOrders(1)
    await claimAll()
    await expireLeases()
    expect(await claimAll()).toHaveLength(1)
    await setClockBack()
    expect(await getNewestDelivery()).toMatchObject({ status: 'pending' })
    expect(await claimAll()).toEqual([])
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await claimAll()).toHaveLength(1)
  })

  test('a resend does not wait for the end of a lease', async () => {
    await createOrders(1)
    await claimAll()
    const { id } = await getNewestDelivery()
    expect((await resend(id)).status).toBe(409)
    await setClockBack()
    expect((await resend(id)).json.result.ok).toBe(true)
  })

  test('a delivery that was released without an attempt is claimed again', async () => {
    await createOrders(1)
    const releasedResult = (item: LeasedDelivery) => ({
      ...unsentResult(subscribed.tradepost.app, item, { status: 'pending', wait_ms: 1_000 }),
      isSent: false,
    })
    await recordResults(subscribed.tradepost.db, (await claimAll()).map(releasedResult))
    await sql`update webhook_retry set due_at = due_at + interval '1 hour'`.execute(
      subscribed.tradepost.db,
    )
    expect(await claimAll()).toEqual([])
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await claimAll()).toHaveLength(1)
  })

  test('a retry that is due in an hour is not claimed', async () => {
    await createOrders(1)
    await recordResults(subscribed.tradepost.db, (await claimAll()).map(failedResult))
    await sql`update webhook_retry set due_at = due_at + interval '1 hour', step = 1`.execute(
      subscribed.tradepost.db,
    )
    await freeLeasesJob.run(subscribed.tradepost.app)
    expect(await claimAll()).toEqual([])
  })
})

test('a manual attempt whose process died is recorded as lost, is not repeated, and the schedule continues', async () => {
  await createOrders(1)
  await recordResults(subscribed.tradepost.db, (await claimAll()).map(failedResult))
  await sql`
    update webhook_retry
       set lease_token = 7, by_hand = true, resume_at = due_at,
           due_at = clock_timestamp() - interval '40 s'`.execute(subscribed.tradepost.db)
  const before = await getNewestDelivery()
  expect(await claimAll()).toEqual([])
  expect(await selectOldestDueAge(subscribed.tradepost.db)).toBe(0)
  const delivery = await getNewestDelivery()
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

test('a manual attempt that ends after another attempt took its lease is not recorded', async () => {
  const openResponses: ServerResponse[] = []
  subscribed.receiver.answer((response) => void openResponses.push(response))
  await createOrders(1)
  const { id } = await getNewestDelivery()
  const firstResend = resend(id)
  await subscribed.receiver.until(1)
  await expireLeases()
  const secondResend = resend(id)
  await subscribed.receiver.until(2)
  openResponses[0]?.writeHead(500).end()
  await firstResend
  openResponses[1]?.end('ok')
  await secondResend
  const { status, attempt_history } = await getNewestDelivery()
  expect(status).toBe('succeeded')
  expect(attempt_history).toMatchObject([
    { attempt: 1, status_code: null, error: expect.stringMatching(/^worker_lost: /) },
    { attempt: 2, status_code: 200 },
  ])
})

test('deliveries that a closing sender releases count no attempt, and are due in a second', async () => {
  await createOrders(1)
  const [delivery] = await claimAll()
  if (!delivery) throw new Error('Nothing was claimed.')
  const sender = createSender({ allowedHosts: subscribed.tradepost.app.config.webhookAllowedHosts })
  await sender.close()
  const results: AttemptResult[] = []
  let attemptCount = 0
  const executor = createExecutor(subscribed.tradepost.app, {
    sender,
    targets: createTargets(subscribed.tradepost.db),
    queues: createEndpointQueues(100, () => {}),
    buffer: {
      add: (result) => void results.push(result),
      size: () => results.length,
      isFailing: () => false,
      close: async () => {},
    },
    meter: { ...NO_METER, recordAttempt: () => void attemptCount++ },
    logFailure: (error) => expect(error).toBeUndefined(),
  })
  const [claimed_at, read_at] = [performance.now(), performance.now()]
  const target = await selectTarget(subscribed.tradepost.db, delivery.endpoint_id)
  executor.begin(delivery, { claimed_at, read_at, target })
  await expect.poll(() => results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    isSent: false,
    row: { status: 'pending', attempts: 0, wait_ms: 1_000 },
  })
  expect(attemptCount).toBe(0)
})

test('an endpoint that was turned off manually stays off, however many running attempts fail', async () => {
  await createOrders(40)
  const deliveries = await claimAll()
  await setEnabled(false)
  const before = await getWebhook()
  await recordResults(subscribed.tradepost.db, deliveries.map(failedResult))
  expect(await getWebhook()).toEqual(before)
  expect(before).toMatchObject({ enabled: false, disabled_reason: 'manual' })
})

test('turning an endpoint on resets its count of failures in a row', async () => {
  await createOrders(39)
  await recordResults(subscribed.tradepost.db, (await claimAll()).map(failedResult))
  await setEnabled(false)
  await setEnabled(true)
  await createOrders(1)
  const [delivery] = (await claimAll()).filter(({ lane }) => lane === 'first')
  await recordResults(subscribed.tradepost.db, delivery ? [failedResult(delivery)] : [])
  expect(await getWebhook()).toMatchObject({ enabled: true })
})
