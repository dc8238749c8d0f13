import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createStoreWithKeys, type StoreSide } from '../src/features/store/account/index.ts'
import { INVARIANTS } from '../src/process/invariants.ts'
import { type CallOptions, type Json, openTradepost, type Tradepost } from './harness.ts'
import { setBalance, subscription } from './subscribe.ts'

/** A test side with a stopped machine clock, so that due times are exact. */
export interface StoreWithClock {
  tradepost: Tradepost
  as: CallOptions
  /** Advances the store's clock through the API, and returns its new time. */
  advance(duration: string): Promise<string>
  /** Advances the store's clock to a time, rounded up to a second, and by at least one second. */
  advanceTo(moment: string): Promise<string>
  getSubscription(id: number): Promise<Json>
  getOrder(id: string): Promise<Json>
  /** Cancels a subscription now instead of at the end of its period. */
  cancelNow(id: number): Promise<Json>
  pay(orderId: string): Promise<void>
  setBalance(email: string, cents: number): Promise<void>
  /** Fails if an invariant of the tables is broken. */
  expectNoFindings(): Promise<void>
}

/** `machineTime` is the fixed time of the machine clock. */
export async function openStoreWithClock(machineTime = Date.now()): Promise<StoreWithClock> {
  const tradepost = await openTradepost()
  tradepost.app.clock.now = () => machineTime
  return clockedSide(tradepost, tradepost.test, machineTime)
}

/**
 * Opens another empty store in the same database, which takes a fraction of the time of a new
 * database.
 */
export async function openNextClocked({ tradepost }: StoreWithClock): Promise<StoreWithClock> {
  const { test } = await createStoreWithKeys(tradepost.app, {
    name: 'Here',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  return clockedSide(tradepost, test, tradepost.app.clock.now())
}

/** Opens an empty store with a stopped clock for each test of a file, and closes all after them. */
export function openForEachTest(use: (store: StoreWithClock) => void): void {
  let first: StoreWithClock
  beforeAll(async () => {
    first = await openStoreWithClock()
  })
  beforeEach(async () => use(await openNextClocked(first)))
  afterAll(() => first.tradepost.close())
}

async function clockedSide(
  tradepost: Tradepost,
  side: StoreSide,
  machineTime: number,
): Promise<StoreWithClock> {
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  const as = { as: side }
  let storeTime = new Date(machineTime).toISOString()
  async function advance(duration: string): Promise<string> {
    const answer = await tradepost.post('/account/test-clock', { advance: duration }, as)
    if (answer.status !== 200) throw new Error(answer.text)
    storeTime = answer.json.now
    return storeTime
  }
  return {
    tradepost,
    as,
    advance,
    advanceTo(moment) {
      const seconds = Math.ceil((Date.parse(moment) - Date.parse(storeTime)) / 1_000)
      return advance(`${seconds || 1}s`)
    },
    getSubscription: (id) => subscription(tradepost, id, as),
    getOrder: async (id) => (await tradepost.get(`/orders/${id}`, as)).json.order,
    cancelNow: (id) => tradepost.post(`/subscriptions/${id}/cancel`, { at_period_end: false }, as),
    async pay(orderId) {
      const { status, text } = await tradepost.post(`/orders/${orderId}/manual-payments`, {}, as)
      if (status !== 201) throw new Error(text)
    },
    setBalance: (email, cents) => setBalance(tradepost, email, cents, as),
    async expectNoFindings() {
      for (const { check, count } of INVARIANTS) {
        expect([check, await count(tradepost.db)]).toEqual([check, 0])
      }
    },
  }
}
