import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createClaims } from '../src/features/webhooks/engine/claims.ts'
import { createLanes } from '../src/features/webhooks/engine/lanes.ts'
import type { Try } from '../src/features/webhooks/engine/try.ts'
import { startDispatcher } from '../src/features/webhooks/index.ts'
import { NO_METER } from '../src/features/webhooks/metrics.ts'
import { order, product } from './build.ts'
import { type Json, openTradepost, type Tradepost } from './harness.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/**
 * A store for the tests of a file; for each test it has a receiver and an endpoint that is
 * subscribed to `order.created`.
 */
export interface SubscribedStore {
  readonly tradepost: Tradepost
  readonly receiver: Receiver
  /** As it was created, with its secret. */
  readonly webhook: Json
  /** So many orders, each an event. */
  happen(times: number): Promise<void>
  /** As it is listed: with its statistics. */
  show(): Promise<Json>
  turn(enabled: boolean): Promise<unknown>
  /** Its deliveries, newest first. */
  log(): Promise<Json[]>
  /** Runs a sender until this many webhooks arrived and their results are recorded. */
  send(count: number): Promise<void>
  /** A worker that claims everything, and is silent until it returns with its results. */
  take(): Promise<Try[]>
  /** The 30 s of every lease, passed in no time. */
  loseLeases(): Promise<void>
}

/** It takes a few of each store at a time, and first puts those that were lost into the other lane. */
const ROUNDS_TO_TAKE_ALL = 8

export function subscribedStore(): SubscribedStore {
  let tradepost: Tradepost
  let receiver: Receiver
  let webhook: Json
  let service: string

  beforeAll(async () => {
    tradepost = await openTradepost()
    service = (await product(tradepost, { type: 'service' })).id
  })
  afterAll(() => tradepost.close())
  beforeEach(async () => {
    receiver = await openReceiver()
    const body = { url: receiver.url, events: ['order.created'] }
    webhook = (await tradepost.post('/webhooks', body)).json.webhook
  })
  afterEach(async () => {
    await tradepost.delete(`/webhooks/${webhook.id}`)
    await sql`delete from webhook_fanout`.execute(tradepost.db)
    await sql`delete from webhook_retry`.execute(tradepost.db)
    await receiver.close()
  })

  return {
    get tradepost() {
      return tradepost
    },
    get receiver() {
      return receiver
    },
    get webhook() {
      return webhook
    },
    async happen(times) {
      for (let n = 0; n < times; n++) await order(tradepost, service)
    },
    async show() {
      const { webhooks } = (await tradepost.get('/webhooks?limit=100')).json
      return webhooks.find((item: Json) => item.id === webhook.id)
    },
    turn: (enabled) => tradepost.patch(`/webhooks/${webhook.id}`, { enabled }),
    async log() {
      return (await tradepost.get(`/events/deliveries?limit=100&webhook_id=${webhook.id}`)).json
        .deliveries
    },
    async send(count) {
      const arrived = receiver.received.length
      const dispatcher = startDispatcher(tradepost.app)
      try {
        await receiver.until(arrived + count)
      } finally {
        await dispatcher.stop()
      }
    },
    async take() {
      const lanes = createLanes(1_000, () => {})
      const noted = (error: unknown) => expect(error).toBeUndefined()
      const claims = createClaims(tradepost.app, {
        lanes,
        room: () => 1_000,
        meter: NO_METER,
        noted,
      })
      const taken: Try[] = []
      for (let round = 0; round < ROUNDS_TO_TAKE_ALL; round++) taken.push(...(await claims.take(0)))
      return taken
    },
    async loseLeases() {
      await sql`update webhook_fanout set lease_until = '-infinity'`.execute(tradepost.db)
      await sql`
        update webhook_retry set due_at = clock_timestamp() where lease_token <> 0`.execute(
        tradepost.db,
      )
    },
  }
}
