// Latency from the commit of an event to its request at the receiver, at a steady rate. First the
// committing process also sends; then a second process on the same database sends.
import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { askable } from '../lib/askable.mjs'
import { atMost, hasTimeFor, median, quantile, say, table } from '../lib/bench.mjs'
import { endChild } from '../lib/children.mjs'
import { whole } from './drain.mjs'
import { fillBacklog } from './ours.mjs'

const PROGRAM = fileURLToPath(new URL('./shop-process.mjs', import.meta.url))
const WARM_UP = { perSecond: 200, for_ms: 2_000 }
const STEADY = { perSecond: 500, for_ms: 8_000 }
const BESIDE = { perSecond: 200, for_ms: 15_000 }
const ARRIVAL_MS = 15_000
const ROUNDS = 5
const ROUNDS_MAX_MS = 240_000
const HEADINGS = ['who sends', 'events/s', 'p50 ms', 'p99 ms', 'most ms', 'bar', '']

export async function judgeLatency(later, receiver, ours) {
  const rows = []
  for (const [name, workers] of [
    ['the process that commits', true],
    ['a process beside it', false],
  ]) {
    const tradepost = await openStoreFixture(later, ours, workers)
    const beside = workers ? undefined : await ours.start()
    await measure(receiver, tradepost, { ...WARM_UP, targets: ours.targets })
    const { waits, perSecond } = await measure(receiver, tradepost, {
      ...STEADY,
      targets: ours.targets,
    })
    await tradepost.stop()
    await beside?.stop()
    const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)]
    const verdict = [atMost(p50, 15), atMost(p99, 60)].includes('missed') ? 'missed' : 'met'
    const bar = workers ? ['p50 at most 15, p99 at most 60', verdict] : ['', '']
    const figures = [p50, p99, Math.max(...waits)].map((value) => value.toFixed(1))
    rows.push([name, whole(perSecond), ...figures, ...bar])
  }
  table(HEADINGS, rows)
}

/** A healthy store alone, then next to a store whose receiver never answers; in rounds. */
export async function judgeNeighbour(later, receiver, { ours, waiting }) {
  const [hanging, ...healthy] = ours.targets
  await receiver.hang([receiver.ports[0]])
  const tradepost = await openStoreFixture(later, ours, true)
  await measure(receiver, tradepost, { ...WARM_UP, targets: healthy })
  const alone = []
  const beside = []
  const hasTime = hasTimeFor(ROUNDS_MAX_MS)
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
    alone.push((await measure(receiver, tradepost, { ...BESIDE, targets: healthy })).waits)
    await ours.within(async ({ db }) => {
      await fillBacklog(db, [hanging], waiting)
      await untilQuiet(db)
    })
    beside.push((await measure(receiver, tradepost, { ...BESIDE, targets: healthy })).waits)
    await deleteBacklog(ours, hanging)
  }
  await tradepost.stop()
  const figures = (rounds, share) => median(rounds.map((waits) => quantile(waits, share)))
  const line = (name, rounds) => [
    name,
    figures(rounds, 0.5).toFixed(1),
    figures(rounds, 0.99).toFixed(1),
    rounds.map((waits) => quantile(waits, 0.99).toFixed(1)).join(' '),
  ]
  table(
    ['a healthy store', 'p50 ms', 'p99 ms', 'p99 of rounds'],
    [line('alone', alone), line(`next to ${whole(waiting)} pending`, beside)],
  )
  const ratio = figures(beside, 0.99) / figures(alone, 0.99)
  say(
    `p99 next to it, relative to p99 alone: ${ratio.toFixed(2)} (at most 1.25: ${atMost(ratio, 1.25)})\n`,
  )
}

/** Starts a process that commits events. With workers, it also sends them. */
async function openStoreFixture(later, { place }, workers) {
  const child = fork(PROGRAM, { serialization: 'advanced' })
  const stop = () => endChild(child)
  later(stop)
  const ask = askable(child)
  await ask('open', { place, workers })
  return { ask, stop }
}

async function measure(receiver, tradepost, { targets, perSecond, for_ms }) {
  const events = (perSecond * for_ms) / 1_000
  await receiver.time(events)
  const begun = performance.now()
  const stores = targets.map(({ store, type }) => ({ store, type }))
  const commits = await tradepost.ask('emit', { targets: stores, perSecond, events })
  const took_ms = performance.now() - begun
  const arrivals = await arrivalsOf(receiver)
  const waits = [...arrivals.map((at, n) => at - commits[n])]
  return { waits, perSecond: (events * 1_000) / took_ms }
}

async function arrivalsOf(receiver) {
  const hasTime = hasTimeFor(ARRIVAL_MS)
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
async function deleteBacklog(ours, { store }) {
  await ours.within(async ({ db }) => {
    await sql`delete from webhook_fanout where store_id = ${store.id}`.execute(db)
    await sql`delete from webhook_retry where store_id = ${store.id}`.execute(db)
    await untilQuiet(db)
  })
}

/**
 * Runs vacuum and a checkpoint now; otherwise they would run at a random moment of the measurement. A
 * backlog that is still being written to the disk delays each commit. A checkpoint needs a superuser.
 */
async function untilQuiet(db) {
  for (const table of ['event', 'webhook_fanout', 'webhook_retry'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  await sql`checkpoint`.execute(db).catch(() => {})
}
