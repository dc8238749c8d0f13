// Start time of Tradepost, and its memory at rest.
//
//   node bench/start.mjs [COMMIT]     also measures another commit, in turns
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, bench, hasTimeFor, median, openFolder, printTable } from './lib/bench.mjs'
import { openCheckout } from './lib/checkout.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { cpuOf, rssOf } from './lib/proc.mjs'
import { startServer } from './lib/server.mjs'

const ROUNDS = 3
/** No round of a version begins after this time. */
const ROUNDS_MS = 60_000
const REST_MS = 3_000
const BARS = {
  embedded: { first_s: 4, warm_s: 1.5, rss_mb: 350 },
  server: { first_s: 2, warm_s: 0.9, rss_mb: 120 },
}

const commit = process.argv[2]

await bench(
  'Start until the ready file is written, and memory after 3 s of rest',
  async (atEnd) => {
    const roots = { ours: undefined, ...(commit && { [commit]: openCheckout(atEnd, commit) }) }
    const names = Object.keys(roots)
    const rounds = []
    const isNext = hasTimeFor(ROUNDS_MS * names.length)
    while (rounds.length === 0 || (rounds.length < ROUNDS && isNext())) {
      const round = {}
      // The first version alternates, so that a machine that slows down favours neither.
      for (const name of rounds.length % 2 === 0 ? names : names.toReversed())
        round[name] = await startBoth(atEnd, roots[name])
      rounds.push(round)
    }
    printTable(
      ['version', 'database', 'figure', 'median', 'CPU', 'rounds', 'bar', ''],
      names.flatMap((name) =>
        tableRows(name, (database) => rounds.map((it) => it[name][database])),
      ),
    )
  },
)

async function startBoth(atEnd, root) {
  const embedded = await startTwice(atEnd, { root })
  const { databaseUrl, pid } = await openPostgres(atEnd)
  return { embedded, server: await startTwice(atEnd, { root, databaseUrl }, pid) }
}

/**
 * Starts twice in a new folder, and reads the memory 3 s after the second start. `cpu_s` is that of each start, in
 * Tradepost and in the database server.
 */
async function startTwice(atEnd, setup, serverPid) {
  const dataDir = openFolder(atEnd)
  const start = async () => {
    const before = serverPid ? cpuOf(serverPid) : 0
    const server = await startServer(atEnd, { dataDir, ...setup })
    const server_s = serverPid ? (cpuOf(serverPid) - before) / 1_000 : 0
    return { ...server, cpu_s: server.cpu_s + server_s }
  }
  const first = await start()
  await first.stop()
  const warm = await start()
  await pause(REST_MS)
  const rss_mb = rssOf(warm.child.pid)
  await warm.stop()
  const cpu_s = { first_s: first.cpu_s, warm_s: warm.cpu_s }
  return { first_s: first.started_s, warm_s: warm.started_s, rss_mb, cpu_s }
}

function tableRows(version, roundsOf) {
  const figures = [
    { name: 'first_s', title: 'first start', unit: 's' },
    { name: 'warm_s', title: 'warm start', unit: 's' },
    { name: 'rss_mb', title: 'memory (VmRSS)', unit: 'MB' },
  ]
  return Object.keys(BARS).flatMap((database) =>
    figures.map((figure) => [version, ...tableRow(database, roundsOf(database), figure)]),
  )
}

function tableRow(database, rounds, { name, title, unit }) {
  const values = rounds.map((round) => round[name])
  const format = (value) => value.toFixed(unit === 's' ? 2 : 0)
  const bar = BARS[database][name]
  const cpuTimes = rounds.flatMap((round) => round.cpu_s[name] ?? [])
  return [
    database,
    title,
    `${format(median(values))} ${unit}`,
    cpuTimes.length > 0 ? `${median(cpuTimes).toFixed(2)} s` : '',
    values.map(format).join(' '),
    `at most ${bar} ${unit}`,
    atMost(median(values), bar),
  ]
}
