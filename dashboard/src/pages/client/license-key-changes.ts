import type { ListedLicenseKey } from '../../api/security.ts'
import { momentOfDay } from '../../kit/days.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { BAN_REASON_MAX } from '../../kit/text-limits.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { DAY_S, DAYS_MAX } from './license-key-parts.ts'

// The forms of changes of one license key, or of several.

const EXTEND_DAYS = 30

/** A license without an end cannot be extended. One with a duration begins with its first use. */
export const hasEnd = ({ expires_at, duration_seconds }: ListedLicenseKey): boolean =>
  expires_at !== null || duration_seconds !== null

export const BAN_FIELDS: readonly Field[] = [
  { name: 'reason', label: licenseKeys.banReason, required: true, maxLength: BAN_REASON_MAX },
  { name: 'public_reason', label: licenseKeys.publicReason },
  { name: 'until', label: licenseKeys.banUntil, type: 'date', help: licenseKeys.banUntilHelp },
  { name: 'ban_devices', label: licenseKeys.banDevices, type: 'checkbox' },
]

export const banOf = ({ reason, public_reason, until, ban_devices }: FormValues) => ({
  reason: String(reason ?? ''),
  ...(public_reason !== undefined && { public_reason: String(public_reason) }),
  // The chosen day is the last day of the ban.
  ...(until !== undefined && { expires_at: momentOfDay(String(until), 1) }),
  ...(ban_devices === true && { ban_devices }),
})

export const EXTENSION_FIELDS: readonly Field[] = [
  {
    name: 'seconds',
    label: licenseKeys.extendDays,
    type: 'number',
    min: 1,
    max: DAYS_MAX,
    required: true,
    value: EXTEND_DAYS,
  },
  {
    name: 'from',
    label: licenseKeys.extendFrom,
    type: 'select',
    required: true,
    value: 'now_if_expired',
    options: [
      { value: 'now_if_expired', label: licenseKeys.fromNow },
      { value: 'end', label: licenseKeys.fromEnd },
    ],
  },
]

export const extensionOf = ({ seconds, from }: FormValues) => ({
  seconds: Number(seconds) * DAY_S,
  from: from === 'end' ? ('end' as const) : ('now_if_expired' as const),
})

export const SUSPENSION_FIELDS: readonly Field[] = [
  { name: 'suspend_reason', label: common.reason },
]

export const suspensionOf = ({ suspend_reason }: FormValues) => ({
  suspended: true,
  ...(suspend_reason !== undefined && { suspend_reason: String(suspend_reason) }),
})
