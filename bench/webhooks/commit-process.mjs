// A process that commits events, one in each transaction, at a steady rate. It reports when each commit was
// acknowledged. If it has workers, it also sends the webhooks.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../lib/bench.mjs'
import { openBenchApp } from './bench-app.mjs'
import { payloadOf } from './payload.mjs'

const importBuilt = (file) => import(join(ROOT, 'dist', file))
const { inTransaction } = await importBuilt('db/database.js')
const { startWorkers } = await importBuilt('process/workers.js')

const TICK_MS = 5
/** The maximum number of concurrent commits. On an overloaded machine it lowers the rate. */
const PENDING_MAX = 20
let app
let workers

/** Milliseconds on the clock that all processes of the machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6

const ACTIONS = {
  async open({ setup, hasWorkers }) {
    const opened = await openBenchApp(setup)
    app = opened.app
    workers = hasWorkers ? startWorkers(app) : undefined
    process.once('SIGTERM', () => {
      void Promise.resolve(workers?.stop())
        .then(opened.close)
        .finally(() => process.exit())
    })
    return true
  },

  async emit({ targets, perSecond, events }) {
    const commitTimes = new Float64Array(events)
    const startedAt = performance.now()
    const transactions = []
    let committed = 0
    while (transactions.length < events) {
      const dueCount = Math.ceil(((performance.now() - startedAt) * perSecond) / 1_000)
      const limit = Math.min(dueCount, events, committed + PENDING_MAX)
      while (transactions.length < limit) {
        const number = transactions.length
        const { store, type } = targets[number % targets.length]
        transactions.push(
          recordEvent(store, type, number).then(() => {
            commitTimes[number] = now()
            committed++
          }),
        )
      }
      await pause(TICK_MS)
    }
    await Promise.all(transactions)
    return commitTimes
  },
}

function recordEvent(store, type, number) {
  const { object } = JSON.parse(payloadOf(type, number)).data
  const event = { type, object_id: String(number), object }
  return inTransaction(app.db, (tx) =>
    app.ledger.record(tx, store, new Date().toISOString(), [event]),
  )
}

process.on('message', async ({ id, action, ...details }) => {
  process.send({ id, answer: await ACTIONS[action](details) })
})
process.once('disconnect', () => process.exit())
