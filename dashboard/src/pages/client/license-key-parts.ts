import type {
  LicenseKey,
  LicenseKeyPatch,
  ListedLicenseKey,
  NewLicenseKeys,
} from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'

export const DAY_S = 86_400
const APPS_MAX = 100

/** The apps, as choices. */
export function useAppOptions() {
  const { data } = useRead(['apps', 'options'], async ({ security }) => {
    const { apps: rows } = await security.apps.list({ limit: APPS_MAX })
    return rows
  })
  return data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
}

type Options = ReturnType<typeof useAppOptions>

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

const termFields = (of?: LicenseKey): readonly Field[] => [
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
  { name: 'note', label: common.note, value: of?.note },
]

export const newKeyFields = (options: Options): readonly Field[] => [
  { name: 'count', label: licenseKeys.count, type: 'number', required: true, value: 1 },
  {
    name: 'app_id',
    label: apps.app,
    type: 'select',
    required: true,
    options,
    value: options.at(-1)?.value,
  },
  { name: 'prefix', label: licenseKeys.prefix, help: licenseKeys.prefixHelp },
  { name: 'days', label: licenseKeys.days, type: 'number', help: licenseKeys.daysHelp },
  {
    name: 'expiry_basis',
    label: licenseKeys.basis,
    type: 'select',
    required: true,
    value: 'creation',
    options: [
      { value: 'creation', label: licenseKeys.creation },
      { value: 'first_activation', label: licenseKeys.firstActivation },
    ],
    when: ({ days }) => days !== '',
  },
  ...termFields(),
  { name: 'customer_email', label: licenseKeys.holder, type: 'email' },
]

export const keyFields = (of: LicenseKey): readonly Field[] => [
  ...termFields(of),
  limit('device_resets_left', licenseKeys.resetsLeft, of.device_resets_left),
]

export const linesOf = (value: unknown): string[] =>
  String(value ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function newKeysOf({ app_id, days, entitlements, ...rest }: Typed): NewLicenseKeys {
  const sent = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(sent),
    ...(app_id !== undefined && { app_id: Number(app_id) }),
    ...(days !== undefined && { duration_seconds: Number(days) * DAY_S }),
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
