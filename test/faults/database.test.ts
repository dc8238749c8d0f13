import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { chanceOf } from '../chance.mjs'
import { ask } from '../database.ts'
import type { PostgresServer } from '../postgres/server.ts'
import { ownPostgres } from '../process/real-postgres.ts'
import { elapse, until } from '../until.ts'
import { openDisk } from './disk.ts'
import { answerOk, createBarrier } from './receiver.ts'
import {
  countInFlightOfSuspended,
  countPending,
  expectAllEmittedOnce,
  expireLeases,
  untilIdle,
} from './records.ts'
import { LONG, ROUNDS, type Setup, withSetup } from './setup.ts'

/** The maximum number of concurrent attempts of an endpoint. */
const SLOTS = 10
/** The time for which the disk is full. In the long form the leases of running attempts expire meanwhile. */
const DISK_FULL_MS = LONG ? 40_000 : 2_000
/** More events than fit into the free space of partly filled pages. */
const EVENTS_TOO_MANY = 5_000

test('results of attempts that PostgreSQL could not record when it stopped are recorded after its start, and no webhook is sent again', async (context) => {
  await withOwnServer(context, async (server, setup) => {
    const { receiver, paths } = setup
    const barrier = createBarrier()
    receiver.setAnswer(barrier.answer)
    await setup.startWorker()
    await setup.emit(20)
    await until(() => barrier.waiting() === SLOTS * paths.length)
    await withLockedDeliveries(setup, async () => {
      receiver.setAnswer(answerOk)
      barrier.open()
      await untilResultsWait(setup)
      await server.stop('immediate')
    })
    await server.start()
    await untilIdle(setup)
    await expectAllEmittedOnce(setup, { resent_max: 0 })
  })
})

test('a committed event arrives once at each endpoint, although PostgreSQL stops during commits and attempts', async (context) => {
  await withOwnServer(context, async (server, setup) => {
    await setup.startWorker()
    await setup.startWorker()
    const chance = chanceOf('stops of PostgreSQL')
    for (let round = 1; round <= ROUNDS; round++) {
      const { received } = setup.receiver
      const stopAt = received.length + chance() * 500
      const emitting = setup.emit(600)
      // A failure of a commit ends the wait. A success does not.
      const emitFailure = emitting.then(() => new Promise<never>(() => {}))
      await Promise.race([until(() => received.length > stopAt), emitFailure])
      await server.stop('immediate')
      await emitting.catch(() => undefined)
      await server.start()
      // If the claim of a delivery was committed but not answered, no worker has the lease of the delivery.
      await countInFlightOfSuspended(setup)
      if (!LONG) await expireLeases(setup)
      await untilIdle(setup)
    }
    expect((await ask(setup.database.url, 'select from event')).length).toBeGreaterThan(0)
    await expectAllEmittedOnce(setup, { resent_max: 0 })
  })
})

test('a full disk refuses commits, and all committed events are sent once there is space', async (context) => {
  const disk = await openDisk()
  try {
    await withOwnServer(
      context,
      async (server, setup) => {
        const { receiver, paths } = setup
        const barrier = createBarrier()
        receiver.setAnswer(barrier.answer)
        await setup.startWorker()
        await setup.emit(60)
        await until(() => barrier.waiting() === SLOTS * paths.length)
        const { leased } = await countPending(setup)
        await disk.fill(setup.database.url)
        await expect(setup.emit(EVENTS_TOO_MANY)).rejects.toMatchObject({ code: '53100' })

        receiver.setAnswer(answerOk)
        barrier.open()
        await elapse(DISK_FULL_MS)
        await disk.free(setup.database.url)
        // PostgreSQL may have stopped, because it could not write its log.
        await until(async () => (await isUp(setup)) || (await hasStarted(server)))
        if (LONG) await countInFlightOfSuspended(setup)
        await untilIdle(setup)
        await expectAllEmittedOnce(setup, { resent_max: LONG ? leased : 0 })
      },
      disk.folder,
    )
  } finally {
    await disk.close()
  }
})

/** Runs the work with a separate database server, whose files are in `folder` if it is set. */
async function withOwnServer(
  context: TestContext,
  work: (server: PostgresServer, setup: Setup) => Promise<void>,
  folder?: string,
): Promise<void> {
  const before = process.env.TMPDIR
  if (folder) process.env.TMPDIR = folder
  const server = await ownPostgres(context).finally(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  try {
    await withSetup({ postgres: server, paths: ['/a', '/b'] }, (setup) => work(server, setup))
  } finally {
    await server.close()
  }
}

/** Runs the work while a lock prevents the recording of results. */
async function withLockedDeliveries({ database }: Setup, work: () => Promise<void>) {
  const client = new pg.Client(database.url)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('lock table webhook_delivery in share mode')
  await work()
  await client.end().catch(() => undefined)
}

/** Waits until a transaction that records results waits for the lock. */
async function untilResultsWait({ database }: Setup): Promise<void> {
  const statement = `
    select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like '%into webhook_delivery%'`
  await until(async () => {
    const [row] = (await ask(database.url, statement)) as { waiting: number }[]
    return row !== undefined && row.waiting > 0
  })
}

/** Tries to start the server. Returns false if the old process is still running. */
const hasStarted = (server: PostgresServer): Promise<boolean> =>
  server.start().then(
    () => true,
    () => false,
  )

const isUp = ({ database }: Setup): Promise<boolean> =>
  ask(database.url, 'select 1').then(
    () => true,
    () => false,
  )
