// Processor time of an idle demo store.
//
//   node bench/idle.mjs
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, bench, openFolder, printTable } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { startServer } from './lib/server.mjs'

/** The wait before the measurement, because V8 collects the garbage of the start within the first minute. */
const SETTLE_MS = 75_000
/** The duration of the measurement, longer than a minute, so that each job that runs once a minute is included. */
const MEASUREMENT_MS = 90_000
/** The bars in milliseconds a second. With a database server, its time is included. */
const BARS = { embedded: 5, server: 8 }

const readCpu = (pids) =>
  Object.fromEntries(Object.entries(pids).map(([database, list]) => [database, list.map(cpuOf)]))

await bench('Processor time of an idle demo store, in milliseconds a second', async (atEnd) => {
  const embedded = await startServer(atEnd, { dataDir: openFolder(atEnd) })
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const withServer = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  await pause(SETTLE_MS)
  const pids = { embedded: [embedded.child.pid], server: [withServer.child.pid, pid] }
  const cpuBefore = readCpu(pids)
  const startedAt = performance.now()
  await pause(MEASUREMENT_MS)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpuAfter = readCpu(pids)
  printTable(
    ['database', 'Tradepost', 'PostgreSQL', 'together', 'bar', ''],
    Object.keys(pids).map((database) => {
      const parts = cpuAfter[database].map(
        (cpu, index) => (cpu - cpuBefore[database][index]) / seconds,
      )
      const sum = parts.reduce((total, part) => total + part, 0)
      const [tradepost, postgres = ''] = parts.map((part) => part.toFixed(1))
      const bar = BARS[database]
      return [database, tradepost, postgres, sum.toFixed(1), `at most ${bar}`, atMost(sum, bar)]
    }),
  )
})
