// graphile-worker, tuned as in its guide "Performance": a local queue, batched completion, no logs.
import { Logger, run } from 'graphile-worker'
import { createTask } from './post.mjs'

process.once('message', async ({ id, urls, httpClient, databaseUrl }) => {
  const send = createTask(urls, httpClient)
  const runner = await run({
    preset: {
      worker: {
        connectionString: databaseUrl,
        concurrentJobs: 100,
        maxPoolSize: 10,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: new Logger(() => () => {}),
      },
    },
    noHandleSignals: true,
    taskList: { send },
  })
  process.once('SIGTERM', () => void runner.stop().finally(() => process.exit()))
  process.send({ id, answer: true })
})
