import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import type { Running } from '../process/spawn-server.ts'
import { type Answer, createBarrier, fine } from './listener.ts'
import {
  deliveriesOf,
  expectAllEmittedOnce,
  inFlightOfTheDead,
  passLeases,
  passSlots,
  untilIdle,
} from './records.ts'
import { LONG, ROUNDS, type Scene, TIMEOUT_MS, until, withScene } from './scene.ts'

const WORKERS = 4
const EVENTS = 300
/** More than a lease of 30 s. */
const STOPPED_MS = 35_000
/** An endpoint is sent to ten times at once. */
const PLACES = 10

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
}, TIMEOUT_MS)
afterAll(() => closePostgres(postgres))

test.concurrent(
  'kill -9 of one of four workers loses nothing, and sends again at most what that one had in flight',
  async (context) => {
    await withScene({ postgres: postgresOrSkip(context, postgres) }, async (scene) => {
      scene.listener.answer(slowly)
      const workers = await Promise.all(Array.from({ length: WORKERS }, scene.worker))
      let again_max = 0
      for (let round = 1; round <= ROUNDS; round++) {
        if (workers.length < WORKERS) workers.push(await scene.worker())
        again_max += await killOne(scene, workers)
        if (!LONG) await passLeases(scene)
        await untilIdle(scene)
      }
      expect(again_max).toBeGreaterThan(0)
      await expectAllEmittedOnce(scene, { again_max })
      await expectGoodEnd(workers)
    })
  },
  TIMEOUT_MS,
)

const slowly: Answer = (response, socket) => {
  setTimeout(() => fine(response, socket), 100 + Math.random() * 200)
}

/** Kills the worker with the most requests under way, at a random moment; returns how many it had in flight. */
async function killOne(scene: Scene, workers: Running[]): Promise<number> {
  const { received } = scene.listener
  const from = received.length
  const emitting = scene.emit(EVENTS)
  const moment = randomInt(EVENTS * scene.paths.length * 0.5)
  await until(() => received.length - from > moment)
  const pid = await pidOfBusiest(scene)
  const [victim] = workers.splice(
    workers.findIndex((worker) => worker.pid === pid),
    1,
  )
  victim?.signal('SIGKILL')
  expect(await victim?.ended).toBe('SIGKILL')
  if (victim && !LONG) await passSlots(scene, victim)
  await emitting
  return inFlightOfTheDead(scene)
}

async function pidOfBusiest({ database }: Scene): Promise<number> {
  const statement = `
    select split_part(id, '-', 1)::int as pid
      from webhook_worker cross join unnest(slots) as s(slots)
     group by id order by sum(s.slots) desc limit 1`
  const [row] = (await ask(database.url, statement)) as { pid: number }[]
  if (!row) throw new Error('No worker sends anything.')
  return row.pid
}

test.concurrent(
  'a worker that stands still for longer than its leases changes nothing when it goes on',
  async (context) => {
    await withScene({ postgres: postgresOrSkip(context, postgres) }, async (scene) => {
      const { listener, paths } = scene
      const authentication = createBarrier()
      listener.answer(authentication.answer)
      const still = await scene.worker()
      await scene.emit(40)
      await until(() => authentication.waiting() === PLACES * paths.length)
      // In the short form it stands between two statements, in the long one anywhere.
      if (!LONG) await pause(300)
      still.signal('SIGSTOP')
      const stopped = Date.now()

      listener.answer(fine)
      authentication.open()
      if (!LONG) await passSlots(scene, still)
      const other = await scene.worker()
      const again_max = await inFlightOfTheDead(scene)
      expect(again_max).toBeGreaterThanOrEqual(PLACES * paths.length)
      if (!LONG) await passLeases(scene)
      await untilIdle(scene)
      const before = await deliveriesOf(scene)
      if (LONG) await pause(Math.max(0, stopped + STOPPED_MS - Date.now()))

      still.signal('SIGCONT')
      // It drains: every result that it still has is written, or refused.
      await expectGoodEnd([still, other])
      expect(await deliveriesOf(scene)).toEqual(before)
      await expectAllEmittedOnce(scene, { again_max })
    })
  },
  TIMEOUT_MS,
)

async function expectGoodEnd(workers: readonly Running[]): Promise<void> {
  for (const worker of workers) worker.signal('SIGTERM')
  for (const worker of workers) expect(await worker.ended).toBe(0)
}
