import type { App } from '../app.ts'
import { type Meter, startDispatcher } from '../features/webhooks/index.ts'
import { startJobs } from '../jobs/runner.ts'

export interface Workers {
  /** Claims no further work, and ends running work. */
  stop(): Promise<void>
}

/** Everything that runs in the background: jobs, and the sender of webhooks. */
export function startWorkers(app: App, meter?: Meter): Workers {
  const jobs = startJobs(app)
  const dispatcher = startDispatcher(app, meter)
  return {
    async stop() {
      await Promise.all([jobs.stop(), dispatcher.stop()])
    },
  }
}
