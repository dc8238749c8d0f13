import { afterAll, beforeAll, expect, type TestContext } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import type { Unavailable } from '../postgres/server.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { DEADLOCK, LOCK_TIMEOUT, recordDeadlocks } from './deadlocks.ts'
import {
  openServedDatabase,
  type ServedDatabase,
  type ServedStore,
  type StoreFixtureOptions,
} from './open-served-database.ts'

/** One database and the processes that serve it, shared by the tests of a file. */
interface SharedDatabase {
  /** Creates a new store in the database, or skips the test if there is no PostgreSQL server. */
  openStore(context: TestContext, side?: 'live' | 'test'): Promise<ServedStore>
  /** Fails with `hint` if an invariant is broken or a statement failed because of locks. */
  expectNoFaults(hint?: string): Promise<void>
}

interface SharedDatabaseOptions extends StoreFixtureOptions {
  /** True if statements may wait so long for a lock that PostgreSQL cancels them. */
  allowsLockTimeouts?: boolean
}

export function sharedDatabase({
  allowsLockTimeouts = false,
  ...options
}: SharedDatabaseOptions = {}): SharedDatabase {
  const deadlocks: string[] = []
  let server: RealPostgres | Unavailable = { unavailable: 'The server was not opened.' }
  let database: ServedDatabase | undefined

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    database = await openServedDatabase(server, {
      onConnect: recordDeadlocks(
        deadlocks,
        allowsLockTimeouts ? [DEADLOCK] : [DEADLOCK, LOCK_TIMEOUT],
      ),
      ...options,
    })
  })
  afterAll(() => database?.close())

  return {
    async openStore(context, side) {
      postgresOrSkip(context, server)
      if (!database) throw new Error('The shared database did not open.')
      return database.openStore(side)
    },
    async expectNoFaults(hint) {
      if (!database) throw new Error('The shared database did not open.')
      const { findings } = await diagnose(database.app)
      // Test servers do not flush to the disk.
      const broken = findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')
      expect({ broken, deadlocks }, hint).toEqual({ broken: [], deadlocks: [] })
    },
  }
}
