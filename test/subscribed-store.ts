import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createClaims } from '../src/features/webhooks/engine/claims.ts'
import { createEndpointQueues } from '../src/features/webhooks/engine/endpoint-queues.ts'
import type { LeasedDelivery } from '../src/features/webhooks/engine/leased-delivery.ts'
import { startDispatcher } from '../src/features/webhooks/index.ts'
import { NO_METER } from '../src/features/webhooks/metrics.ts'
import { order, product } from './build.ts'
import { type Json, openTradepost, type Tradepost } from './harness.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/**
 * A store for the tests of a file. Each test gets a receiver, and a webhook endpoint subscribed to
 * `order.created`.
 */
interface SubscribedStore {
  readonly tradepost: Tradepost
  readonly receiver: Receiver
  /** The webhook endpoint as created, with its secret. */
  readonly webhook: Json
  /** Creates this many orders, each with one event. */
  createOrders(times: number): Promise<void>
  /** Returns the webhook endpoint as listed, with its statistics. */
  getWebhook(): Promise<Json>
  setEnabled(enabled: boolean): Promise<unknown>
  /** Returns the deliveries of the webhook endpoint, newest first. */
  listDeliveries(): Promise<Json[]>
  /** Runs a dispatcher until this many more webhooks arrived and their results are recorded. */
  send(count: number): Promise<void>
  /** Claims everything, as a worker does that has not recorded a result yet. */
  claimAll(): Promise<LeasedDelivery[]>
  /** Ends every lease now instead of after its 30 s. */
  expireLeases(): Promise<void>
}

// Each round claims a few deliveries of each store, and the first rounds move lost ones to the retry lane.
const ROUNDS_TO_CLAIM_ALL = 8

export function subscribedStore(): SubscribedStore {
  let tradepost: Tradepost
  let receiver: Receiver
  let webhook: Json
  let service: string

  beforeAll(async () => {
    tradepost = await openTradepost()
    // On a slow machine a wait needs more calls than the usual limit.
    await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
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
    async createOrders(times) {
      for (let n = 0; n < times; n++) await order(tradepost, service)
    },
    async getWebhook() {
      const { webhooks } = (await tradepost.get('/webhooks?limit=100')).json
      return webhooks.find((item: Json) => item.id === webhook.id)
    },
    setEnabled: (enabled) => tradepost.patch(`/webhooks/${webhook.id}`, { enabled }),
    async listDeliveries() {
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
    async claimAll() {
      const queues = createEndpointQueues(1_000, () => {})
      const logFailure = (error: unknown) => expect(error).toBeUndefined()
      const claims = createClaims(tradepost.app, {
        queues,
        capacity: () => 1_000,
        meter: NO_METER,
        logFailure,
      })
      const claimed: LeasedDelivery[] = []
      for (let round = 0; round < ROUNDS_TO_CLAIM_ALL; round++)
        claimed.push(...(await claims.claim(0)))
      return claimed
    },
    async expireLeases() {
      await sql`update webhook_fanout set lease_until = '-infinity'`.execute(tradepost.db)
      await sql`
        update webhook_retry set due_at = clock_timestamp() where lease_token <> 0`.execute(
        tradepost.db,
      )
    },
  }
}
