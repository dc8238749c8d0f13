import { sql } from 'kysely'
import { expect } from 'vitest'
import { type OpenedSide, openStore } from '../src/features/store/account/index.ts'
import { INVARIANTS } from '../src/process/invariants.ts'
import { type CallOptions, type Json, openTradepost, type Tradepost } from './harness.ts'
import { setBalance, subscription } from './subscribe.ts'

/** A test side whose machine's clock stands still, so that what becomes due does so at exactly its moment. */
export interface Clocked {
  tradepost: Tradepost
  as: CallOptions
  /** Moves the store's clock through the API, and returns its new time. */
  advance(duration: string): Promise<string>
  /** Moves it to a moment, to the next full second. */
  advanceTo(moment: string): Promise<string>
  see(id: number): Promise<Json>
  order(id: string): Promise<Json>
  /** Ends a subscription now. */
  stop(id: number): Promise<Json>
  pay(orderId: string): Promise<void>
  balance(email: string, cents: number): Promise<void>
  /** No promise that doctor knows is broken. */
  isSound(): Promise<void>
}

/** `stopped` is the moment at which the machine's clock stands. */
export async function openClocked(stopped = Date.now()): Promise<Clocked> {
  const tradepost = await openTradepost()
  tradepost.app.clock.now = () => stopped
  return clockedSide(tradepost, tradepost.test, stopped)
}

/** Another store with nothing in it, in the same database: opening one takes a fraction of the time. */
export async function openNextClocked({ tradepost }: Clocked): Promise<Clocked> {
  const { test } = await openStore(tradepost.app, {
    name: 'Here',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  return clockedSide(tradepost, test, tradepost.app.clock.now())
}

async function clockedSide(
  tradepost: Tradepost,
  side: OpenedSide,
  stopped: number,
): Promise<Clocked> {
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  const as = { as: side }
  let shows = new Date(stopped).toISOString()
  async function advance(duration: string): Promise<string> {
    const answer = await tradepost.post('/account/test-clock', { advance: duration }, as)
    if (answer.status !== 200) throw new Error(answer.text)
    shows = answer.json.now
    return shows
  }
  return {
    tradepost,
    as,
    advance,
    advanceTo: (moment) =>
      advance(`${Math.ceil((Date.parse(moment) - Date.parse(shows)) / 1_000) || 1}s`),
    see: (id) => subscription(tradepost, id, as),
    order: async (id) => (await tradepost.get(`/orders/${id}`, as)).json.order,
    stop: (id) => tradepost.post(`/subscriptions/${id}/cancel`, { at_period_end: false }, as),
    async pay(orderId) {
      const { status, text } = await tradepost.post(`/orders/${orderId}/manual-payments`, {}, as)
      if (status !== 201) throw new Error(text)
    },
    balance: (email, cents) => setBalance(tradepost, email, cents, as),
    async isSound() {
      for (const { check, count } of INVARIANTS) {
        expect([check, await count(tradepost.db)]).toEqual([check, 0])
      }
    },
  }
}
