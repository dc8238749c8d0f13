import type { App } from '../app.ts'
import { pruneAuditEventsJob } from '../features/audit/index.ts'
import { removeBlobsJob, sweepIncomingJob } from '../features/blobs/index.ts'
import { forgetClientsJob } from '../features/client-runtime/index.ts'
import { sendMailJob } from '../features/mail/index.ts'
import { expireOrdersJob } from '../features/orders/index.ts'
import { retentionJobs } from '../features/retention/index.ts'
import { removeFilesJob } from '../features/serverside-files/index.ts'
import { settleAlertsJob } from '../features/stock/index.ts'
import {
  foldStatsJob,
  forgetEventsJob,
  lostByHandJob,
  type Meter,
  moveWaitingJob,
  removeSilentListenersJob,
  startDispatcher,
} from '../features/webhooks/index.ts'
import { analyzeTablesJob } from '../jobs/analyze-tables.job.ts'
import { startJobs } from '../jobs/runner.ts'

export interface Workers {
  /** Takes nothing more and ends what is running. */
  stop(): Promise<void>
}

/** Everything that runs without being asked: sweeps, and the sender of webhooks. */
export function startWorkers(app: App, meter?: Meter): Workers {
  const jobs = startJobs(app, [
    expireOrdersJob,
    foldStatsJob,
    forgetEventsJob,
    lostByHandJob,
    moveWaitingJob,
    removeSilentListenersJob,
    removeBlobsJob,
    sweepIncomingJob,
    settleAlertsJob,
    sendMailJob,
    analyzeTablesJob,
    forgetClientsJob,
    pruneAuditEventsJob,
    removeFilesJob,
    ...retentionJobs,
  ])
  const dispatcher = startDispatcher(app, meter)
  return {
    async stop() {
      await Promise.all([jobs.stop(), dispatcher.stop()])
    },
  }
}
