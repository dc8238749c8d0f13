export { pruneAuditEventsJob } from './prune-audit-events.job.ts'
export { type Actor, type Change, NOBODY, recordChanges } from './record-changes.ts'
