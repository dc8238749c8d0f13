// Measures the cost of open dashboards: processor time of the server, and delay of calls of its API.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasTimeFor, median, print, quantile, ROOT } from '../lib/bench.mjs'
import { openRequests } from '../lib/child-requests.mjs'
import { endChild } from '../lib/children.mjs'
import { openMeter } from '../lib/proc.mjs'
import { openSale, sellFor } from '../lib/sellers.mjs'
import { signIn } from './seed.mjs'

const DASHBOARDS = 200
/** The maximum number of streams of a user (decision 138). */
const STREAMS_A_USER = 10
/** The duration of an idle measurement. In this time each stream gets one comment. */
const IDLE_MS = 20_000
const IDLE_ROUNDS = 6
const MEASUREMENTS_PER_MINUTE = 60_000 / IDLE_MS
const SETTLE_MS = 20_000
/** The time after which the work that an opened dashboard causes has ended. */
const OPENING_MS = 10_000
const LOAD_MS = 5_000
const LOAD_ROUNDS = 6
/** No round begins after this time, so a busy machine has fewer rounds. */
const ROUNDS_MS = 300_000
const CONCURRENT_SIGN_INS = 4

/** A promise of one cookie for each session. Both measurements use it. */
let sessions

async function signInAll(store) {
  const emails = Array.from(
    { length: DASHBOARDS / STREAMS_A_USER },
    (_, n) => `person-${n}@example.com`,
  )
  const cookies = []
  const signInSome = async () => {
    for (let email = emails.pop(); email; email = emails.pop())
      cookies.push(await signIn(store, email))
  }
  await Promise.all(Array.from({ length: CONCURRENT_SIGN_INS }, signInSome))
  return cookies
}

async function openDashboards(atEnd, store) {
  sessions ??= signInAll(store)
  const cookies = await sessions
  const child = fork(join(ROOT, 'bench/dashboard/stream-process.mjs'))
  atEnd(() => endChild(child))
  const send = openRequests(child)
  const url = `${store.tradepost.origin}/dashboard/api/stores/${store.hash}/stream`
  return {
    open: (count) =>
      send('open', {
        url,
        cookies: Array.from({ length: count }, (_, n) => cookies[n % cookies.length]),
      }),
    close: () => send('close'),
  }
}

/** Measures processor time without calls, alternately with and without open dashboards. */
export async function measureIdle(atEnd, store) {
  const dashboards = await openDashboards(atEnd, store)
  const readCpu_ms = openMeter([store.tradepost.child.pid, store.pid])
  const measure = async (count) => {
    if (count > 0) await dashboards.open(count)
    await pause(OPENING_MS)
    const before = readCpu_ms()
    await pause(IDLE_MS)
    const used_ms = readCpu_ms() - before
    await dashboards.close()
    return used_ms * MEASUREMENTS_PER_MINUTE
  }
  await pause(SETTLE_MS)
  const rounds = []
  const hasTime = hasTimeFor(ROUNDS_MS)
  for (let n = 0; n < IDLE_ROUNDS && (n === 0 || hasTime()); n++) {
    rounds.push({ none: await measure(0), first: await measure(1), all: await measure(DASHBOARDS) })
  }
  print('Tradepost and PostgreSQL together, in milliseconds of processor time a minute:')
  for (const name of ['none', 'first', 'all']) {
    print(`${name.padEnd(5)} ${rounds.map((round) => round[name].toFixed(1)).join('  ')}`)
  }
  const costs = (name, count) => rounds.map((round) => (round[name] - round.none) / count)
  const [first, each] = [costs('first', 1), costs('all', DASHBOARDS)]
  print(`the first adds ${median(first).toFixed(1)} ms ± ${standardError(first).toFixed(1)} ms`)
  return [
    ['an idle dashboard, a minute: the first', median(first), 'ms', undefined],
    [`an idle dashboard, a minute: each of ${DASHBOARDS}`, median(each), 'ms', 1],
  ]
}

/** Returns the standard error of the mean. */
function standardError(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length)
}

/** Measures orders that eight clients create and pay, with and without open dashboards. */
export async function measureLoad(atEnd, store) {
  const { tradepost, headers, pid } = store
  const pids = [tradepost.child.pid, pid]
  const api = { origin: tradepost.origin, headers, pids }
  const dashboards = await openDashboards(atEnd, store)
  // The sale is opened last, because the server closes connections that send no request.
  const sale = await openSale(atEnd, api, { products: 20, keys: 40_000 })
  await sellFor(sale, LOAD_MS)
  const roundsWithout = []
  const roundsWith = []
  const measure = async (hasDashboards) => {
    if (hasDashboards) await dashboards.open(DASHBOARDS)
    const { times, perSecond } = await sellFor(sale, LOAD_MS)
    if (hasDashboards) await dashboards.close()
    const rounds = hasDashboards ? roundsWith : roundsWithout
    rounds.push({ p99: quantile(times, 0.99), rate: perSecond })
  }
  const hasTime = hasTimeFor(ROUNDS_MS)
  for (let n = 0; n < LOAD_ROUNDS && (n < 2 || hasTime()); n++) {
    // The first measurement alternates, so that a machine that slows down favours neither.
    await measure(n % 2 === 1)
    await measure(n % 2 === 0)
  }
  const medians = (name) =>
    [roundsWithout, roundsWith].map((rounds) => median(rounds.map((round) => round[name])))
  const rates = medians('rate').map((rate) => rate.toFixed(0))
  print(`orders a second: ${rates[0]} without dashboards, ${rates[1]} with them`)
  const [without_ms, with_ms] = medians('p99')
  print(
    `p99 of an order: ${without_ms.toFixed(1)} ms without dashboards, ${with_ms.toFixed(1)} ms with them`,
  )
  const increase = (with_ms / without_ms - 1) * 100
  return [[`increase of the p99 of an order with ${DASHBOARDS} dashboards`, increase, '%', 10]]
}
