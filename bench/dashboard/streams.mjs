// The cost of open dashboards: processor time of the server, and delay for callers of its API.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { askable } from '../lib/askable.mjs'
import { median, quantile, ROOT, say } from '../lib/bench.mjs'
import { endChild } from '../lib/children.mjs'
import { cpuOf } from '../lib/proc.mjs'
import { openSale, sellFor } from '../lib/sellers.mjs'
import { signIn } from './seed.mjs'

const DASHBOARDS = 200
/** A user may have so many streams (decision 138). */
const STREAMS_A_USER = 10
const REST_MS = 60_000
const REST_ROUNDS = 2
const SETTLE_MS = 20_000
const LOAD_MS = 5_000
const LOAD_ROUNDS = 6

async function openDashboards(later, store) {
  const users = DASHBOARDS / STREAMS_A_USER
  const cookies = []
  for (let n = 0; n < users; n++) cookies.push(await signIn(store, `person-${n}@example.com`))
  const child = fork(join(ROOT, 'bench/dashboard/stream-process.mjs'))
  later(() => endChild(child))
  const send = askable(child)
  const url = `${store.tradepost.origin}/dashboard/api/stores/${store.hash}/stream`
  return {
    open: (count) =>
      send('open', { url, cookies: Array.from({ length: count }, (_, n) => cookies[n % users]) }),
    close: () => send('close'),
  }
}

/** Processor time of a minute without calls, with and without open dashboards. */
export async function idle(later, store) {
  const dashboards = await openDashboards(later, store)
  const pids = [store.tradepost.child.pid, store.pid]
  const minute = async (count) => {
    if (count > 0) await dashboards.open(count)
    await pause(1_000)
    const before = pids.map(cpuOf)
    await pause(REST_MS)
    const spent = pids.map((pid, at) => cpuOf(pid) - before[at])
    await dashboards.close()
    return spent
  }
  await pause(SETTLE_MS)
  const minutes = { none: [], one: [], all: [] }
  for (let n = 0; n < REST_ROUNDS; n++) {
    minutes.none.push(await minute(0))
    minutes.one.push(await minute(1))
    minutes.all.push(await minute(DASHBOARDS))
  }
  const of = (name, at) => median(minutes[name].map((spent) => spent[at]))
  for (const [name, rounds] of Object.entries(minutes)) {
    say(
      `${name}: ${rounds.map((spent) => spent.join(' + ')).join(', ')} ms (Tradepost + PostgreSQL)`,
    )
  }
  const each = (name, count) => (of(name, 0) - of('none', 0)) / count
  return [
    ['an idle dashboard, a minute: the first', each('one', 1), 'ms', undefined],
    [`an idle dashboard, a minute: each of ${DASHBOARDS}`, each('all', DASHBOARDS), 'ms', 1],
  ]
}

/** Orders that are created, paid and delivered by eight clients, with and without open dashboards. */
export async function load(later, store) {
  const { tradepost, headers, pid } = store
  const pids = [tradepost.child.pid, pid]
  const api = { origin: tradepost.origin, headers, pids }
  const sale = await openSale(later, api, { products: 20, keys: 40_000 })
  const dashboards = await openDashboards(later, store)
  await sellFor(sale, LOAD_MS)
  const alone = []
  const watched = []
  for (let n = 0; n < LOAD_ROUNDS; n++) {
    // They take turns in being first, so that a machine that slows down favours neither.
    for (const isWatched of n % 2 === 0 ? [false, true] : [true, false]) {
      if (isWatched) await dashboards.open(DASHBOARDS)
      const round = await sellFor(sale, LOAD_MS)
      if (isWatched) await dashboards.close()
      const list = isWatched ? watched : alone
      list.push({ p99: quantile(round.times, 0.99), rate: round.perSecond })
    }
  }
  const of = (list, name) => median(list.map((round) => round[name]))
  const [before, after] = [of(alone, 'p99'), of(watched, 'p99')]
  say(
    `orders a second: ${of(alone, 'rate').toFixed(0)} alone, ${of(watched, 'rate').toFixed(0)} watched`,
  )
  say(`p99 of an order: ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms watched`)
  return [[`p99 under load with ${DASHBOARDS} dashboards`, (after / before - 1) * 100, '%', 10]]
}
