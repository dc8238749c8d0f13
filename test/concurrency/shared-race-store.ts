import { afterAll, beforeAll, expect, type TestContext } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import type { Unavailable } from '../postgres/server.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { DEADLOCK, LOCK_TIMEOUT, recordDeadlocks } from './deadlocks.ts'
import {
  openRaceInstallation,
  type RaceInstallation,
  type RaceStore,
  type StoreFixtureOptions,
} from './open-race-store.ts'

/** One database and the processes that serve it, shared by the tests of a file. */
interface SharedRaceStore {
  /** Creates a new store in the database, or skips the test if there is no PostgreSQL server. */
  openStore(context: TestContext, side?: 'live' | 'test'): Promise<RaceStore>
  /** Fails with `hint` if an invariant is broken or a statement failed because of locks. */
  expectNoFaults(hint?: string): Promise<void>
}

interface SharedRaceStoreOptions extends StoreFixtureOptions {
  /** True if statements may wait so long for a lock that PostgreSQL cancels them. */
  allowsLockTimeouts?: boolean
}

export function sharedRaceStore({
  allowsLockTimeouts = false,
  ...options
}: SharedRaceStoreOptions = {}): SharedRaceStore {
  const deadlocks: string[] = []
  let server: RealPostgres | Unavailable = { unavailable: 'The server was not opened.' }
  let raceStore: RaceInstallation | undefined

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    raceStore = await openRaceInstallation(server, {
      onConnect: recordDeadlocks(
        deadlocks,
        allowsLockTimeouts ? [DEADLOCK] : [DEADLOCK, LOCK_TIMEOUT],
      ),
      ...options,
    })
  })
  afterAll(() => raceStore?.close())

  return {
    async openStore(context, side) {
      postgresOrSkip(context, server)
      if (!raceStore) throw new Error('The shared database did not open.')
      return raceStore.openStore(side)
    },
    async expectNoFaults(hint) {
      if (!raceStore) throw new Error('The shared database did not open.')
      const { findings } = await diagnose(raceStore.app)
      // Test servers do not flush to the disk.
      const broken = findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')
      expect({ broken, deadlocks }, hint).toEqual({ broken: [], deadlocks: [] })
    },
  }
}
