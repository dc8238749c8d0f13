import type {
  ClientApp,
  LicenseKey,
  LicenseKeyPatch,
  LicensePolicy,
  ListedLicenseKey,
  NewLicenseKeys,
  NewLicensePolicy,
} from '../../api/security.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appField } from './app-options.ts'

export const DAY_S = 86_400
export const previewOf = ({ key_preview }: ListedLicenseKey): string => `…${key_preview}`

export const devicesOf = ({ devices_count, max_devices }: ListedLicenseKey): string =>
  max_devices === null
    ? formatNumber(devices_count)
    : fill(licenseKeys.devicesOf, {
        n: formatNumber(devices_count),
        max: formatNumber(max_devices),
      })

const limit = (name: string, label: string, value?: number | null): Field => ({
  name,
  label,
  type: 'number',
  help: licenseKeys.emptyNoLimit,
  value,
})

/** The limits that a key and the policy of a variant have in common. */
export const termFields = (of?: LicenseKey | LicensePolicy): readonly Field[] => [
  {
    name: 'level',
    label: licenseKeys.level,
    type: 'number',
    help: licenseKeys.levelHelp,
    value: of?.level ?? 0,
  },
  limit('max_devices', licenseKeys.maxDevices, of ? of.max_devices : 1),
  limit('max_sessions', licenseKeys.maxSessions, of?.max_sessions),
  limit('max_device_changes', licenseKeys.changes, of?.max_device_changes),
  {
    name: 'entitlements',
    label: licenseKeys.entitlements,
    type: 'textarea',
    help: licenseKeys.entitlementsHelp,
    value: of?.entitlements.join('\n'),
  },
]

/** How long a license is valid, from when on. */
export const durationFields = (of?: LicensePolicy): readonly Field[] => [
  {
    name: 'days',
    label: licenseKeys.days,
    type: 'number',
    help: licenseKeys.daysHelp,
    value: of?.duration_seconds ? of.duration_seconds / DAY_S : null,
  },
  {
    name: 'expiry_basis',
    label: licenseKeys.basis,
    type: 'select',
    required: true,
    value: of?.expiry_basis ?? 'creation',
    options: [
      { value: 'creation', label: licenseKeys.creation },
      { value: 'first_activation', label: licenseKeys.firstActivation },
    ],
    when: ({ days }) => days !== '',
  },
]

export const prefixField = (of?: LicensePolicy): Field => ({
  name: 'prefix',
  label: licenseKeys.prefix,
  help: licenseKeys.prefixHelp,
  value: of?.prefix,
})

export const resetsField = (of: LicenseKey | LicensePolicy | undefined): Field =>
  limit('device_resets_left', licenseKeys.resetsLeft, of?.device_resets_left)

const noteField = (of?: LicenseKey): Field => ({
  name: 'note',
  label: common.note,
  value: of?.note,
})

export const newKeyFields = (apps: readonly ClientApp[]): readonly Field[] => [
  { name: 'count', label: licenseKeys.count, type: 'number', required: true, value: 1 },
  appField(apps),
  prefixField(),
  ...durationFields(),
  ...termFields(),
  noteField(),
  { name: 'customer_email', label: licenseKeys.holder, type: 'email' },
]

export const keyFields = (of: LicenseKey): readonly Field[] => [
  ...termFields(of),
  resetsField(of),
  noteField(of),
]

export const linesOf = (value: unknown): string[] =>
  String(value ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The terms that the forms of new keys and of a policy send. An empty field has its default, which is no limit. */
export function termsOf({
  app_id,
  days,
  entitlements,
  ...rest
}: Typed): NewLicenseKeys & NewLicensePolicy {
  const sent = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(sent),
    ...(app_id !== undefined && { app_id: Number(app_id) }),
    ...(days !== undefined && { duration_seconds: Math.round(Number(days) * DAY_S) }),
    entitlements: linesOf(entitlements),
  }
}

/** The changed fields as a patch; a cleared limit becomes null. */
export function keyPatchOf(changed: Typed): LicenseKeyPatch {
  const entries = Object.entries(changed).map(([name, value]) => [
    name,
    name === 'entitlements' ? linesOf(value) : (value ?? null),
  ])
  return Object.fromEntries(entries) as LicenseKeyPatch
}
