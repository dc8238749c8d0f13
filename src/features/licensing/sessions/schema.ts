import { z } from 'zod'
import { map } from '../../../kernel/bounded.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'
import { Checksum, ReportKind, Version } from '../apps/index.ts'
import { Fingerprint } from '../devices/index.ts'
import { FileTtl } from '../keys/index.ts'
import { fromBase64Url } from './device-key.rules.ts'
import { isDeviceKey } from './device-key.ts'
import { OUTCOMES } from './evaluate-license.rules.ts'

const LICENSE_KEY_MAX = 512
const COMPONENTS_MAX = 16
const REPORT_BYTES_MAX = 2_048

const PublicKey = z
  .string()
  .max(100)
  .refine((text) => {
    const bytes = fromBase64Url(text)
    return bytes !== undefined && isDeviceKey(bytes)
  }, 'Use an Ed25519 key of 32 bytes or a P-256 point of 65, base64url without padding.')

export const ClientDevice = z.strictObject({
  fingerprint: Fingerprint.describe('An identifier of this machine, computed by the program.'),
  components: map(Line(64), Line(256), {
    max: COMPONENTS_MAX,
    error: `Send at most ${COMPONENTS_MAX} components.`,
  })
    .optional()
    .describe('Components of the machine by name, for apps that match devices by components.'),
  public_key: PublicKey.optional().describe(
    'The public key of the device; its private key never leaves the device.',
  ),
  name: Line(128).optional().describe('A name that the license holder recognises.'),
  platform: Line(64).optional().describe('The operating system.'),
})
export type ClientDevice = z.output<typeof ClientDevice>

const LicenseText = z
  .string()
  .min(1, 'Write at least one character.')
  .max(LICENSE_KEY_MAX, `Write at most ${LICENSE_KEY_MAX} characters.`)

export const NewSession = z.strictObject({
  license_key: LicenseText.optional().describe(
    'The key as the license holder typed it. Without one the session is public, if the app allows that.',
  ),
  device: ClientDevice.optional().describe('The machine that the program runs on.'),
  app_version: Version.optional().describe('The version of the program.'),
  app_checksum: Checksum.optional().describe('SHA-256 of the program.'),
})
export type NewSession = z.output<typeof NewSession>

export const Validation = z.strictObject({
  license_key: LicenseText.describe('The key as the license holder typed it.'),
  device: ClientDevice.optional().describe(
    'Send it to check too whether the license is activated on this machine.',
  ),
})
export type Validation = z.output<typeof Validation>

const License = z.object({
  level: z.int().describe('The level of the license.'),
  entitlements: z.array(z.string()).describe('The features that the license includes.'),
  expires_at: DateTime.nullable().describe('When the license expires; null if it does not.'),
})
export type License = z.output<typeof License>

const SessionLease = z.object({
  token: z
    .string()
    .optional()
    .describe('The session token; only in the answer to the start of the session.'),
  expires_at: DateTime.describe('The latest end of the session.'),
  heartbeat_seconds: z.int().describe('The interval between heartbeats.'),
  lease_expires_at: DateTime.describe('The session ends then unless a heartbeat arrives.'),
})
export type SessionLease = z.output<typeof SessionLease>

/** The answer to a start, a heartbeat or a validation. `license` is present only if it is valid. */
export const LicenseAnswer = z.object({
  valid: z.boolean().describe('True if `code` is `VALID`.'),
  code: z.enum(OUTCOMES).describe('The result of the evaluation.'),
  message: z.string().describe('The result as a sentence for people.'),
  session: SessionLease.optional().describe('The session.'),
  license: License.optional().describe('The terms of the license; present if it is valid.'),
  device: z
    .object({
      id: z.int().describe('The device id.'),
      registered: z.boolean().describe('True if the device is registered for the license.'),
    })
    .optional()
    .describe('The device.'),
  server_time: DateTime.describe('The time of the server.'),
  store_time: DateTime.describe(
    "The time of the store's clock, which decides expiry. On the test side it can be advanced.",
  ),
  config_version: z.int().describe('The version of the remote settings.'),
  nonce: z.string().describe('The nonce of the request.'),
})
export type LicenseAnswer = z.output<typeof LicenseAnswer>

export const Report = z.strictObject({
  kind: ReportKind.describe('The kind of report, as in the report rules of the app.'),
  detail: z
    .string()
    .default('')
    .refine((text) => Buffer.byteLength(text) <= REPORT_BYTES_MAX, 'Write at most 2048 bytes.')
    .describe('The detection of the program.'),
})
export type Report = z.output<typeof Report>

export const OwnDevice = z.object({
  id: z.int().describe('The device id.'),
  name: z.string().nullable().describe('The name that the program sent.'),
  platform: z.string().nullable().describe('The operating system.'),
  current: z.boolean().describe('True if it is the device of this session.'),
  first_seen_at: DateTime.describe('When it was activated.'),
  last_seen_at: DateTime.describe('When it last started a session.'),
})
export type OwnDevice = z.output<typeof OwnDevice>

export const OwnFile = z.strictObject({
  fingerprint: Fingerprint.optional().describe(
    'The fingerprint of the registered device. Optional if the device has a public key.',
  ),
  ttl_seconds: FileTtl,
})
export type OwnFile = z.output<typeof OwnFile>
