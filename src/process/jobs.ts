import type { ClockFollower, Job } from '../app.ts'
import {
  deleteEndedSessionsJob,
  pruneAuditEventsJob,
  pruneCallsJob,
  recordMailSenderJob,
  removeBlobsJob,
  retentionJobs,
  sendMailJob,
  sweepIncomingJob,
} from '../features/installation/index.ts'
import { pruneProofsJob, removeFilesJob } from '../features/licensing/index.ts'
import {
  applyCallbacksJob,
  callAddressesJob,
  checkPaymentsJob,
  createAutoReviewsJob,
  expireOrdersJob,
  foldSalesJob,
  foldWalletsJob,
  removeMethodsJob,
  renewSubscriptionsJob,
  sendAlertsJob,
  sendLateCallbacksJob,
  sendRefundsJob,
  sendRenewalNoticesJob,
} from '../features/store/index.ts'
import {
  foldStatsJob,
  freeLeasesJob,
  movePendingJob,
  pruneEventsJob,
  removeSilentListenersJob,
  webhookClock,
} from '../features/webhooks/index.ts'
import { runningCallsClock } from '../http/network-call.ts'
import { analyzeTablesJob } from '../jobs/analyze-tables.job.ts'
import { pauseWhileCreating } from './demo/pause-jobs.ts'

/** All background jobs, except the webhook dispatcher. */
export const JOBS: readonly Job[] = [
  applyCallbacksJob,
  sendLateCallbacksJob,
  checkPaymentsJob,
  sendRefundsJob,
  removeMethodsJob,
  pauseWhileCreating(expireOrdersJob),
  pauseWhileCreating(renewSubscriptionsJob),
  pauseWhileCreating(sendRenewalNoticesJob),
  createAutoReviewsJob,
  callAddressesJob,
  foldSalesJob,
  sendAlertsJob,
  foldWalletsJob,
  sendMailJob,
  recordMailSenderJob,
  removeBlobsJob,
  removeFilesJob,
  sweepIncomingJob,
  freeLeasesJob,
  movePendingJob,
  removeSilentListenersJob,
  foldStatsJob,
  pruneEventsJob,
  pruneAuditEventsJob,
  pruneCallsJob,
  pruneProofsJob,
  deleteEndedSessionsJob,
  ...retentionJobs,
  analyzeTablesJob,
]

/** The work that follows a moved clock, in the order in which it runs. Webhooks are sent last. */
export const CLOCK_FOLLOWERS: readonly ClockFollower[] = [
  ...JOBS.flatMap(({ clock }) => clock ?? []),
  runningCallsClock,
  webhookClock,
]
