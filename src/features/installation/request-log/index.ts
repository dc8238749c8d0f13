export { type CallLog, createCallLog, loggedBody } from './call-log.ts'
export { callEndpoints, requestLogEndpoints } from './endpoints.ts'
export { pruneCallsJob } from './prune-calls.job.ts'
