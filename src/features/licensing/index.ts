export { appEndpoints } from './apps/endpoints.ts'
export {
  defaultApp,
  openSigners,
  type PublicAppRow,
  type Signer,
  selectDefaultPublicIds,
  selectPublicApp,
  signerAt,
} from './apps/index.ts'
export { clientSessionEndpoints } from './devices/dashboard-endpoints.ts'
export { deviceBanEndpoints } from './devices/endpoints.ts'
export { fileEndpoints } from './files/endpoints.ts'
export { downloadFile, removeFilesJob } from './files/index.ts'
export { keyDeviceEndpoints } from './keys/device-endpoints.ts'
export { licenseKeyEndpoints } from './keys/endpoints.ts'
export {
  licenseKeySealContext,
  mintForOrder,
  renewLicenses,
  suspendForOrder,
} from './keys/index.ts'
export { policyEndpoints } from './keys/policy-endpoints.ts'
export { reportEndpoints } from './reports/endpoints.ts'
export { licensingSealed } from './sealed.ts'
export { clientEndpoints } from './sessions/endpoints.ts'
export {
  createUsageLog,
  findSession,
  hashToken,
  isNonce,
  type LiveSession,
  pruneClientsJob,
  type UsageLog,
} from './sessions/index.ts'
export { settingEndpoints } from './settings/endpoints.ts'
export { loadPatterns } from './settings/index.ts'
export { stringEndpoints } from './strings/endpoints.ts'
