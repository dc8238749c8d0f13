import type {
  ClientApp,
  LicenseKey,
  LicenseKeyPatch,
  LicenseKeysInput,
  LicensePolicy,
  LicensePolicyInput,
  ListedLicenseKey,
} from '../../api/security.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { NOTE_MAX } from '../../kit/text-limits.ts'
import { linesOf } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appField } from './app-options.ts'

export const DAY_S = 86_400
/** The longest time of a license in the API: 100 leap years. */
export const DAYS_MAX = 36_600
/** The most license keys that a call issues. */
const KEYS_MAX = 1_000
const LEVEL_MAX = 1_000
/** The limits of terms in the API. */
const RANGES: Readonly<Record<string, Pick<Field, 'min' | 'max'>>> = {
  max_devices: { min: 1, max: 1_000_000 },
  max_sessions: { min: 1, max: 1_000_000 },
  max_device_changes: { min: 0, max: 1_000 },
  device_resets_left: { min: 0, max: 1_000_000 },
}
/** A license key. Users who may not change it see it without its text. */
export type ShownKey = ListedLicenseKey & Partial<Pick<LicenseKey, 'key'>>

export const hasText = (licenseKey: ShownKey): licenseKey is LicenseKey =>
  licenseKey.key !== undefined

export const previewOf = ({ key_preview }: ListedLicenseKey): string => `…${key_preview}`

export const devicesText = ({ devices_count, max_devices }: ListedLicenseKey): string =>
  max_devices === null
    ? formatNumber(devices_count)
    : fill(licenseKeys.devicesOf, {
        n: formatNumber(devices_count),
        max: formatNumber(max_devices),
      })

/** A limit in words; null is no limit. */
export const limitText = (limit: number | null): string =>
  limit === null ? licenseKeys.noLimit : formatNumber(limit)

const limitField = (name: string, label: string, value?: number | null): Field => ({
  name,
  label,
  ...RANGES[name],
  type: 'number',
  help: licenseKeys.emptyNoLimit,
  value,
})

/** The limits that a license key and the policy of a variant have in common. */
export const termFields = (terms?: LicenseKey | LicensePolicy): readonly Field[] => [
  {
    name: 'level',
    label: licenseKeys.level,
    type: 'number',
    min: 0,
    max: LEVEL_MAX,
    help: licenseKeys.levelHelp,
    value: terms?.level ?? 0,
  },
  limitField('max_devices', licenseKeys.maxDevices, terms ? terms.max_devices : 1),
  limitField('max_sessions', licenseKeys.maxSessions, terms?.max_sessions),
  limitField('max_device_changes', licenseKeys.changes, terms?.max_device_changes),
  {
    name: 'entitlements',
    label: licenseKeys.entitlements,
    type: 'textarea',
    help: licenseKeys.entitlementsHelp,
    value: terms?.entitlements.join('\n'),
  },
]

/** The length of a license, and the moment from which it counts. */
export const durationFields = (policy?: LicensePolicy): readonly Field[] => [
  {
    // In days; the refusals of the API name the field of the request.
    name: 'duration_seconds',
    label: licenseKeys.days,
    type: 'number',
    min: 1,
    max: DAYS_MAX,
    help: licenseKeys.daysHelp,
    value: policy?.duration_seconds ? policy.duration_seconds / DAY_S : null,
  },
  {
    name: 'expiry_basis',
    label: licenseKeys.basis,
    type: 'select',
    required: true,
    value: policy?.expiry_basis ?? 'creation',
    options: [
      { value: 'creation', label: licenseKeys.creation },
      { value: 'first_activation', label: licenseKeys.firstActivation },
    ],
    when: ({ duration_seconds }) => duration_seconds !== '',
  },
]

export const prefixField = (policy?: LicensePolicy): Field => ({
  name: 'prefix',
  label: licenseKeys.prefix,
  help: licenseKeys.prefixHelp,
  value: policy?.prefix,
})

export const resetsField = (terms: LicenseKey | LicensePolicy | undefined): Field =>
  limitField('device_resets_left', licenseKeys.resetsLeft, terms?.device_resets_left)

const noteField = (licenseKey?: LicenseKey): Field => ({
  name: 'note',
  maxLength: NOTE_MAX,
  label: common.note,
  value: licenseKey?.note,
})

export const newKeyFields = (apps: readonly ClientApp[]): readonly Field[] => [
  {
    name: 'count',
    label: licenseKeys.count,
    type: 'number',
    required: true,
    min: 1,
    max: KEYS_MAX,
    value: 1,
  },
  appField(apps),
  prefixField(),
  ...durationFields(),
  ...termFields(),
  noteField(),
  { name: 'customer_email', label: licenseKeys.holder, type: 'email' },
]

export const keyFields = (licenseKey: LicenseKey): readonly Field[] => [
  ...termFields(licenseKey),
  resetsField(licenseKey),
  noteField(licenseKey),
]

/**
 * The terms in the forms of new keys and of a policy. An empty field becomes its default, which is
 * no limit.
 */
export function termsOf({
  app_id,
  duration_seconds: days,
  entitlements,
  ...rest
}: FormValues): LicenseKeysInput & LicensePolicyInput {
  const enteredTerms = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(enteredTerms),
    ...(app_id !== undefined && { app_id: Number(app_id) }),
    ...(days !== undefined && { duration_seconds: Math.round(Number(days) * DAY_S) }),
    entitlements: linesOf(entitlements),
  }
}

/** The changed fields as a patch; a cleared limit becomes null. */
export function keyPatchOf(changed: FormValues): LicenseKeyPatch {
  const entries = Object.entries(changed).map(([name, value]) => [
    name,
    name === 'entitlements' ? linesOf(value) : (value ?? null),
  ])
  return Object.fromEntries(entries) as LicenseKeyPatch
}
