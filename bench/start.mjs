// Start time of Tradepost, and its memory at rest.
//
//   node bench/start.mjs
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, bench, hasTime, median, openFolder, table } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { rssOf } from './lib/proc.mjs'
import { startServer } from './lib/shop.mjs'

const ROUNDS = 3
const REST_MS = 3_000
const BARS = {
  embedded: { first: 12, warm: 2, rss: 350 },
  server: { first: 12, warm: 2, rss: 130 },
}

await bench(
  'Start until the ready file is written, and memory after 3 s of rest',
  async (later) => {
    const rows = { embedded: [], server: [] }
    for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
      rows.embedded.push(await startTwice(later, {}))
      const { databaseUrl } = await openPostgres(later)
      rows.server.push(await startTwice(later, { databaseUrl }))
    }
    table(
      ['database', 'figure', 'median', 'CPU', 'rounds', 'bar', ''],
      Object.entries(rows).flatMap(([database, rounds]) => [
        line(database, rounds, { name: 'first', title: 'first start', unit: 's' }),
        line(database, rounds, { name: 'warm', title: 'warm start', unit: 's' }),
        line(database, rounds, { name: 'rss', title: 'memory (VmRSS)', unit: 'MB' }),
      ]),
    )
  },
)

/** Starts in a new folder, then once more. The memory of the second start is read at rest. */
async function startTwice(later, place) {
  const dataDir = openFolder(later)
  const first = await startServer(later, { dataDir, ...place })
  await first.stop()
  const warm = await startServer(later, { dataDir, ...place })
  await pause(REST_MS)
  const rss = rssOf(warm.child.pid)
  await warm.stop()
  const cpu = { first: first.cpu_s, warm: warm.cpu_s }
  return { first: first.started_s, warm: warm.started_s, rss, cpu }
}

function line(database, rounds, { name, title, unit }) {
  const values = rounds.map((item) => item[name])
  const shown = (value) => value.toFixed(unit === 's' ? 2 : 0)
  const bar = BARS[database][name]
  const middle = median(values)
  const each = values.map(shown).join(' ')
  const cpu = median(rounds.map((item) => item.cpu[name] ?? Number.NaN))
  return [
    database,
    title,
    `${shown(middle)} ${unit}`,
    Number.isNaN(cpu) ? '' : `${cpu.toFixed(2)} s`,
    each,
    `at most ${bar} ${unit}`,
    atMost(middle, bar),
  ]
}
