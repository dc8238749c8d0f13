export { appEndpoints } from './apps/endpoints.ts'
export {
  findOrCreateDefaultApp,
  openSigners,
  type PublicAppRow,
  type Signer,
  selectDefaultPublicIds,
  selectPublicApp,
  signerAt,
} from './apps/index.ts'
export { clientSessionEndpoints } from './devices/dashboard-endpoints.ts'
export { deviceBanEndpoints } from './devices/endpoints.ts'
export { fileVersionEndpoints } from './files/dashboard-endpoints.ts'
export { fileEndpoints } from './files/endpoints.ts'
export {
  downloadFile,
  downloadVersion,
  type FileContent,
  FileVersionPath,
  removeFilesJob,
} from './files/index.ts'
export { maskedKeyEndpoints } from './keys/dashboard-endpoints.ts'
export { keyDeviceEndpoints } from './keys/device-endpoints.ts'
export { licenseKeyEndpoints } from './keys/endpoints.ts'
export {
  banForHold,
  createKeysForOrder,
  keepBans,
  licenseKeySealContext,
  renewLicenses,
  suspendForOrder,
  unbanAfterHold,
} from './keys/index.ts'
export { policyEndpoints } from './keys/policy-endpoints.ts'
export { reportEndpoints } from './reports/endpoints.ts'
export { licensingSealed } from './sealed.ts'
export { readerEndpoints } from './sessions/dashboard-endpoints.ts'
export { clientEndpoints } from './sessions/endpoints.ts'
export {
  createUsageLog,
  findSession,
  hashToken,
  isNonce,
  type LiveSession,
  pruneProofsJob,
  type UsageLog,
} from './sessions/index.ts'
export { settingEndpoints } from './settings/endpoints.ts'
export { loadRe2 } from './settings/index.ts'
export { stringVersionEndpoints } from './strings/dashboard-endpoints.ts'
export { stringEndpoints } from './strings/endpoints.ts'
