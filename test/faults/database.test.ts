import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { ask } from '../database.ts'
import type { PostgresServer } from '../postgres/server.ts'
import { ownPostgres } from '../process/real-postgres.ts'
import { openDisk } from './disk.ts'
import { createBarrier, fine } from './listener.ts'
import {
  expectAllEmittedOnce,
  inFlightOfTheDead,
  passLeases,
  untilIdle,
  waitingIn,
} from './records.ts'
import { LONG, ROUNDS, type Scene, TIMEOUT_MS, until, withScene } from './scene.ts'

const PLACES = 10
/** The long form outlasts the leases of attempts in flight: those, and no more, are sent again. */
const FULL_MS = LONG ? 40_000 : 2_000
/** Events that do not fit when a page or two are left. */
const MANY = 5_000

test(
  'PostgreSQL stopped in the middle of a flush: results are written when it is back, and nothing is sent again',
  async (context) => {
    await withOwn(context, async (server, scene) => {
      const { listener, paths } = scene
      const authentication = createBarrier()
      listener.answer(authentication.answer)
      await scene.worker()
      await scene.emit(20)
      await until(() => authentication.waiting() === PLACES * paths.length)
      await whileNothingIsRecorded(scene, async () => {
        listener.answer(fine)
        authentication.open()
        await aFlushWaits(scene)
        await server.stop('immediate')
      })
      await server.start()
      await untilIdle(scene)
      await expectAllEmittedOnce(scene, { again_max: 0 })
    })
  },
  TIMEOUT_MS,
)

test(
  'PostgreSQL stopped at any moment, while events are committed and sent: a committed event arrives once',
  async (context) => {
    await withOwn(context, async (server, scene) => {
      await scene.worker()
      await scene.worker()
      for (let round = 1; round <= ROUNDS; round++) {
        const { received } = scene.listener
        const goal = received.length + Math.random() * 500
        const emitting = scene.emit(600)
        const failing = emitting.then(() => new Promise<never>(() => {}))
        await Promise.race([until(() => received.length > goal), failing])
        await server.stop('immediate')
        await emitting.catch(() => undefined)
        await server.start()
        // Deliveries whose claim was committed but not answered have a lease without a worker.
        await inFlightOfTheDead(scene)
        if (!LONG) await passLeases(scene)
        await untilIdle(scene)
      }
      expect((await ask(scene.database.url, 'select from event')).length).toBeGreaterThan(0)
      await expectAllEmittedOnce(scene, { again_max: 0 })
    })
  },
  TIMEOUT_MS,
)

test(
  'a full disk: nothing more is committed, and committed events are sent when there is space again',
  async (context) => {
    const disk = await openDisk()
    try {
      await withOwn(
        context,
        async (server, scene) => {
          const { listener, paths } = scene
          const authentication = createBarrier()
          listener.answer(authentication.answer)
          await scene.worker()
          await scene.emit(60)
          await until(() => authentication.waiting() === PLACES * paths.length)
          const { leased } = await waitingIn(scene)
          await disk.fill(scene.database.url)
          await expect(scene.emit(MANY)).rejects.toMatchObject({ code: '53100' })

          listener.answer(fine)
          authentication.open()
          await pause(FULL_MS)
          await disk.free(scene.database.url)
          // PostgreSQL gives up where it cannot write its log.
          await until(async () => (await isUp(scene)) || (await starts(server)))
          if (LONG) await inFlightOfTheDead(scene)
          await untilIdle(scene)
          await expectAllEmittedOnce(scene, { again_max: LONG ? leased : 0 })
        },
        disk.folder,
      )
    } finally {
      await disk.close()
    }
  },
  TIMEOUT_MS,
)

/** A server of this test alone, in this folder if one is given. */
async function withOwn(
  context: TestContext,
  work: (server: PostgresServer, scene: Scene) => Promise<void>,
  folder?: string,
): Promise<void> {
  const before = process.env.TMPDIR
  if (folder) process.env.TMPDIR = folder
  const server = await ownPostgres(context).finally(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  try {
    await withScene({ postgres: server, paths: ['/a', '/b'] }, (scene) => work(server, scene))
  } finally {
    await server.close()
  }
}

/** A lock keeps results from being written. */
async function whileNothingIsRecorded({ database }: Scene, work: () => Promise<void>) {
  const client = new pg.Client(database.url)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('lock table webhook_delivery in share mode')
  await work()
  await client.end().catch(() => undefined)
}

/** A transaction that has begun to write results, and cannot end. */
async function aFlushWaits({ database }: Scene): Promise<void> {
  const waiting = `
    select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like '%into webhook_delivery%'`
  await until(async () => {
    const [row] = (await ask(database.url, waiting)) as { n: number }[]
    return row !== undefined && row.n > 0
  })
}

/** It cannot be started where it still runs. */
const starts = (server: PostgresServer): Promise<boolean> =>
  server.start().then(
    () => true,
    () => false,
  )

const isUp = ({ database }: Scene): Promise<boolean> =>
  ask(database.url, 'select 1').then(
    () => true,
    () => false,
  )
