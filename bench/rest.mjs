// Processor time of a started demo store that nobody calls.
//
//   node bench/rest.mjs
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, bench, openFolder, table } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { startServer } from './lib/shop.mjs'

/** Within the first minute V8 collects once the garbage of the start. */
const SETTLE_MS = 75_000
/** Long enough for the jobs that run each minute. */
const REST_MS = 90_000
/** Milliseconds a second; with a server, the server's are included. */
const BARS = { embedded: 5, server: 8 }

const read = (pids) =>
  Object.fromEntries(Object.entries(pids).map(([database, list]) => [database, list.map(cpuOf)]))

await bench('Processor time of a process at rest, in milliseconds a second', async (later) => {
  const embedded = await startServer(later, { dataDir: openFolder(later) })
  const { databaseUrl, pid } = await openPostgres(later)
  const beside = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  await pause(SETTLE_MS)
  const pids = { embedded: [embedded.child.pid], server: [beside.child.pid, pid] }
  const before = read(pids)
  const began = performance.now()
  await pause(REST_MS)
  const seconds = (performance.now() - began) / 1_000
  const after = read(pids)
  table(
    ['database', 'Tradepost', 'PostgreSQL', 'together', 'bar', ''],
    Object.keys(pids).map((database) => {
      const parts = after[database].map((cpu, at) => (cpu - before[database][at]) / seconds)
      const sum = parts.reduce((total, part) => total + part, 0)
      const shown = parts.map((part) => part.toFixed(1))
      const bar = BARS[database]
      return [
        database,
        shown[0],
        shown[1] ?? '',
        sum.toFixed(1),
        `at most ${bar}`,
        atMost(sum, bar),
      ]
    }),
  )
})
