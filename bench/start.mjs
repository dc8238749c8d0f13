// Start time of Tradepost, and its memory at rest.
//
//   node bench/start.mjs
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, bench, hasTime, median, openFolder, printTable } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { rssOf } from './lib/proc.mjs'
import { startServer } from './lib/server.mjs'

const ROUNDS = 3
const REST_MS = 3_000
const BARS = {
  embedded: { first_s: 12, warm_s: 2, rss_mb: 350 },
  server: { first_s: 12, warm_s: 2, rss_mb: 130 },
}

await bench(
  'Start until the ready file is written, and memory after 3 s of rest',
  async (atEnd) => {
    const roundsByDatabase = { embedded: [], server: [] }
    for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
      roundsByDatabase.embedded.push(await startTwice(atEnd, {}))
      const { databaseUrl } = await openPostgres(atEnd)
      roundsByDatabase.server.push(await startTwice(atEnd, { databaseUrl }))
    }
    printTable(
      ['database', 'figure', 'median', 'CPU', 'rounds', 'bar', ''],
      Object.entries(roundsByDatabase).flatMap(([database, rounds]) => [
        tableRow(database, rounds, { name: 'first_s', title: 'first start', unit: 's' }),
        tableRow(database, rounds, { name: 'warm_s', title: 'warm start', unit: 's' }),
        tableRow(database, rounds, { name: 'rss_mb', title: 'memory (VmRSS)', unit: 'MB' }),
      ]),
    )
  },
)

/** Starts twice in a new folder, and reads the memory 3 s after the second start. `cpu_s` is that of each start. */
async function startTwice(atEnd, setup) {
  const dataDir = openFolder(atEnd)
  const first = await startServer(atEnd, { dataDir, ...setup })
  await first.stop()
  const warm = await startServer(atEnd, { dataDir, ...setup })
  await pause(REST_MS)
  const rss_mb = rssOf(warm.child.pid)
  await warm.stop()
  const cpu_s = { first_s: first.cpu_s, warm_s: warm.cpu_s }
  return { first_s: first.started_s, warm_s: warm.started_s, rss_mb, cpu_s }
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
