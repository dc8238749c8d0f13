// BullMQ with 100 concurrent jobs. Completed jobs are deleted.
import { Worker } from 'bullmq'
import { createTask } from './post.mjs'

process.once('message', async ({ id, urls, httpClient, port, queue }) => {
  const send = createTask(urls, httpClient)
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
