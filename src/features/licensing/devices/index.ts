export { hashComponents, hashFingerprint } from './fingerprint.ts'
export { deleteBansOfKeys, isMachineBanned, upsertBansOfKeys } from './queries/bans.ts'
export {
  type DeviceRow,
  deleteDevices,
  nextLicenseFileSeq,
  selectDevice,
  selectDeviceByFingerprint,
} from './queries/devices.ts'
export { endSessions } from './queries/sessions.ts'
export { ClientSession, CursorPage, Device, Fingerprint } from './schema.ts'
export { listDevices, listSessions } from './show-devices.ts'
