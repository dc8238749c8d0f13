import { expect, test } from 'vitest'
import { chanceOf } from '../chance.mjs'
import { stopwatch } from '../clock.ts'
import { ask } from '../database.ts'
import { sharedPostgres } from '../process/real-postgres.ts'
import type { Running } from '../process/spawn-server.ts'
import { elapse, until } from '../until.ts'
import { type Answer, answerOk, createBarrier } from './receiver.ts'
import {
  countInFlightOfSuspended,
  deliveriesOf,
  expectAllEmittedOnce,
  expireLeases,
  expireSlots,
  untilIdle,
} from './records.ts'
import { LONG, ROUNDS, type Setup, withSetup } from './setup.ts'

const WORKERS = 4
const EVENTS = 300
/** Longer than the lease of 30 s. */
const SUSPENDED_MS = 35_000
/** The maximum number of concurrent attempts of an endpoint. */
const SLOTS = 10

const requirePostgres = sharedPostgres()

test.concurrent('kill -9 of one of four workers loses no event, and at most its running attempts are sent again', async (context) => {
  await withSetup({ postgres: requirePostgres(context) }, async (setup) => {
    setup.receiver.setAnswer(answerSlowly)
    const workers = await Promise.all(Array.from({ length: WORKERS }, setup.startWorker))
    let resent_max = 0
    for (let round = 1; round <= ROUNDS; round++) {
      if (workers.length < WORKERS) workers.push(await setup.startWorker())
      resent_max += await killBusiest(setup, workers)
      if (!LONG) await expireLeases(setup)
      await untilIdle(setup)
    }
    expect(resent_max).toBeGreaterThan(0)
    await expectAllEmittedOnce(setup, { resent_max })
    await stopWorkers(workers)
  })
})

const chance = chanceOf('kills of workers')

const answerSlowly: Answer = (response, socket) => {
  setTimeout(() => answerOk(response, socket), 100 + chance() * 200)
}

/** Kills the worker with the most running attempts at a random time, and returns the number of these attempts. */
async function killBusiest(setup: Setup, workers: Running[]): Promise<number> {
  const { received } = setup.receiver
  const killAt = received.length + chance.below(EVENTS * setup.paths.length * 0.5)
  const emitting = setup.emit(EVENTS)
  await until(() => received.length > killAt)
  const pid = await pidOfBusiest(setup)
  const [busiest] = workers.splice(
    workers.findIndex((worker) => worker.pid === pid),
    1,
  )
  if (!busiest) throw new Error('The busiest worker has already ended.')
  busiest.signal('SIGKILL')
  expect(await busiest.ended).toBe('SIGKILL')
  if (!LONG) await expireSlots(setup, busiest)
  await emitting
  return countInFlightOfSuspended(setup)
}

async function pidOfBusiest({ database }: Setup): Promise<number> {
  const statement = `
    select split_part(id, '-', 1)::int as pid
      from webhook_worker cross join unnest(slots) as slots_of_endpoint
     group by id order by sum(slots_of_endpoint) desc limit 1`
  const [row] = (await ask(database.url, statement)) as { pid: number }[]
  if (!row) throw new Error('No worker has a slot.')
  return row.pid
}

test.concurrent('a worker that is suspended until its leases have expired changes no delivery when it continues', async (context) => {
  await withSetup({ postgres: requirePostgres(context) }, async (setup) => {
    const { receiver, paths } = setup
    const barrier = createBarrier()
    receiver.setAnswer(barrier.answer)
    const suspendedWorker = await setup.startWorker()
    await setup.emit(40)
    await until(() => barrier.waiting() === SLOTS * paths.length)
    // In the short form the worker should not be suspended during a statement, whose locks others would wait for.
    if (!LONG) await elapse(300)
    suspendedWorker.signal('SIGSTOP')
    const suspended_ms = stopwatch()

    receiver.setAnswer(answerOk)
    barrier.open()
    if (!LONG) await expireSlots(setup, suspendedWorker)
    const otherWorker = await setup.startWorker()
    const resent_max = await countInFlightOfSuspended(setup)
    expect(resent_max).toBeGreaterThanOrEqual(SLOTS * paths.length)
    if (!LONG) await expireLeases(setup)
    await untilIdle(setup)
    const before = await deliveriesOf(setup)
    if (LONG) await elapse(Math.max(0, SUSPENDED_MS - suspended_ms()))

    suspendedWorker.signal('SIGCONT')
    // A worker that ends normally has recorded its results, or they were refused.
    await stopWorkers([suspendedWorker, otherWorker])
    expect(await deliveriesOf(setup)).toEqual(before)
    await expectAllEmittedOnce(setup, { resent_max })
  })
})

async function stopWorkers(workers: readonly Running[]): Promise<void> {
  for (const worker of workers) worker.signal('SIGTERM')
  for (const worker of workers) expect(await worker.ended).toBe(0)
}
