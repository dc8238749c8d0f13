import type { DevicePolicy } from '../apps/index.ts'

/** The codes of an evaluation, in order of precedence: the first that applies is answered (decision 22). */
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
  NOT_FOUND: 'The license key is unknown. Check it for typing errors.',
  APP_DISABLED: 'The seller has disabled this program.',
  APP_VERSION_UNSUPPORTED:
    'This version of the program is no longer supported. Update the program.',
  CHECKSUM_MISMATCH: 'This program is not a build that the seller released. Install it again.',
  BANNED: 'This license is banned.',
  DEVICE_BANNED: 'This device is banned.',
  SUSPENDED: 'This license is suspended.',
  EXPIRED: 'This license has expired.',
  FINGERPRINT_REQUIRED: 'This license requires a device fingerprint. Send device.fingerprint.',
  DEVICE_KEY_MISMATCH:
    'This device is registered with another public key. Send device.public_key of that key.',
  DEVICE_MISMATCH: 'This device no longer matches its registration. Ask the seller to reset it.',
  DEVICE_LIMIT_REACHED:
    'This license is in use on all the devices it allows. Deactivate one of them first.',
  NOT_ACTIVATED: 'This license is not activated on this device. Start a session to activate it.',
  SESSION_LIMIT_REACHED: 'This license has as many sessions as it allows. End one of them first.',
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

/** The registered device, compared with the device that the program sent. */
export interface DeviceFacts {
  banned: boolean
  /** True if the device was registered with this public key, or without one. */
  same_key: boolean
  /** True if enough components match, by the app's device policy. */
  same_parts: boolean
}

export interface LicenseFacts {
  app: AppFacts
  /** Undefined if the key does not exist. */
  key: KeyFacts | undefined
  device: DeviceFacts | undefined
  /** True if the machine or the address is banned, apart from the license. */
  banned: boolean
}

export interface LicenseRequest {
  /** True to activate the device and start a session; false to validate only. */
  start: boolean
  has_device: boolean
  app_version: string | undefined
  app_checksum: string | undefined
}

/** Decides whether a license may be used, in the order of `OUTCOMES`. */
export function evaluateLicense(facts: LicenseFacts, request: LicenseRequest): Outcome {
  const { app, key, device, banned } = facts
  if (!key) return 'NOT_FOUND'
  const refusal = request.start ? whyNotApp(app, request) : whyNotOff(app)
  if (refusal) return refusal
  if (key.status === 'banned') return 'BANNED'
  if (banned || device?.banned) return 'DEVICE_BANNED'
  if (key.status === 'suspended') return 'SUSPENDED'
  if (key.status === 'expired') return 'EXPIRED'
  return whyNotDevice(facts.app.device_policy, key, device, request) ?? sessionOutcome(key, request)
}

const whyNotOff = (app: AppFacts): Outcome | undefined =>
  app.status === 'disabled' ? 'APP_DISABLED' : undefined

/** Why the program may start no session, with or without a license; undefined if it may. */
export function whyNotApp(
  app: AppFacts,
  { app_version, app_checksum }: Pick<LicenseRequest, 'app_version' | 'app_checksum'>,
): Outcome | undefined {
  if (app.status === 'disabled') return 'APP_DISABLED'
  if (app.min_version !== null && isOlder(app_version, app.min_version)) {
    return 'APP_VERSION_UNSUPPORTED'
  }
  const isAnyAllowed = app.allowed_checksums.length === 0
  if (!isAnyAllowed && !app.allowed_checksums.includes(app_checksum ?? ''))
    return 'CHECKSUM_MISMATCH'
  return undefined
}

/** True if a version precedes another. A missing version precedes all. */
export function isOlder(version: string | undefined, min: string): boolean {
  if (version === undefined) return true
  const [own, least] = [version, min].map((text) => text.split('.').map(Number))
  for (const [at, number] of (least ?? []).entries()) {
    const part = own?.[at] ?? 0
    if (part !== number) return part < number
  }
  return false
}

function whyNotDevice(
  policy: DevicePolicy,
  { max_devices, devices_count }: KeyFacts,
  device: DeviceFacts | undefined,
  { start, has_device }: LicenseRequest,
): Outcome | undefined {
  if (!has_device) return start && policy.required ? 'FINGERPRINT_REQUIRED' : undefined
  if (device && !device.same_key) return 'DEVICE_KEY_MISMATCH'
  if (device && !device.same_parts) return 'DEVICE_MISMATCH'
  if (device) return undefined
  if (max_devices !== null && devices_count >= max_devices) return 'DEVICE_LIMIT_REACHED'
  return start ? undefined : 'NOT_ACTIVATED'
}

const sessionOutcome = (
  { max_sessions, live_sessions }: KeyFacts,
  { start }: LicenseRequest,
): Outcome =>
  start && max_sessions !== null && live_sessions >= max_sessions
    ? 'SESSION_LIMIT_REACHED'
    : 'VALID'

type Parts = Readonly<Record<string, string>>

/** True if enough of the components that a device registered with are unchanged. */
export function sameParts(match: DevicePolicy['match'], before: Parts, now: Parts): boolean {
  const names = Object.keys(before)
  if (match === 'exact' || names.length === 0) return true
  const same = names.filter((name) => before[name] === now[name]).length
  if (match === 'any') return same >= 1
  if (match === 'two') return same >= Math.min(2, names.length)
  return same * 2 > names.length
}
