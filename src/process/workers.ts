import type { App } from '../app.ts'
import {
  deleteEndedSessionsJob,
  pruneAuditEventsJob,
  removeBlobsJob,
  retentionJobs,
  sendMailJob,
  sweepIncomingJob,
} from '../features/installation/index.ts'
import { pruneClientsJob, removeFilesJob } from '../features/licensing/index.ts'
import {
  createAutoReviewsJob,
  expireOrdersJob,
  renewSubscriptionsJob,
  settleAlertsJob,
} from '../features/store/index.ts'
import {
  foldStatsJob,
  lostByHandJob,
  type Meter,
  moveWaitingJob,
  pruneEventsJob,
  removeSilentListenersJob,
  startDispatcher,
} from '../features/webhooks/index.ts'
import { analyzeTablesJob } from '../jobs/analyze-tables.job.ts'
import { startJobs } from '../jobs/runner.ts'

export interface Workers {
  /** Claims no further work, and ends what is running. */
  stop(): Promise<void>
}

/** Everything that runs in the background: jobs, and the sender of webhooks. */
export function startWorkers(app: App, meter?: Meter): Workers {
  const jobs = startJobs(app, [
    expireOrdersJob,
    createAutoReviewsJob,
    renewSubscriptionsJob,
    foldStatsJob,
    pruneEventsJob,
    lostByHandJob,
    moveWaitingJob,
    removeSilentListenersJob,
    removeBlobsJob,
    sweepIncomingJob,
    settleAlertsJob,
    sendMailJob,
    analyzeTablesJob,
    pruneClientsJob,
    pruneAuditEventsJob,
    removeFilesJob,
    deleteEndedSessionsJob,
    ...retentionJobs,
  ])
  const dispatcher = startDispatcher(app, meter)
  return {
    async stop() {
      await Promise.all([jobs.stop(), dispatcher.stop()])
    },
  }
}
