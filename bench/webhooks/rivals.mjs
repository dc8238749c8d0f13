// Queues that a seller's program could use instead: the same signed POST, without a history.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Queue } from 'bullmq'
import { makeWorkerUtils } from 'graphile-worker'
import { askable } from '../lib/askable.mjs'
import { endChild } from '../lib/children.mjs'
import { ask } from '../lib/postgres.mjs'
import { payloadOf } from './payload.mjs'

const BATCH = 2_000
const QUEUE = 'webhooks'

export async function openGraphileWorker(later, { urls, way, databaseUrl, pid }) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl })
  later(() => utils.release())
  await utils.migrate()
  return {
    name: 'graphile-worker',
    fill: (count) => inBatches(urls, count, (jobs) => utils.addJobs(jobs.map(asTask))),
    start: () => begin(later, './graphile-worker.mjs', { urls, way, databaseUrl }, pid),
    async left() {
      const [{ n }] = await ask(databaseUrl, 'select count(*)::int as n from graphile_worker.jobs')
      return n
    },
  }
}

export async function openBullmq(later, { urls, way, redis }) {
  const queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port: redis.port } })
  later(() => queue.close())
  return {
    name: 'BullMQ',
    fill: (count) =>
      inBatches(urls, count, (jobs) =>
        queue.addBulk(jobs.map((data) => ({ name: 'send', data, opts: KEEP_NOTHING }))),
      ),
    start: () =>
      begin(later, './bullmq.mjs', { urls, way, port: redis.port, queue: QUEUE }, redis.pid),
    left: () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'failed', 'completed'),
  }
}

const KEEP_NOTHING = { removeOnComplete: true, attempts: 7 }

// The default of graphile-worker is 25 attempts. A webhook delivery has seven.
const asTask = (payload) => ({ identifier: 'send', payload, maxAttempts: 7 })

async function inBatches(urls, count, add) {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from)
    const bodies = Array.from({ length }, (_, n) => (from + n) % urls.length)
    await add(bodies.map((endpoint) => ({ endpoint, body: payloadOf('order.completed') })))
  }
}

async function begin(later, file, options, pid) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: environment() })
  const stop = () => endChild(child)
  later(stop)
  await askable(child)('start', options)
  return { pids: [child.pid, pid], stop }
}

const environment = () => ({ ...process.env, NODE_ENV: 'production' })
