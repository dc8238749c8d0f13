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
import { pruneClientsJob, removeFilesJob } from '../features/licensing/index.ts'
import {
  callAddressesJob,
  createAutoReviewsJob,
  expireOrdersJob,
  foldSalesJob,
  foldWalletsJob,
  renewSubscriptionsJob,
  sendAlertsJob,
} from '../features/store/index.ts'
import {
  foldStatsJob,
  freeLeasesJob,
  moveWaitingJob,
  pruneEventsJob,
  removeSilentListenersJob,
  webhookClock,
} from '../features/webhooks/index.ts'
import { runningCallsClock } from '../http/network-call.ts'
import { analyzeTablesJob } from '../jobs/analyze-tables.job.ts'
import { heldWhileMaking } from './demo/hold.ts'

/** All background jobs, except the webhook dispatcher. */
export const JOBS: readonly Job[] = [
  heldWhileMaking(expireOrdersJob),
  heldWhileMaking(renewSubscriptionsJob),
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
  moveWaitingJob,
  removeSilentListenersJob,
  foldStatsJob,
  pruneEventsJob,
  pruneAuditEventsJob,
  pruneCallsJob,
  pruneClientsJob,
  deleteEndedSessionsJob,
  ...retentionJobs,
  analyzeTablesJob,
]

/** Work due at one moment of a store's clock runs in this order; webhooks are sent last. */
export const CLOCK_FOLLOWERS: readonly ClockFollower[] = [
  ...JOBS.flatMap(({ clock }) => clock ?? []),
  runningCallsClock,
  webhookClock,
]
