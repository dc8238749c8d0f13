// A process that commits events, one in each transaction, at a steady rate. With workers it also sends
// them. It reports when each commit was acknowledged.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../lib/bench.mjs'
import { openMachinery } from './ours.mjs'
import { payloadOf } from './payload.mjs'

const load = (file) => import(join(ROOT, 'dist', file))
const { inTransaction } = await load('db/database.js')
const { startWorkers } = await load('process/workers.js')

const TICK_MS = 5
/** The achieved rate, which is lower on an overloaded machine. */
const WAITING_MAX = 20
let app
let workers

const now = () => Number(process.hrtime.bigint()) / 1e6

const ORDERS = {
  async open({ place, workers: wanted }) {
    const opened = await openMachinery(place)
    app = opened.app
    workers = wanted ? startWorkers(app) : undefined
    process.once('SIGTERM', () => {
      void Promise.resolve(workers?.stop())
        .then(opened.close)
        .finally(() => process.exit())
    })
    return true
  },

  async emit({ targets, perSecond, events }) {
    const commits = new Float64Array(events)
    const begun = performance.now()
    const running = []
    let committed = 0
    while (running.length < events) {
      const due = Math.ceil(((performance.now() - begun) * perSecond) / 1_000)
      const most = Math.min(due, events, committed + WAITING_MAX)
      while (running.length < most) {
        const number = running.length
        const { store, type } = targets[number % targets.length]
        running.push(
          emit(store, type, number).then(() => {
            commits[number] = now()
            committed++
          }),
        )
      }
      await pause(TICK_MS)
    }
    await Promise.all(running)
    return commits
  },
}

function emit(store, type, number) {
  const { object } = JSON.parse(payloadOf(type, number)).data
  const event = { type, object_id: String(number), object }
  return inTransaction(app.db, (tx) =>
    app.ledger.record(tx, store, new Date().toISOString(), [event]),
  )
}

process.on('message', async ({ id, order, ...details }) => {
  process.send({ id, answer: await ORDERS[order](details) })
})
process.once('disconnect', () => process.exit())
