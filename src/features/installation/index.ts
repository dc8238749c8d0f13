export {
  type ApiKey,
  apiKeyEndpoints,
  createKey,
  isValidForStore,
  type Keyring,
  openKeyring,
} from './api-keys/index.ts'
export { auditEndpoints } from './audit/endpoints.ts'
export {
  type KeyActor,
  NOBODY,
  pruneAuditEventsJob,
  type RecordChange,
  recordChanges,
} from './audit/index.ts'
export { trailEndpoints } from './audit/trail-endpoints.ts'
export { backupEndpoints } from './backup/endpoints.ts'
export {
  addBlobUse,
  addBlobUses,
  releaseAllBlobs,
  releaseBlobs,
  removeBlobsJob,
  storeBlob,
  sweepIncomingJob,
} from './blobs/index.ts'
export { clockEndpoints } from './clock/index.ts'
export { doctorEndpoints } from './doctor/index.ts'
export { installationInvariants } from './invariants.ts'
export { countEndpoints, LiveHub } from './live/index.ts'
export { outboxEndpoints } from './mail/endpoints.ts'
export {
  mailProblemOf,
  type NewMail,
  openUnsubscribeToken,
  queueMail,
  queueMails,
  recordMailSenderJob,
  selectMailBacklog,
  sendMailJob,
} from './mail/index.ts'
export { mailTemplateEndpoints } from './mail-templates/index.ts'
export {
  greetableName,
  type KeyGroup,
  type MailItem,
  type MailValues,
  textsIn as mailTextsIn,
} from './mail-texts/index.ts'
export {
  type CallLog,
  callEndpoints,
  createCallLog,
  loggedBody,
  pruneCallsJob,
  requestLogEndpoints,
} from './request-log/index.ts'
export { retentionJobs } from './retention/index.ts'
export { savedViewEndpoints } from './saved-views/index.ts'
export { installationSealed } from './sealed.ts'
export {
  addPaymentProvider,
  createQuotaMeter,
  createStore,
  findNamedStore,
  isTimeZoneOfDatabase,
  lockSettings,
  type NewStore,
  openStoreDirectory,
  PLAN_NAMES,
  planOf,
  type QuotaMeter,
  removePaymentProvider,
  restartOrderNumbers,
  type StoreDirectory,
  type StoreRow,
  selectSettings,
  selectSide,
  selectStore,
  selectStoreById,
  selectStores,
  updateFeatures,
  updateStoreSettings,
} from './stores/index.ts'
export { systemEndpoints } from './system/index.ts'
export { testMailEndpoints } from './test-mail/index.ts'
export {
  addUser,
  countActiveUserSessions,
  createSignInLink,
  deleteEndedSessionsJob,
  endOfSession,
  findInvitation,
  findUserSession,
  firstStartUrl,
  isFirstStart,
  isResetLink,
  isSteppedUp,
  permissionsOfRole,
  selectFirstOwner,
  startSessionByLink,
  teamEndpoints,
  type UserSession,
  userEndpoints,
} from './users/index.ts'
