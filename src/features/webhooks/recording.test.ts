import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { MINUTE_MS } from '../../kernel/time.ts'
import { untried } from './engine/attempt.ts'
import { type Result, recordResults } from './engine/record-results.ts'
import type { Try } from './engine/try.ts'
import { startDispatcher } from './index.ts'

/** Attempts whose lease was lost, whose endpoint moved, or that cannot be recorded. */

const subscribed = subscribedStore()
const { happen, log, loseLeases, send, show, take, turn } = subscribed

const ended = (item: Try, status: 'succeeded' | 'failed'): Result => {
  const result = untried(subscribed.tradepost.app, item, { status, wait_ms: null })
  const row = { ...result.row, attempts: item.progress.attempts + 1, duration_ms: 5 }
  return { ...result, sent: true, row }
}

const FAILURES_THAT_TURN_OFF = 40

describe('a result that lost its lease', () => {
  /** Two workers: the second claimed the deliveries that the first did not finish in time. */
  async function overtaken(lane: 'first' | 'retry'): Promise<{ late: Try[]; held: Try[] }> {
    await happen(FAILURES_THAT_TURN_OFF)
    let late = await take()
    await loseLeases()
    let held = await take()
    if (lane === 'retry') {
      late = held
      await loseLeases()
      held = await take()
    }
    expect([late.length, held.length]).toEqual([FAILURES_THAT_TURN_OFF, FAILURES_THAT_TURN_OFF])
    expect(new Set(late.map((item) => item.lane))).toEqual(new Set([lane]))
    return { late, held }
  }

  test.each(['first', 'retry'] as const)(
    'of the %s lane counts for nothing; that of the holder does',
    async (lane) => {
      const { late, held } = await overtaken(lane)
      const before = await log()
      await recordResults(
        subscribed.tradepost.db,
        late.map((item) => ended(item, 'failed')),
      )
      // Forty failures in a row would have turned it off.
      const after = await show()
      expect(after).toMatchObject({ enabled: true, disabled_reason: null })
      expect(after.stats).toMatchObject({
        succeeded: 0,
        failed: 0,
        pending: FAILURES_THAT_TURN_OFF,
      })
      expect(await log()).toEqual(before)

      await recordResults(
        subscribed.tradepost.db,
        held.map((item) => ended(item, 'succeeded')),
      )
      expect((await show()).stats).toMatchObject({
        succeeded: FAILURES_THAT_TURN_OFF,
        failed: 0,
        pending: 0,
      })
      await recordResults(
        subscribed.tradepost.db,
        held.map((item) => ended(item, 'failed')),
      )
      expect(await show()).toMatchObject({ enabled: true, stats: { failed: 0 } })
    },
  )

  test('of the holder turns its endpoint off where it failed forty times', async () => {
    const { held } = await overtaken('first')
    await recordResults(
      subscribed.tradepost.db,
      held.map((item) => ended(item, 'failed')),
    )
    expect(await show()).toMatchObject({ enabled: false, disabled_reason: 'failures' })
  })

  test('ends with the seventh try that crashes use up, and is sent no more', async () => {
    await happen(1)
    await take()
    for (let lost = 1; lost <= 9; lost++) {
      await loseLeases()
      expect((await take())[0]?.progress.lost).toBe(lost)
    }
    await loseLeases()
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    await expect.poll(async () => (await log())[0]?.status).toBe('failed')
    await dispatcher.stop()
    expect(subscribed.receiver.received).toEqual([])
    expect((await log())[0]).toMatchObject({ attempts: 10, next_attempt_at: null })
    expect(await show()).toMatchObject({ enabled: true, stats: { failed: 1, pending: 0 } })
  })
})

describe('an endpoint that is turned off and on while an attempt runs', () => {
  /** Holds the answer back until the returned function lets it go. */
  function holdAnswers(status: number): () => void {
    const held: (() => void)[] = []
    subscribed.receiver.answer((response) => void held.push(() => response.writeHead(status).end()))
    return () => {
      for (const go of held.splice(0)) go()
    }
  }

  async function whileItRuns(work: () => Promise<unknown>): Promise<void> {
    const release = holdAnswers(503)
    await happen(1)
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    await subscribed.receiver.until(1)
    await work()
    release()
    await dispatcher.stop()
  }

  test('lets the schedule go on', async () => {
    await whileItRuns(async () => {
      await turn(false)
      await turn(true)
    })
    const [waiting] = await log()
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1 })
    const wait_ms = Date.parse(waiting?.next_attempt_at) - Date.parse(waiting?.updated_at)
    expect(wait_ms).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(wait_ms).toBeLessThanOrEqual(1.02 * MINUTE_MS)
  })

  test('parks what failed meanwhile if it is still off, and sends it when it is on', async () => {
    await whileItRuns(() => turn(false))
    expect((await log())[0]).toMatchObject({ status: 'pending', next_attempt_at: null })
    subscribed.receiver.answer((response) => response.end('ok'))
    await turn(true)
    await send(1)
    expect((await log())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  test.each(['first', 'retry'] as const)(
    'does not stay parked if the sender of the %s lane found it off',
    async (lane) => {
      await happen(1)
      if (lane === 'retry') {
        subscribed.receiver.answer((response) => response.writeHead(503).end())
        await send(1)
        subscribed.receiver.answer((response) => response.end('ok'))
        await sql`update webhook_retry set due_at = clock_timestamp()`.execute(
          subscribed.tradepost.db,
        )
      }
      const taken = await take()
      expect(taken.map((item) => item.lane)).toEqual([lane])
      await turn(false)
      const parked = taken.map((item) =>
        untried(subscribed.tradepost.app, item, { status: 'pending', wait_ms: null }),
      )
      await turn(true)
      await recordResults(subscribed.tradepost.db, parked)
      expect((await log())[0]?.next_attempt_at).not.toBeNull()
      await send(1)
      expect((await log())[0]).toMatchObject({ status: 'succeeded' })
    },
  )
})

describe('a running attempt of the retry lane', () => {
  /** One that failed before is tried again by the dispatcher, and waits for its answer meanwhile. */
  async function whileItRuns(work: () => Promise<unknown>): Promise<void> {
    await happen(1)
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

  test('is not taken a second time, though its endpoint is turned off and on', async () => {
    await whileItRuns(async () => {
      await turn(false)
      expect((await log())[0]).toMatchObject({ status: 'delivering' })
      await turn(true)
      expect(await take()).toEqual([])
    })
    expect(subscribed.receiver.received).toHaveLength(2)
    expect((await log())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  test('is recorded when it ends, though its endpoint was deleted', async () => {
    await whileItRuns(async () => {
      await subscribed.tradepost.delete(`/webhooks/${subscribed.webhook.id}`)
      expect((await log())[0]).toMatchObject({ status: 'delivering', webhook: { deleted: true } })
    })
    expect((await log())[0]).toMatchObject({ status: 'succeeded', attempts: 2 })
  })
})

describe('a result that the database refuses', () => {
  /** Adds a rule that rows have to keep while the work runs. */
  async function whileRefused(rule: string, work: () => Promise<void>): Promise<void> {
    await sql`
      alter table webhook_delivery add constraint refused check (${sql.raw(rule)}) not valid`.execute(
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

  /** Sends eight webhooks in one batch; the fifth gets this answer. */
  async function sendEight(status: number, body: string): Promise<string> {
    await happen(8)
    const all = (await log()).map((item) => item.event.id).sort()
    const poisoned = all[4]
    subscribed.receiver.answer((response, { headers }) => {
      if (headers['service-event-id'] === poisoned) response.writeHead(status).end(body)
      else response.end('ok')
    })
    await send(8)
    return poisoned
  }

  const split = async (poisoned: string) => {
    const all = await log()
    const others = all.filter((item) => item.event.id !== poisoned)
    const one = all.find(({ event }) => event.id === poisoned)
    const { delivery } = (await subscribed.tradepost.get(`/events/deliveries/${one?.id}`)).json
    return { others, delivery }
  }

  test("without the receiver's text is stored, and no other result is lost", async () => {
    await whileRefused(`response_body is distinct from 'poison'`, async () => {
      const { others, delivery } = await split(await sendEight(200, 'poison'))
      expect(others).toHaveLength(7)
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['succeeded']))
      expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, last_status_code: 200 })
      expect(delivery.attempt_history).toMatchObject([{ attempt: 1, response_body: null }])
    })
    expect((await show()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
    expect(subscribed.receiver.received).toHaveLength(8)
  })

  test('for all that was answered is stored as one that could not be, and tried again', async () => {
    await whileRefused('status_code is distinct from 503', async () => {
      const { others, delivery } = await split(await sendEight(503, 'poison'))
      expect(others).toHaveLength(7)
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['succeeded']))
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_status_code: null })
      expect(delivery.last_error).toMatch(/^record_failed: /)
      expect(delivery.next_attempt_at).not.toBeNull()
    })
    subscribed.receiver.answer((response) => response.end('ok'))
    await sql`update webhook_retry set due_at = clock_timestamp()`.execute(subscribed.tradepost.db)
    await send(1)
    expect((await show()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
  })

  test('for being too many at once is written in smaller parts', async () => {
    await sql`
      create function too_much() returns trigger language plpgsql as $$
      begin
        if (select count(*) from written) > 2 then
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end if;
        return null;
      end $$`.execute(subscribed.tradepost.db)
    await sql`
      create trigger too_much after insert on webhook_delivery referencing new table as written
         for each statement execute function too_much()`.execute(subscribed.tradepost.db)
    try {
      await happen(8)
      await send(8)
    } finally {
      await sql`drop function too_much cascade`.execute(subscribed.tradepost.db)
    }
    expect((await log()).map(({ status }) => status)).toEqual(new Array(8).fill('succeeded'))
    expect(subscribed.receiver.received).toHaveLength(8)
  })

  test('whatever is left out of it loses no other', async () => {
    await happen(1)
    const never = (await log())[0]?.id
    await whileRefused(`id <> ${never}`, async () => {
      await happen(7)
      await send(8)
      const all = await log()
      expect(all.filter(({ status }) => status === 'succeeded')).toHaveLength(7)
      expect(all.find(({ id }) => id === never)?.status).toBe('delivering')
    })
    await loseLeases()
    await send(1)
    expect((await show()).stats).toMatchObject({ succeeded: 8, failed: 0, pending: 0 })
  })
})
