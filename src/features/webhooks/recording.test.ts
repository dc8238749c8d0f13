import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { MINUTE_MS } from '../../kernel/time.ts'
import { unsentResult } from './engine/attempt.ts'
import type { LeasedDelivery } from './engine/leased-delivery.ts'
import { type AttemptResult, recordResults } from './engine/record-results.ts'
import { startDispatcher } from './index.ts'

const subscribed = subscribedStore()
const { createOrders, listDeliveries, expireLeases, send, getWebhook, claimAll, setEnabled } =
  subscribed

/** The result of a sent attempt: `unsentResult` with the fields that only an attempt has. */
const resultOf = (item: LeasedDelivery, status: 'succeeded' | 'failed'): AttemptResult => {
  const result = unsentResult(subscribed.tradepost.app, item, { status, wait_ms: null })
  const row = { ...result.row, attempts: item.progress.attempts + 1, duration_ms: 5 }
  return { ...result, isSent: true, row }
}

const FAILURES_THAT_TURN_OFF = 40

describe('an attempt whose lease has expired', () => {
  /** Claims deliveries, and claims them again after their leases have expired. */
  async function claimTwice(
    lane: 'first' | 'retry',
  ): Promise<{ expiredDeliveries: LeasedDelivery[]; currentDeliveries: LeasedDelivery[] }> {
    await createOrders(FAILURES_THAT_TURN_OFF)
    let expiredDeliveries = await claimAll()
    await expireLeases()
    let currentDeliveries = await claimAll()
    if (lane === 'retry') {
      expiredDeliveries = currentDeliveries
      await expireLeases()
      currentDeliveries = await claimAll()
    }
    expect([expiredDeliveries.length, currentDeliveries.length]).toEqual([
      FAILURES_THAT_TURN_OFF,
      FAILURES_THAT_TURN_OFF,
    ])
    expect(new Set(expiredDeliveries.map((item) => item.lane))).toEqual(new Set([lane]))
    return { expiredDeliveries, currentDeliveries }
  }

  test.each(['first', 'retry'] as const)(
    'in the %s lane is not recorded, but the attempt with the new lease is recorded',
    async (lane) => {
      const { expiredDeliveries, currentDeliveries } = await claimTwice(lane)
      const before = await listDeliveries()
      await recordResults(
        subscribed.tradepost.db,
        expiredDeliveries.map((item) => resultOf(item, 'failed')),
      )
      // Forty recorded failures in a row would have turned the endpoint off.
      const after = await getWebhook()
      expect(after).toMatchObject({ enabled: true, disabled_reason: null })
      expect(after.stats).toMatchObject({
        succeeded: 0,
        failed: 0,
        pending: FAILURES_THAT_TURN_OFF,
      })
      expect(await listDeliveries()).toEqual(before)

      await recordResults(
        subscribed.tradepost.db,
        currentDeliveries.map((item) => resultOf(item, 'succeeded')),
      )
      expect((await getWebhook()).stats).toMatchObject({
        succeeded: FAILURES_THAT_TURN_OFF,
        failed: 0,
        pending: 0,
      })
      await recordResults(
        subscribed.tradepost.db,
        currentDeliveries.map((item) => resultOf(item, 'failed')),
      )
      expect(await getWebhook()).toMatchObject({ enabled: true, stats: { failed: 0 } })
    },
  )

  test('does not prevent forty failures with the new lease from turning the endpoint off', async () => {
    const { currentDeliveries } = await claimTwice('first')
    await recordResults(
      subscribed.tradepost.db,
      currentDeliveries.map((item) => resultOf(item, 'failed')),
    )
    expect(await getWebhook()).toMatchObject({ enabled: false, disabled_reason: 'failures' })
  })

  test('for the tenth time in a row ends the delivery as failed, and it is not sent again', async () => {
    await createOrders(1)
    await claimAll()
    for (let lost = 1; lost <= 9; lost++) {
      await expireLeases()
      expect((await claimAll())[0]?.progress.lost).toBe(lost)
    }
    await expireLeases()
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    await expect.poll(async () => (await listDeliveries())[0]?.status).toBe('failed')
    await dispatcher.stop()
    expect(subscribed.receiver.received).toEqual([])
    expect((await listDeliveries())[0]).toMatchObject({ attempts: 10, next_attempt_at: null })
    expect(await getWebhook()).toMatchObject({ enabled: true, stats: { failed: 1, pending: 0 } })
  })
})

describe('an endpoint that is turned off and on during an attempt', () => {
  /** Delays the answer until the returned function is called. */
  function delayAnswers(status: number): () => void {
    const openReplies: (() => void)[] = []
    subscribed.receiver.answer(
      (response) => void openReplies.push(() => response.writeHead(status).end()),
    )
    return () => {
      for (const answer of openReplies.splice(0)) answer()
    }
  }

  /** Runs the work during an attempt that is then answered with 503. */
  async function duringAttempt(work: () => Promise<unknown>): Promise<void> {
    const release = delayAnswers(503)
    await createOrders(1)
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    await subscribed.receiver.until(1)
    await work()
    release()
    await dispatcher.stop()
  }

  test('keeps the schedule of the delivery', async () => {
    await duringAttempt(async () => {
      await setEnabled(false)
      await setEnabled(true)
    })
    const [delivery] = await listDeliveries()
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1 })
    const wait_ms = Date.parse(delivery?.next_attempt_at) - Date.parse(delivery?.updated_at)
    expect(wait_ms).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(wait_ms).toBeLessThanOrEqual(1.02 * MINUTE_MS)
  })

  test('parks a failed delivery while it is still off, and sends it when it is on', async () => {
    await duringAttempt(() => setEnabled(false))
    expect((await listDeliveries())[0]).toMatchObject({ status: 'pending', next_attempt_at: null })
    subscribed.receiver.answer((response) => response.end('ok'))
    await setEnabled(true)
    await send(1)
    expect((await listDeliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  test.each(['first', 'retry'] as const)(
    'keeps no delivery of the %s lane parked, although its attempt was skipped while the endpoint was off',
    async (lane) => {
      await createOrders(1)
      if (lane === 'retry') {
        subscribed.receiver.answer((response) => response.writeHead(503).end())
        await send(1)
        subscribed.receiver.answer((response) => response.end('ok'))
        await sql`update webhook_retry set due_at = clock_timestamp()`.execute(
          subscribed.tradepost.db,
        )
      }
      const deliveries = await claimAll()
      expect(deliveries.map((item) => item.lane)).toEqual([lane])
      await setEnabled(false)
      const parkedResults = deliveries.map((item) =>
        unsentResult(subscribed.tradepost.app, item, { status: 'pending', wait_ms: null }),
      )
      await setEnabled(true)
      await recordResults(subscribed.tradepost.db, parkedResults)
      expect((await listDeliveries())[0]?.next_attempt_at).not.toBeNull()
      await send(1)
      expect((await listDeliveries())[0]).toMatchObject({ status: 'succeeded' })
    },
  )
})

describe('a running attempt of the retry lane', () => {
  /** Runs the work while the dispatcher retries a delivery that has not been answered yet. */
  async function duringRetry(work: () => Promise<unknown>): Promise<void> {
    await createOrders(1)
    subscribed.receiver.answer((response) => response.writeHead(503).end())
    await send(1)
    await sql`update webhook_retry set due_at = clock_timestamp()`.execute(subscribed.tradepost.db)
    let finish = () => {}
    subscribed.receiver.answer((response) => {
      finish = () => response.end('ok')
    })
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    await subscribed.receiver.until(2)
    await work()
    finish()
    await dispatcher.stop()
  }

  test('is not claimed again, even if its endpoint is turned off and on', async () => {
    await duringRetry(async () => {
      await setEnabled(false)
      expect((await listDeliveries())[0]).toMatchObject({ status: 'delivering' })
      await setEnabled(true)
      expect(await claimAll()).toEqual([])
    })
    expect(subscribed.receiver.received).toHaveLength(2)
    expect((await listDeliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  test('is recorded when it ends, even if its endpoint was deleted', async () => {
    await duringRetry(async () => {
      await subscribed.tradepost.delete(`/webhooks/${subscribed.webhook.id}`)
      expect((await listDeliveries())[0]).toMatchObject({
        status: 'delivering',
        webhook: { deleted: true },
      })
    })
    expect((await listDeliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })
})

describe('a result that the database refuses', () => {
  /** Runs the work while the rows of deliveries must satisfy this condition. */
  async function withConstraint(condition: string, work: () => Promise<void>): Promise<void> {
    await sql`
      alter table webhook_delivery add constraint refused check (${sql.raw(condition)}) not valid`.execute(
      subscribed.tradepost.db,
    )
    try {
      await work()
    } finally {
      await sql`alter table webhook_delivery drop constraint refused`.execute(
        subscribed.tradepost.db,
      )
    }
  }

  /** Sends eight webhooks in one batch. The receiver answers the fifth as given. Returns the event id of the fifth. */
  async function sendEight(status: number, body: string): Promise<string> {
    await createOrders(8)
    const eventIds = (await listDeliveries()).map((item) => item.event.id).sort()
    const refusedEvent = eventIds[4]
    subscribed.receiver.answer((response, { headers }) => {
      if (headers['service-event-id'] === refusedEvent) response.writeHead(status).end(body)
      else response.end('ok')
    })
    await send(8)
    return refusedEvent
  }

  const splitDeliveries = async (refusedEvent: string) => {
    const deliveries = await listDeliveries()
    const others = deliveries.filter((item) => item.event.id !== refusedEvent)
    const refusedDelivery = deliveries.find(({ event }) => event.id === refusedEvent)
    const { delivery } = (
      await subscribed.tradepost.get(`/events/deliveries/${refusedDelivery?.id}`)
    ).json
    return { others, delivery }
  }

  test("is stored without the receiver's text, and no other result is lost", async () => {
    await withConstraint(`response_body is distinct from 'poison'`, async () => {
      const { others, delivery } = await splitDeliveries(await sendEight(200, 'poison'))
      expect(others).toHaveLength(7)
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['succeeded']))
      expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, last_status_code: 200 })
      expect(delivery.attempt_history).toMatchObject([{ attempt: 1, response_body: null }])
    })
    expect((await getWebhook()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
    expect(subscribed.receiver.received).toHaveLength(8)
  })

  test('even without the text of its receiver is stored as record_failed, and the delivery is retried', async () => {
    await withConstraint('status_code is distinct from 503', async () => {
      const { others, delivery } = await splitDeliveries(await sendEight(503, 'poison'))
      expect(others).toHaveLength(7)
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['succeeded']))
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_status_code: null })
      expect(delivery.last_error).toMatch(/^record_failed: /)
      expect(delivery.next_attempt_at).not.toBeNull()
    })
    subscribed.receiver.answer((response) => response.end('ok'))
    await sql`update webhook_retry set due_at = clock_timestamp()`.execute(subscribed.tradepost.db)
    await send(1)
    expect((await getWebhook()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
  })

  test('because its batch is too large is stored after the batch was split', async () => {
    await sql`
      create function batch_too_large() returns trigger language plpgsql as $$
      begin
        if (select count(*) from written) > 2 then
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end if;
        return null;
      end $$`.execute(subscribed.tradepost.db)
    await sql`
      create trigger batch_too_large after insert on webhook_delivery referencing new table as written
         for each statement execute function batch_too_large()`.execute(subscribed.tradepost.db)
    try {
      await createOrders(8)
      await send(8)
    } finally {
      await sql`drop function batch_too_large cascade`.execute(subscribed.tradepost.db)
    }
    expect((await listDeliveries()).map(({ status }) => status)).toEqual(
      new Array(8).fill('succeeded'),
    )
    expect(subscribed.receiver.received).toHaveLength(8)
  })

  test('even as record_failed does not prevent the other results from being stored', async () => {
    await createOrders(1)
    const refusedId = (await listDeliveries())[0]?.id
    await withConstraint(`id <> ${refusedId}`, async () => {
      await createOrders(7)
      await send(8)
      const deliveries = await listDeliveries()
      expect(deliveries.filter(({ status }) => status === 'succeeded')).toHaveLength(7)
      expect(deliveries.find(({ id }) => id === refusedId)?.status).toBe('delivering')
    })
    await expireLeases()
    await send(1)
    expect((await getWebhook()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
  })
})
