// The queues with which Tradepost is compared. A seller's program could use one to send the same signed POST. They
// keep no history.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Queue } from 'bullmq'
import { makeWorkerUtils } from 'graphile-worker'
import { openRequests } from '../lib/child-requests.mjs'
import { endChild } from '../lib/children.mjs'
import { query } from '../lib/postgres.mjs'
import { payloadOf } from './payload.mjs'

const BATCH = 2_000
const QUEUE = 'webhooks'

export async function openGraphileWorker(atEnd, { urls, httpClient, databaseUrl, pid }) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl })
  atEnd(() => utils.release())
  await utils.migrate()
  return {
    name: 'graphile-worker',
    fill: (count) => inBatches(urls, count, (jobs) => utils.addJobs(jobs.map(asTask))),
    start: () =>
      startWorker(atEnd, './graphile-worker.mjs', { urls, httpClient, databaseUrl }, pid),
    async countPending() {
      const statement = 'select count(*)::int as pending from graphile_worker.jobs'
      const [{ pending }] = await query(databaseUrl, statement)
      return pending
    },
  }
}

export async function openBullmq(atEnd, { urls, httpClient, redis }) {
  const options = { urls, httpClient, port: redis.port, queue: QUEUE }
  const queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port: redis.port } })
  atEnd(() => queue.close())
  return {
    name: 'BullMQ',
    fill: (count) =>
      inBatches(urls, count, (jobs) =>
        queue.addBulk(jobs.map((data) => ({ name: 'send', data, opts: JOB_OPTIONS }))),
      ),
    start: () => startWorker(atEnd, './bullmq.mjs', options, redis.pid),
    countPending: () =>
      queue.getJobCountByTypes('waiting', 'active', 'delayed', 'failed', 'completed'),
  }
}

// A webhook delivery has seven attempts, so the jobs of the rivals have seven, too.
const JOB_OPTIONS = { removeOnComplete: true, attempts: 7 }
const asTask = (payload) => ({ identifier: 'send', payload, maxAttempts: 7 })

async function inBatches(urls, count, add) {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from)
    const jobs = Array.from({ length }, (_, n) => ({
      endpoint: (from + n) % urls.length,
      body: payloadOf('order.completed'),
    }))
    await add(jobs)
  }
}

/** Starts the worker of a rival. `pid` is the process of its store. */
async function startWorker(atEnd, file, options, pid) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: environment() })
  const stop = () => endChild(child)
  atEnd(stop)
  await openRequests(child)('start', options)
  return { pids: [child.pid, pid], stop }
}

const environment = () => ({ ...process.env, NODE_ENV: 'production' })
