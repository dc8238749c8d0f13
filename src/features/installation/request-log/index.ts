export { type CallLog, createCallLog, keptBody } from './call-log.ts'
export { requestLogEndpoints } from './endpoints.ts'
export { pruneCallsJob } from './prune-calls.job.ts'
