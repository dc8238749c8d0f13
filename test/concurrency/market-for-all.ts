import { afterAll, beforeAll, expect, type TestContext } from 'vitest'
import { diagnose } from '../../src/features/doctor/index.ts'
import type { Unavailable } from '../postgres/server.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { deadlocksInto } from './deadlocks.ts'
import { type Market, type MarketOptions, openMarket, type RealShop } from './open-market.ts'

/** One market on a real PostgreSQL for the tests of a file. */
export interface MarketForAll {
  /** A new store there, or a skipped test that says why there is none. */
  openShop(context: TestContext): Promise<RealShop>
  /** Every promise on the data is kept, and no lock was waited for in vain; else `hint` is told. */
  expectSweepClean(hint?: string): Promise<void>
}

export function marketForAll(options: MarketOptions = {}): MarketForAll {
  const deadlocks: string[] = []
  let server: RealPostgres | Unavailable = { unavailable: 'The server was not opened.' }
  let market: Market | undefined

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    market = await openMarket(server, { onConnect: deadlocksInto(deadlocks), ...options })
  })
  afterAll(async () => {
    await market?.close()
    await closePostgres(server)
  })

  return {
    async openShop(context) {
      postgresOrSkip(context, server)
      if (!market) throw new Error('The market did not open.')
      return market.openShop()
    },
    async expectSweepClean(hint) {
      if (!market) throw new Error('The market did not open.')
      const { findings } = await diagnose(market.app.db)
      const broken = findings.filter(({ ok }) => !ok)
      expect({ broken, deadlocks }, hint).toEqual({ broken: [], deadlocks: [] })
    },
  }
}
