import { securityRequest } from '../../api/action.ts'
import type { ListedLicenseKey } from '../../api/security.ts'
import type { BulkAction } from '../../kit/bulk.ts'
import { bulkLicenseKeys } from '../../text/bulk-license-keys.ts'
import {
  BAN_FIELDS,
  banOf,
  EXTENSION_FIELDS,
  extensionOf,
  hasEnd,
  SUSPENSION_FIELDS,
  suspensionOf,
} from './license-key-changes.ts'

/** The actions on several license keys. */
export const LICENSE_KEY_ACTIONS: readonly BulkAction<ListedLicenseKey>[] = [
  {
    title: bulkLicenseKeys.extend,
    lead: bulkLicenseKeys.extendLead,
    fields: EXTENSION_FIELDS,
    appliesTo: hasEnd,
    request: ({ id }, values) => securityRequest('licenseKeys', 'extend', id, extensionOf(values)),
  },
  {
    title: bulkLicenseKeys.suspend,
    lead: bulkLicenseKeys.suspendLead,
    isDanger: true,
    fields: SUSPENSION_FIELDS,
    appliesTo: ({ suspended_at }) => suspended_at === null,
    request: ({ id }, values) => securityRequest('licenseKeys', 'update', id, suspensionOf(values)),
  },
  {
    title: bulkLicenseKeys.resume,
    lead: bulkLicenseKeys.resumeLead,
    appliesTo: ({ suspended_at }) => suspended_at !== null,
    request: ({ id }) => securityRequest('licenseKeys', 'update', id, { suspended: false }),
  },
  {
    title: bulkLicenseKeys.ban,
    lead: bulkLicenseKeys.banLead,
    isDanger: true,
    fields: BAN_FIELDS,
    appliesTo: ({ status }) => status !== 'banned',
    request: ({ id }, values) => securityRequest('licenseKeys', 'ban', id, banOf(values)),
  },
  {
    title: bulkLicenseKeys.unban,
    lead: bulkLicenseKeys.unbanLead,
    appliesTo: ({ status }) => status === 'banned',
    request: ({ id }) => securityRequest('licenseKeys', 'unban', id),
  },
]
