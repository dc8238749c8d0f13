export {
  type ApiKey,
  apiKeyEndpoints,
  createKey,
  type Keyring,
  openKeyring,
  opens,
} from './api-keys/index.ts'
export { auditEndpoints } from './audit/endpoints.ts'
export {
  type Actor,
  type Change,
  NOBODY,
  pruneAuditEventsJob,
  recordChanges,
} from './audit/index.ts'
export { trailEndpoints } from './audit/trail-endpoints.ts'
export {
  dropBlobs,
  freeBlobs,
  keepBlob,
  removeBlobsJob,
  sweepIncomingJob,
  useBlob,
  useBlobs,
} from './blobs/index.ts'
export { clockEndpoints } from './clock/index.ts'
export { doctorEndpoints } from './doctor/index.ts'
export { installationInvariants } from './invariants.ts'
export { countEndpoints, LiveHub } from './live/index.ts'
export { outboxEndpoints } from './mail/endpoints.ts'
export {
  type Letter,
  openStopToken,
  queueMail,
  recordMailSenderJob,
  sendMailJob,
} from './mail/index.ts'
export {
  type CallLog,
  createCallLog,
  keptBody,
  pruneCallsJob,
  requestLogEndpoints,
} from './request-log/index.ts'
export { retentionJobs } from './retention/index.ts'
export { savedViewEndpoints } from './saved-views/index.ts'
export { installationSealed } from './sealed.ts'
export {
  asStore,
  type CachedStore,
  createQuotaMeter,
  createStore,
  isZoneOfDatabase,
  lockSettings,
  type NewStore,
  openStoreDirectory,
  PLAN_NAMES,
  planOf,
  type QuotaMeter,
  restartOrderNumbers,
  type StoreDirectory,
  selectSettings,
  selectStore,
  selectStoreById,
  selectStores,
  storeNamed,
  switchFeature,
  updateStoreSettings,
} from './stores/index.ts'
export {
  addUser,
  deleteEndedSessionsJob,
  endOfSession,
  findUserSession,
  isSteppedUp,
  linkFor,
  openLink,
  permissionsOfRole,
  type Role,
  selectFirstOwner,
  selectStoresOfUser,
  signInRequired,
  teamEndpoints,
  type UserSession,
  userEndpoints,
} from './users/index.ts'
