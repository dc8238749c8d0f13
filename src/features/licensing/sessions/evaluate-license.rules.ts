import type { ClientApp, DevicePolicy } from '../apps/index.ts'

/** The codes of an evaluation, in order of precedence: the answer has the first code that applies (decision 22). */
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
export type LicenseOutcome = (typeof OUTCOMES)[number]

export const OUTCOME_TEXTS: Record<LicenseOutcome, string> = {
  NOT_FOUND: 'The license key is unknown. Check it for typing errors.',
  APP_DISABLED: 'The seller has disabled this program. Ask the seller.',
  APP_VERSION_UNSUPPORTED:
    'This version of the program is no longer supported. Update the program.',
  CHECKSUM_MISMATCH: 'This program is not a build that the seller released. Install it again.',
  BANNED: 'This license is banned. Ask the seller.',
  DEVICE_BANNED: 'This device is banned. Ask the seller.',
  SUSPENDED: 'This license is suspended. Ask the seller.',
  EXPIRED: 'This license has expired. Renew it, or ask the seller.',
  FINGERPRINT_REQUIRED: 'This license requires a device fingerprint. Send device.fingerprint.',
  DEVICE_KEY_MISMATCH:
    'This device is registered with another public key. Send the registered key as device.public_key.',
  DEVICE_MISMATCH: 'This device no longer matches its registration. Ask the seller to reset it.',
  DEVICE_LIMIT_REACHED:
    'This license is in use on all the devices it allows. Deactivate one of them first.',
  NOT_ACTIVATED: 'This license is not activated on this device. Start a session to activate it.',
  SESSION_LIMIT_REACHED: 'This license has as many sessions as it allows. End one of them first.',
  VALID: 'This license is valid.',
}

type AppFacts = Pick<ClientApp, 'status' | 'min_version' | 'allowed_checksums' | 'device_policy'>

interface KeyFacts {
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
  key_matches: boolean
  /** True if enough components match, by the app's device policy. */
  components_match: boolean
}

export interface LicenseFacts {
  app: AppFacts
  /** Undefined if the key does not exist. */
  key: KeyFacts | undefined
  device: DeviceFacts | undefined
  /** True if the machine or its address is banned, which does not depend on the license. */
  banned: boolean
}

export interface LicenseRequest {
  /** True to activate the device and start a session; false to validate only. */
  startsSession: boolean
  has_device: boolean
  app_version: string | undefined
  app_checksum: string | undefined
}

/** Decides whether a license may be used, in the order of `OUTCOMES`. */
export function evaluateLicense(facts: LicenseFacts, request: LicenseRequest): LicenseOutcome {
  const { app, key, device, banned } = facts
  if (!key) return 'NOT_FOUND'
  const refusal = request.startsSession ? appRefusal(app, request) : disabledRefusal(app)
  if (refusal) return refusal
  if (key.status === 'banned') return 'BANNED'
  if (banned || device?.banned) return 'DEVICE_BANNED'
  if (key.status === 'suspended') return 'SUSPENDED'
  if (key.status === 'expired') return 'EXPIRED'
  return (
    deviceRefusal(facts.app.device_policy, key, device, request) ?? sessionOutcome(key, request)
  )
}

const disabledRefusal = (app: AppFacts): LicenseOutcome | undefined =>
  app.status === 'disabled' ? 'APP_DISABLED' : undefined

/** Returns the outcome that prevents the program from starting any session; undefined if it may. */
export function appRefusal(
  app: AppFacts,
  { app_version, app_checksum }: Pick<LicenseRequest, 'app_version' | 'app_checksum'>,
): LicenseOutcome | undefined {
  if (app.status === 'disabled') return 'APP_DISABLED'
  if (app.min_version !== null && isOlder(app_version, app.min_version)) {
    return 'APP_VERSION_UNSUPPORTED'
  }
  const isAnyAllowed = app.allowed_checksums.length === 0
  if (!isAnyAllowed && !app.allowed_checksums.includes(app_checksum ?? ''))
    return 'CHECKSUM_MISMATCH'
  return undefined
}

/** Returns true if a version is older than `min`. An undefined version counts as older. */
export function isOlder(version: string | undefined, min: string): boolean {
  if (version === undefined) return true
  const parts = version.split('.').map(Number)
  for (const [index, minPart] of min.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0
    if (part !== minPart) return part < minPart
  }
  return false
}

function deviceRefusal(
  policy: DevicePolicy,
  { max_devices, devices_count }: KeyFacts,
  device: DeviceFacts | undefined,
  { startsSession, has_device }: LicenseRequest,
): LicenseOutcome | undefined {
  if (!has_device) return startsSession && policy.required ? 'FINGERPRINT_REQUIRED' : undefined
  if (device && !device.key_matches) return 'DEVICE_KEY_MISMATCH'
  if (device && !device.components_match) return 'DEVICE_MISMATCH'
  if (device) return undefined
  if (max_devices !== null && devices_count >= max_devices) return 'DEVICE_LIMIT_REACHED'
  return startsSession ? undefined : 'NOT_ACTIVATED'
}

const sessionOutcome = (
  { max_sessions, live_sessions }: KeyFacts,
  { startsSession }: LicenseRequest,
): LicenseOutcome =>
  startsSession && max_sessions !== null && live_sessions >= max_sessions
    ? 'SESSION_LIMIT_REACHED'
    : 'VALID'

type Components = Readonly<Record<string, string>>

/** Returns true if enough of the registered components of a device are unchanged. */
export function componentsMatch(
  match: DevicePolicy['match'],
  registeredComponents: Components,
  currentComponents: Components,
): boolean {
  const names = Object.keys(registeredComponents)
  if (match === 'exact' || names.length === 0) return true
  const unchangedCount = names.filter(
    (name) => registeredComponents[name] === currentComponents[name],
  ).length
  if (match === 'any') return unchangedCount >= 1
  if (match === 'two') return unchangedCount >= Math.min(2, names.length)
  return unchangedCount * 2 > names.length
}
