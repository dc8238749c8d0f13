import type { DevicePolicy } from '../apps/index.ts'

/** What can come of asking whether a license may be used: the first that applies (decision 22). */
export const OUTCOMES = [
  'NOT_FOUND',
  'APP_DISABLED',
  'APP_VERSION_UNSUPPORTED',
  'CHECKSUM_MISMATCH',
  'BANNED',
  'DEVICE_BANNED',
  'SUSPENDED',
  'EXPIRED',
  'FINGERPRINT_REQUIRED',
  'DEVICE_KEY_MISMATCH',
  'DEVICE_MISMATCH',
  'DEVICE_LIMIT_REACHED',
  'NOT_ACTIVATED',
  'SESSION_LIMIT_REACHED',
  'VALID',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const OUTCOME_TEXTS: Record<Outcome, string> = {
  NOT_FOUND: 'This license key is not known.',
  APP_DISABLED: 'This program is switched off.',
  APP_VERSION_UNSUPPORTED: 'This version of the program is not supported any more.',
  CHECKSUM_MISMATCH: 'This program is not one that the seller released.',
  BANNED: 'This license is banned.',
  DEVICE_BANNED: 'This device is banned.',
  SUSPENDED: 'This license is suspended.',
  EXPIRED: 'This license has expired.',
  FINGERPRINT_REQUIRED: 'This license needs to know the device.',
  DEVICE_KEY_MISMATCH: 'This device is known by another key.',
  DEVICE_MISMATCH: 'This device is not the one that it was.',
  DEVICE_LIMIT_REACHED: 'This license is used on as many devices as it allows.',
  NOT_ACTIVATED: 'This license is not activated on this device.',
  SESSION_LIMIT_REACHED: 'This license is in use as often as it allows.',
  VALID: 'This license is valid.',
}

export interface AppFacts {
  status: 'active' | 'paused' | 'disabled'
  min_version: string | null
  allowed_checksums: readonly string[]
  device_policy: DevicePolicy
}

export interface KeyFacts {
  status: 'banned' | 'suspended' | 'expired' | 'unused' | 'active'
  max_devices: number | null
  devices_count: number
  max_sessions: number | null
  live_sessions: number
}

/** A device that the key knows, and what of it was said now. */
export interface DeviceFacts {
  banned: boolean
  /** Whether it was registered with this key of its own, or with none. */
  same_key: boolean
  /** Whether enough of its parts are the same. */
  same_parts: boolean
}

export interface Facts {
  app: AppFacts
  /** Undefined where there is no such key. */
  key: KeyFacts | undefined
  device: DeviceFacts | undefined
  /** A ban of the machine or of the address, apart from the license. */
  banned: boolean
}

/** What was asked: to start, which activates and takes a seat, or only to check. */
export interface Asked {
  start: boolean
  has_device: boolean
  app_version: string | undefined
  app_checksum: string | undefined
}

/** Decides what comes of a license key, in the fixed order of outcomes. */
export function outcomeOf(facts: Facts, asked: Asked): Outcome {
  const { app, key, device, banned } = facts
  if (!key) return 'NOT_FOUND'
  const refusal = asked.start ? whyNotApp(app, asked) : whyNotOff(app)
  if (refusal) return refusal
  if (key.status === 'banned') return 'BANNED'
  if (banned || device?.banned) return 'DEVICE_BANNED'
  if (key.status === 'suspended') return 'SUSPENDED'
  if (key.status === 'expired') return 'EXPIRED'
  return whyNotDevice(facts.app.device_policy, key, device, asked) ?? seatOf(key, asked)
}

const whyNotOff = (app: AppFacts): Outcome | undefined =>
  app.status === 'disabled' ? 'APP_DISABLED' : undefined

/** What holds for a program whatever its license: also for a public session. */
export function whyNotApp(
  app: AppFacts,
  { app_version, app_checksum }: Pick<Asked, 'app_version' | 'app_checksum'>,
): Outcome | undefined {
  if (app.status === 'disabled') return 'APP_DISABLED'
  if (app.min_version !== null && isOlder(app_version, app.min_version)) {
    return 'APP_VERSION_UNSUPPORTED'
  }
  const released = app.allowed_checksums.length === 0
  if (!released && !app.allowed_checksums.includes(app_checksum ?? '')) return 'CHECKSUM_MISMATCH'
  return undefined
}

/** Whether a version lies before another; one that is not told does. */
export function isOlder(version: string | undefined, min: string): boolean {
  if (version === undefined) return true
  const [mine, theirs] = [version, min].map((text) => text.split('.').map(Number))
  for (const [at, number] of (theirs ?? []).entries()) {
    const own = mine?.[at] ?? 0
    if (own !== number) return own < number
  }
  return false
}

function whyNotDevice(
  policy: DevicePolicy,
  { max_devices, devices_count }: KeyFacts,
  device: DeviceFacts | undefined,
  { start, has_device }: Asked,
): Outcome | undefined {
  if (!has_device) return start && policy.required ? 'FINGERPRINT_REQUIRED' : undefined
  if (device && !device.same_key) return 'DEVICE_KEY_MISMATCH'
  if (device && !device.same_parts) return 'DEVICE_MISMATCH'
  if (device) return undefined
  if (max_devices !== null && devices_count >= max_devices) return 'DEVICE_LIMIT_REACHED'
  return start ? undefined : 'NOT_ACTIVATED'
}

const seatOf = ({ max_sessions, live_sessions }: KeyFacts, { start }: Asked): Outcome =>
  start && max_sessions !== null && live_sessions >= max_sessions
    ? 'SESSION_LIMIT_REACHED'
    : 'VALID'

type Parts = Readonly<Record<string, string>>

/** Whether enough parts of a machine are what they were, of those that were told when it registered. */
export function sameParts(match: DevicePolicy['match'], before: Parts, now: Parts): boolean {
  const names = Object.keys(before)
  if (match === 'exact' || names.length === 0) return true
  const same = names.filter((name) => before[name] === now[name]).length
  if (match === 'any') return same >= 1
  if (match === 'two') return same >= Math.min(2, names.length)
  return same * 2 > names.length
}
