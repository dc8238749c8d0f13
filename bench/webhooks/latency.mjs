// Measures the time from the commit of an event to its request at the receiver, at a steady rate. In the first
// measurement the process that commits also sends. In the second one, a separate worker process sends.
import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { atMost, hasTimeFor, median, print, printTable, quantile } from '../lib/bench.mjs'
import { openRequests } from '../lib/child-requests.mjs'
import { endChild } from '../lib/children.mjs'
import { cpuOf } from '../lib/proc.mjs'
import { fillBacklog } from './bench-app.mjs'
import { formatInteger } from './drain.mjs'

const PROGRAM = fileURLToPath(new URL('./commit-process.mjs', import.meta.url))
const WARM_UP = { perSecond: 200, for_ms: 2_000 }
const STEADY = { perSecond: 500, for_ms: 8_000 }
const TRICKLE = { perSecond: 200, for_ms: 15_000 }
/** The time after which the last results are recorded. */
const UNTIL_RECORDED_MS = 500
const NEIGHBOUR = { perSecond: 200, for_ms: 15_000 }
const ARRIVAL_TIMEOUT_MS = 15_000
const ROUNDS = 5
const ROUNDS_MAX_MS = 240_000
const P50_BAR_MS = 15
const P99_BAR_MS = 60
/** The highest ratio of p99 next to the hanging store to p99 alone. */
const RATIO_BAR = 1.25
const HEADINGS = ['sender', 'events/s', 'p50 ms', 'p99 ms', 'max ms', 'bar', '']

export async function measureLatency(atEnd, receiver, sender) {
  const { targets } = sender
  const rows = []
  for (const [name, hasWorkers] of [
    ['the process that commits', true],
    ['a separate worker', false],
  ]) {
    const committer = await openCommitter(atEnd, sender, hasWorkers)
    const worker = hasWorkers ? undefined : await sender.start()
    await measureDelays(receiver, committer, { ...WARM_UP, targets })
    const { delays_ms, perSecond } = await measureDelays(receiver, committer, {
      ...STEADY,
      targets,
    })
    await committer.stop()
    await worker?.stop()
    const [p50, p99] = [quantile(delays_ms, 0.5), quantile(delays_ms, 0.99)]
    const verdict = p50 <= P50_BAR_MS ? atMost(p99, P99_BAR_MS) : 'missed'
    const bar = `p50 at most ${P50_BAR_MS}, p99 at most ${P99_BAR_MS}`
    const figures = [p50, p99, Math.max(...delays_ms)].map((value) => value.toFixed(1))
    rows.push([
      name,
      formatInteger(perSecond),
      ...figures,
      ...(hasWorkers ? [bar, verdict] : ['', '']),
    ])
  }
  printTable(HEADINGS, rows)
}

/**
 * Measures the processor time of an event at a low rate, from its transaction to its recorded delivery, in the process that
 * commits and sends, and in PostgreSQL if the benchmark has started it.
 */
export async function measureTrickle(atEnd, receiver, { databasePid, ...sender }) {
  const committer = await openCommitter(atEnd, sender, true)
  const pids = [committer.pid, ...(databasePid ? [databasePid] : [])]
  const { targets } = sender
  await measureDelays(receiver, committer, { ...WARM_UP, targets })
  const before = pids.map(cpuOf)
  const { delays_ms } = await measureDelays(receiver, committer, { ...TRICKLE, targets })
  await pause(UNTIL_RECORDED_MS)
  const cpu = pids.map((pid, index) => (cpuOf(pid) - before[index]) / delays_ms.length)
  const [p50, p99] = [quantile(delays_ms, 0.5), quantile(delays_ms, 0.99)]
  const total = cpu.reduce((sum, part) => sum + part, 0)
  printTable(
    ['figure', 'value', 'bar', ''],
    [
      [
        `CPU ms of an event (${cpu.map((part) => part.toFixed(2)).join(' and ')})`,
        total.toFixed(2),
        'at most 2.5',
        atMost(total, 2.5),
      ],
      ['commit to receiver, p50 ms', p50.toFixed(1), 'at most 2', atMost(p50, 2)],
      ['commit to receiver, p99 ms', p99.toFixed(1), 'at most 6', atMost(p99, 6)],
    ],
  )
}

/** Measures healthy stores alone, and next to a store whose receiver never answers, in rounds. */
export async function measureNeighbour(atEnd, receiver, { sender, waiting: pendingCount }) {
  const [hanging, ...healthy] = sender.targets
  await receiver.hang([receiver.ports[0]])
  const committer = await openCommitter(atEnd, sender, true)
  const measureHealthy = async (rate) => {
    const { delays_ms } = await measureDelays(receiver, committer, { ...rate, targets: healthy })
    return delays_ms
  }
  await measureHealthy(WARM_UP)
  const roundsAlone = []
  const roundsNextToHanging = []
  const hasTime = hasTimeFor(ROUNDS_MAX_MS)
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
    roundsAlone.push(await measureHealthy(NEIGHBOUR))
    await sender.withApp(async ({ db }) => {
      await fillBacklog(db, [hanging], pendingCount)
      await vacuumAndCheckpoint(db)
    })
    roundsNextToHanging.push(await measureHealthy(NEIGHBOUR))
    await deleteBacklog(sender, hanging)
  }
  await committer.stop()
  const medianOf = (rounds, share) => median(rounds.map((delays_ms) => quantile(delays_ms, share)))
  const row = (name, rounds) => [
    name,
    medianOf(rounds, 0.5).toFixed(1),
    medianOf(rounds, 0.99).toFixed(1),
    rounds.map((delays_ms) => quantile(delays_ms, 0.99).toFixed(1)).join(' '),
  ]
  printTable(
    ['healthy stores', 'p50 ms', 'p99 ms', 'p99 of rounds'],
    [
      row('alone', roundsAlone),
      row(`next to ${formatInteger(pendingCount)} pending`, roundsNextToHanging),
    ],
  )
  const ratio = medianOf(roundsNextToHanging, 0.99) / medianOf(roundsAlone, 0.99)
  print(
    `p99 next to pending deliveries, relative to p99 alone: ${ratio.toFixed(2)} (at most ${RATIO_BAR}: ${atMost(ratio, RATIO_BAR)})\n`,
  )
}

/** Starts a process that commits events. With workers, it also sends their webhooks. */
async function openCommitter(atEnd, { setup }, hasWorkers) {
  const child = fork(PROGRAM, { serialization: 'advanced' })
  const stop = () => endChild(child)
  atEnd(stop)
  const send = openRequests(child)
  await send('open', { setup, hasWorkers })
  return { send, stop, pid: child.pid }
}

/** Returns the rate of the commits, and the time from each commit to the arrival of its request. */
async function measureDelays(receiver, committer, { targets, perSecond, for_ms }) {
  const events = (perSecond * for_ms) / 1_000
  await receiver.recordArrivals(events)
  const startedAt = performance.now()
  const stores = targets.map(({ store, type }) => ({ store, type }))
  const commitTimes = await committer.send('emit', { targets: stores, perSecond, events })
  const duration_ms = performance.now() - startedAt
  const arrivals = await untilAllArrived(receiver)
  const delays_ms = arrivals.map((at, n) => at - commitTimes[n])
  return { delays_ms, perSecond: (events * 1_000) / duration_ms }
}

async function untilAllArrived(receiver) {
  const hasTime = hasTimeFor(ARRIVAL_TIMEOUT_MS)
  for (;;) {
    const arrivals = await receiver.arrivals()
    if (arrivals.every((at) => at > 0)) return arrivals
    if (!hasTime()) {
      const missing = arrivals.filter((at) => at === 0).length
      throw new Error(`${missing} of ${arrivals.length} events did not arrive.`)
    }
    await pause(100)
  }
}

/** Deletes the deliveries of the hanging receiver. Attempts under way end at their timeout. */
async function deleteBacklog(sender, { store }) {
  await sender.withApp(async ({ db }) => {
    await sql`delete from webhook_fanout where store_id = ${store.id}`.execute(db)
    await sql`delete from webhook_retry where store_id = ${store.id}`.execute(db)
    await vacuumAndCheckpoint(db)
  })
}

/**
 * Runs vacuum and a checkpoint, which otherwise would run at a random moment of the measurement and delay each
 * commit. The checkpoint is left out if the database user is not a superuser.
 */
async function vacuumAndCheckpoint(db) {
  for (const table of ['event', 'webhook_fanout', 'webhook_retry'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  await sql`checkpoint`.execute(db).catch(() => {})
}
