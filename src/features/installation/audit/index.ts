export { pruneAuditEventsJob } from './prune-audit-events.job.ts'
export { type KeyActor, NOBODY, type RecordChange, recordChanges } from './record-changes.ts'
