import { z } from 'zod'
import { map } from '../../../kernel/bounded.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'
import { Checksum, ReportKind, Version } from '../apps/index.ts'
import { Fingerprint } from '../devices/index.ts'
import { FileTtl } from '../keys/index.ts'
import { fromBase64Url } from './device-key.rules.ts'
import { isDeviceKey } from './device-key.ts'
import { OUTCOMES } from './outcome.rules.ts'

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
  fingerprint: Fingerprint.describe('What tells this machine from others.'),
  components: map(Line(64), Line(256), {
    max: COMPONENTS_MAX,
    error: `Send at most ${COMPONENTS_MAX} components.`,
  })
    .optional()
    .describe('Parts of the machine by name, for apps that match by them.'),
  public_key: PublicKey.optional().describe('A key of the device itself, which no copy has.'),
  name: Line(128).optional().describe('What its holder knows it by.'),
  platform: Line(64).optional().describe('Its system.'),
})
export type ClientDevice = z.output<typeof ClientDevice>

const LicenseText = z
  .string()
  .min(1, 'Write at least one character.')
  .max(LICENSE_KEY_MAX, `Write at most ${LICENSE_KEY_MAX} characters.`)

export const NewSession = z.strictObject({
  license_key: LicenseText.optional().describe(
    'As its holder writes it; without one the session is public, where the app allows it.',
  ),
  device: ClientDevice.optional().describe('The machine that it runs on.'),
  app_version: Version.optional().describe('Of the program.'),
  app_checksum: Checksum.optional().describe('SHA-256 of the program.'),
})
export type NewSession = z.output<typeof NewSession>

export const Validation = z.strictObject({
  license_key: LicenseText.describe('As its holder writes it.'),
  device: ClientDevice.optional().describe('Whether it is activated on this machine, too.'),
})
export type Validation = z.output<typeof Validation>

const License = z.object({
  level: z.int().describe('Its level.'),
  entitlements: z.array(z.string()).describe('What it includes.'),
  expires_at: DateTime.nullable().describe('Its end; null is without end.'),
})
export type License = z.output<typeof License>

const Seat = z.object({
  token: z.string().optional().describe('Told once, when the session starts.'),
  expires_at: DateTime.describe('It ends then at the latest.'),
  heartbeat_seconds: z.int().describe('How often to tell that the program runs.'),
  lease_expires_at: DateTime.describe('Without a heartbeat it ends then.'),
})

/** What comes of a question about a license. What it may use stands there only where it is valid. */
export const Answered = z.object({
  valid: z.boolean().describe('Whether `code` is `VALID`.'),
  code: z.enum(OUTCOMES).describe('What came of it.'),
  message: z.string().describe('The same, for people.'),
  session: Seat.optional().describe('The session.'),
  license: License.optional().describe('What the license allows.'),
  device: z
    .object({
      id: z.int().describe('Of the device.'),
      registered: z.boolean().describe('Whether it is a device of the license.'),
    })
    .optional()
    .describe('The device.'),
  server_time: DateTime.describe('The time of our machine.'),
  store_time: DateTime.describe(
    "The time of the store's clock, which licenses and leases follow; a test side's can be moved.",
  ),
  config_version: z.int().describe('The version of the remote settings.'),
  nonce: z.string().describe('The nonce of the request.'),
})
export type Answered = z.output<typeof Answered>

export const Report = z.strictObject({
  kind: ReportKind.describe('What the rules of the app know it by.'),
  detail: z
    .string()
    .default('')
    .refine((text) => Buffer.byteLength(text) <= REPORT_BYTES_MAX, 'Write at most 2048 bytes.')
    .describe('What the program saw.'),
})
export type Report = z.output<typeof Report>

export const OwnDevice = z.object({
  id: z.int().describe('Of the device.'),
  name: z.string().nullable().describe('What the program called it.'),
  platform: z.string().nullable().describe('Its system.'),
  current: z.boolean().describe('Whether it is the device of this session.'),
  first_seen_at: DateTime.describe('When it was activated.'),
  last_seen_at: DateTime.describe('When it last started a session.'),
})
export type OwnDevice = z.output<typeof OwnDevice>

export const OwnFile = z.strictObject({
  fingerprint: Fingerprint.optional().describe(
    'That of the session; may be left out by a device that has a key of its own.',
  ),
  ttl_seconds: FileTtl,
})
export type OwnFile = z.output<typeof OwnFile>
