import { z } from 'zod'
import { map } from '../../../kernel/bounded.ts'
import { withRule } from '../../../kernel/broken-rule.ts'
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
    .describe(
      'Components of the machine by name, for apps that match devices by components. Default: none.',
    ),
  public_key: PublicKey.optional().describe(
    'The public key of the device. The private key never leaves the device. Default: none.',
  ),
  name: Line(128).optional().describe('A name that the license holder recognises. Default: none.'),
  platform: Line(64).optional().describe('The operating system. Default: none.'),
})
export type ClientDevice = z.output<typeof ClientDevice>

const LicenseText = z
  .string()
  .min(1, 'Write at least one character.')
  .max(LICENSE_KEY_MAX, `Write at most ${LICENSE_KEY_MAX} characters.`)

export const NewSession = z.strictObject({
  license_key: LicenseText.optional().describe(
    'The key, as the license holder typed it. Default: none; the session is then public, if the app allows public sessions.',
  ),
  device: ClientDevice.optional().describe('The machine on which the program runs. Default: none.'),
  app_version: Version.optional().describe('The version of the program. Default: none.'),
  app_checksum: Checksum.optional().describe('SHA-256 of the program. Default: none.'),
})
export type NewSession = z.output<typeof NewSession>

export const Validation = z.strictObject({
  license_key: LicenseText.describe('The key, as the license holder typed it.'),
  device: ClientDevice.optional().describe(
    'The machine. Send it to check also whether the license is activated on it. Default: none.',
  ),
})
export type Validation = z.output<typeof Validation>

const License = z.object({
  level: z.int().describe('The level of the license.'),
  entitlements: z.array(z.string()).describe('The features that the license includes.'),
  expires_at: DateTime.nullable().describe(
    'The time when the license expires; null if it has no end.',
  ),
})

const SessionLease = z.object({
  token: z
    .string()
    .optional()
    .describe('The session token. Only the response that starts the session contains it.'),
  expires_at: DateTime.describe('The moment at which the session ends even with heartbeats.'),
  heartbeat_seconds: z.int().describe('The interval between heartbeats.'),
  lease_expires_at: DateTime.describe(
    'The moment at which the session ends unless a heartbeat arrives before it.',
  ),
})
export type SessionLease = z.output<typeof SessionLease>

/** The answer to a session start, a heartbeat or a validation. */
export const LicenseAnswer = z.object({
  valid: z.boolean().describe('True if `code` is `VALID`.'),
  code: z.enum(OUTCOMES).describe('The result of the evaluation.').meta({ example: 'VALID' }),
  message: z
    .string()
    .describe('The result as a sentence for people.')
    .meta({ example: 'This license is valid.' }),
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

export const NewClientReport = z.strictObject({
  kind: ReportKind.describe('The kind of report, as in the report rules of the app.'),
  detail: z
    .string()
    .default('')
    .refine(
      (text) => Buffer.byteLength(text) <= REPORT_BYTES_MAX,
      withRule(`Write at most ${REPORT_BYTES_MAX} bytes.`, {
        rule: 'max_bytes',
        limit: REPORT_BYTES_MAX,
      }),
    )
    .describe('The details of the detection.'),
})
export type NewClientReport = z.output<typeof NewClientReport>

export const OwnDevice = z.object({
  id: z.int().describe('The device id.'),
  name: z.string().nullable().describe('The name that the program sent.'),
  platform: z.string().nullable().describe('The operating system.'),
  current: z.boolean().describe('True if this is the device of the session.'),
  first_seen_at: DateTime.describe('The time when the device was activated.'),
  last_seen_at: DateTime.describe('The time when the device last started a session.'),
})
export type OwnDevice = z.output<typeof OwnDevice>

export const OwnFile = z.strictObject({
  fingerprint: Fingerprint.optional().describe(
    'The fingerprint of the registered device. Required unless the device has a public key. Default: none.',
  ),
  ttl_seconds: FileTtl,
})
export type OwnFile = z.output<typeof OwnFile>

/** The kinds of records whose readers are recorded. `settings` are all settings of an app. */
export const READ_KINDS = ['string', 'file', 'settings'] as const
export type ReadKind = (typeof READ_KINDS)[number]

export const RecordReader = z
  .object({
    key_id: z.int().nullable().describe('The license key; null for a session without one.'),
    key_preview: z.string().nullable().describe('The last characters of the license key.'),
    device_id: z.int().nullable().describe('The device of the last read.'),
    device_name: z.string().nullable().describe('The name of the device of the last read.'),
    reads: z.int().describe('The number of reads with this license key.'),
    last_read_at: DateTime.describe(
      'The time when the record was last read with this license key.',
    ),
  })
  .meta({ id: 'RecordReader', description: 'A license key whose programs read a record.' })
export type RecordReader = z.output<typeof RecordReader>
