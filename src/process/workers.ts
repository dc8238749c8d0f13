import type { App } from '../app.ts'
import { type Meter, startDispatcher } from '../features/webhooks/index.ts'
import { startJobs } from '../jobs/runner.ts'

interface Workers {
  /** Claims no further work, and waits for running work. */
  stop(): Promise<void>
}

/** Starts the background work: jobs, and the sender of webhooks. */
export function startWorkers(app: App, meter?: Meter): Workers {
  const jobs = startJobs(app)
  const dispatcher = startDispatcher(app, meter)
  return {
    async stop() {
      await Promise.all([jobs.stop(), dispatcher.stop()])
    },
  }
}
