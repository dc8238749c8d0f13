// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { AppsApi } from './apps.gen.ts'
import type { ServersideStringsApi } from './serverside-strings.gen.ts'
import type { ServersideFilesApi } from './serverside-files.gen.ts'
import type { RemoteSettingsApi } from './remote-settings.gen.ts'
import type { LicenseKeysApi } from './license-keys.gen.ts'
import type { LicensePoliciesApi } from './license-policies.gen.ts'
import type { DeviceBansApi } from './device-bans.gen.ts'
import type { ClientReportsApi } from './client-reports.gen.ts'
import type { AuditEventsApi } from './audit-events.gen.ts'

export type * from './apps.gen.ts'
export type * from './serverside-strings.gen.ts'
export type * from './serverside-files.gen.ts'
export type * from './remote-settings.gen.ts'
export type * from './license-keys.gen.ts'
export type * from './license-policies.gen.ts'
export type * from './device-bans.gen.ts'
export type * from './client-reports.gen.ts'
export type * from './audit-events.gen.ts'
export type * from './shared.gen.ts'
export type * from './license-keys-records.gen.ts'
export type * from './license-keys-requests.gen.ts'

/** The management half of the Client Security API, by area. */
export interface Management {
  /** Your programs, and the keys that sign the answers to them. */
  apps: AppsApi
  /** Texts that only a program with a session can read. */
  serversideStrings: ServersideStringsApi
  /** Files that only a program with a session can download. */
  serversideFiles: ServersideFilesApi
  /** Typed values that programs read, with a history of changes. */
  remoteSettings: RemoteSettingsApi
  /** License keys of customers, and the policies for new license keys. */
  licenseKeys: LicenseKeysApi
  /** License keys of customers, and the policies for new license keys. */
  licensePolicies: LicensePoliciesApi
  /** Banned machines and addresses, which cannot start a session. */
  deviceBans: DeviceBansApi
  /** The audit trail, and reports sent by programs. */
  clientReports: ClientReportsApi
  /** The audit trail, and reports sent by programs. */
  auditEvents: AuditEventsApi
}
