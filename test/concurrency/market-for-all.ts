import { afterAll, beforeAll, expect, type TestContext } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import type { Unavailable } from '../postgres/server.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { deadlocksInto } from './deadlocks.ts'
import {
  openRaceStore,
  type RealServer,
  type StoreFixture,
  type StoreFixtureOptions,
} from './open-market.ts'

/** One market on a real PostgreSQL for the tests of a file. */
export interface SharedRaceStore {
  /** A new store there, or a skipped test with the reason. */
  openStoreFixture(context: TestContext): Promise<RealServer>
  /** Every invariant holds, and no wait for a lock timed out; otherwise it fails with `hint`. */
  expectSweepClean(hint?: string): Promise<void>
}

export function sharedRaceStore(options: StoreFixtureOptions = {}): SharedRaceStore {
  const deadlocks: string[] = []
  let server: RealPostgres | Unavailable = { unavailable: 'The server was not opened.' }
  let raceStore: StoreFixture | undefined

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    raceStore = await openRaceStore(server, { onConnect: deadlocksInto(deadlocks), ...options })
  })
  afterAll(async () => {
    await raceStore?.close()
    await closePostgres(server)
  })

  return {
    async openStoreFixture(context) {
      postgresOrSkip(context, server)
      if (!raceStore) throw new Error('The market did not open.')
      return raceStore.openStoreFixture()
    },
    async expectSweepClean(hint) {
      if (!raceStore) throw new Error('The market did not open.')
      const { findings } = await diagnose(raceStore.app)
      // The servers of tests flush nothing to the disk.
      const broken = findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')
      expect({ broken, deadlocks }, hint).toEqual({ broken: [], deadlocks: [] })
    },
  }
}
