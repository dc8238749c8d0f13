// BullMQ with many concurrent jobs. Completed jobs are not kept.
import { Worker } from 'bullmq'
import { posterTo } from './post.mjs'

process.once('message', async ({ id, urls, way, port, queue }) => {
  const send = posterTo(urls, way)
  const worker = new Worker(queue, ({ data }) => send(data), {
    connection: { host: '127.0.0.1', port, maxRetriesPerRequest: null },
    concurrency: 100,
    removeOnComplete: { count: 0 },
    skipStalledCheck: true,
    skipLockRenewal: true,
  })
  worker.on('error', (error) => process.stderr.write(`${error.message}\n`))
  await worker.waitUntilReady()
  process.once('SIGTERM', () => void worker.close().finally(() => process.exit()))
  process.send({ id, answer: true })
})
