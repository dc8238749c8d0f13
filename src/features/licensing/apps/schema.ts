import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { Characters, DateTime, HttpUrl, Line } from '../../../kernel/shapes.ts'

const APP_STATUSES = ['active', 'paused', 'disabled'] as const
const MATCHES = ['exact', 'most', 'two', 'any'] as const
export const REPORT_ACTIONS = ['log', 'ban_device', 'ban_key'] as const

const CHECKSUMS_MAX = 100
const RULES_MAX = 50
const DAY_S = 86_400

export const Version = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9}){0,3}$/, 'Use one to four numbers with dots, such as 1.4.2.')

export const Checksum = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Use the SHA-256 of the program in lower-case hex.')

const Limit = z.int().min(1, 'Use 1 or more, or null.').max(1_000_000).nullable()

const Policy = {
  required: z.boolean().describe('True if a session requires a device.'),
  match: z
    .enum(MATCHES)
    .describe(
      'The rule for recognising a device. `exact`: by its fingerprint alone. `most`, `two` and `any`: also if most, two or any of its components are unchanged.',
    ),
  key_required: z
    .boolean()
    .describe(
      'True if a device must have a key pair, so that a copied fingerprint alone does not pass.',
    ),
}

export const DevicePolicy = z
  .strictObject({
    required: Policy.required.default(true),
    match: Policy.match.default('exact'),
    key_required: Policy.key_required.default(false),
  })
  .meta({ id: 'DevicePolicy', description: 'The rules for recognising devices.' })
export type DevicePolicy = z.output<typeof DevicePolicy>

const Limits = {
  unknown_keys: Limit.describe('Calls with an unknown license key, from one address.'),
  unknown_tokens: Limit.describe('Calls with an unknown session token, from one address.'),
  session_starts: Limit.describe('Session starts from one address.'),
  validations: Limit.describe('Validations from one address.'),
  session_calls: Limit.describe('Calls of one session.'),
}

const RateLimits = z
  .strictObject({
    unknown_keys: Limits.unknown_keys.default(30),
    unknown_tokens: Limits.unknown_tokens.default(120),
    session_starts: Limits.session_starts.default(120),
    validations: Limits.validations.default(600),
    session_calls: Limits.session_calls.default(600),
  })
  .meta({ id: 'ClientRateLimits', description: 'Limits of calls per minute; null for no limit.' })

export const ReportKind = Characters(
  64,
  /^[a-z0-9_.-]{1,64}$/,
  'Use 1 to 64 of a-z, 0-9, _ . and -.',
)

const ReportRules = map(ReportKind, z.enum(REPORT_ACTIONS), {
  max: RULES_MAX,
  error: `Use at most ${RULES_MAX} rules.`,
})

const Fields = {
  name: Line(128).describe('The name, unique in the store.'),
  status: z
    .enum(APP_STATUSES)
    .describe('A `paused` app starts no sessions. Disabling an app also ends its live sessions.'),
  min_version: Version.nullable().describe(
    'The oldest version that may start a session; null for any.',
  ),
  latest_version: Version.nullable().describe('The newest version of the program.'),
  download_url: HttpUrl.nullable().describe('The URL at which users download the newest version.'),
  allowed_checksums: list(Checksum, {
    max: CHECKSUMS_MAX,
    error: `Send at most ${CHECKSUMS_MAX} checksums.`,
  }).describe(
    'SHA-256 hashes of the programs that may start sessions; an empty list allows any program.',
  ),
  session_ttl_seconds: z
    .int()
    .min(60, 'Use 60 or more.')
    .max(30 * DAY_S)
    .describe('The maximum duration of a session.'),
  heartbeat_seconds: z
    .int()
    .min(60, 'Use 60 or more.')
    .max(DAY_S)
    .describe('The interval between heartbeats.'),
  grace_seconds: z
    .int()
    .min(0)
    .max(DAY_S)
    .describe('The delay of a heartbeat after which the session ends.'),
  device_policy: DevicePolicy.describe('The rules for recognising devices.'),
  allow_public_session: z.boolean().describe('True if sessions without a license key may start.'),
  rate_limits: RateLimits.describe('Rate limits of client programs.'),
  report_rules: ReportRules.describe(
    'The action for each kind of report. It applies to the key or the device of the reporting session.',
  ),
}

export const ClientApp = z
  .object({
    id: z.int().describe('The app id.'),
    object: z.literal('client_app').describe('Always `client_app`.'),
    public_id: z
      .string()
      .describe('The public id, which is built into the program. It is not a secret.'),
    is_default: z.boolean().describe('True if calls without an `app_id` use this app.'),
    ...Fields,
    config_version: z
      .int()
      .describe('The version of the remote settings. Every change increases it.'),
    created_at: DateTime.describe('The time when the record was created.'),
    updated_at: DateTime.describe('The time when the record was last changed.'),
  })
  .meta({ id: 'ClientApp', description: 'A program of the seller that is protected by licenses.' })
export type ClientApp = z.output<typeof ClientApp>

const HEARTBEAT_S = 300

export const NewApp = z
  .strictObject({
    ...Fields,
    status: Fields.status.default('active'),
    min_version: Fields.min_version.default(null),
    latest_version: Fields.latest_version.default(null),
    download_url: Fields.download_url.default(null),
    allowed_checksums: Fields.allowed_checksums.default([]),
    session_ttl_seconds: Fields.session_ttl_seconds.default(21_600),
    heartbeat_seconds: Fields.heartbeat_seconds.default(HEARTBEAT_S),
    grace_seconds: Fields.grace_seconds
      .optional()
      .describe(
        'The delay of a heartbeat after which the session ends. Default: twice `heartbeat_seconds`.',
      ),
    device_policy: Fields.device_policy.prefault(() => DevicePolicy.parse({})),
    allow_public_session: Fields.allow_public_session.default(false),
    rate_limits: Fields.rate_limits.prefault(() => RateLimits.parse({})),
    report_rules: Fields.report_rules.default({}),
  })
  .meta({ id: 'ClientAppInput', description: 'A new app.' })
export type NewApp = z.output<typeof NewApp>

/** The fields have no defaults: an omitted field keeps its value, inside objects too. */
export const AppPatch = z
  .strictObject({
    ...Fields,
    device_policy: z
      .strictObject(Policy)
      .partial()
      .describe('The rules for recognising devices. Fields that are left out keep their value.'),
    rate_limits: z
      .strictObject(Limits)
      .partial()
      .describe(
        'Rate limits of client programs, per minute. Fields that are left out keep their value.',
      ),
  })
  .partial()
  .meta({ id: 'ClientAppPatch', description: 'Changes to an app.' })
export type AppPatch = z.output<typeof AppPatch>

export const SigningKey = z
  .object({
    id: z.int().describe('The id of the signing key.'),
    object: z.literal('signing_key').describe('Always `signing_key`.'),
    app_id: z.int().describe('The app whose responses the key signs.'),
    kid: z.string().describe('The public key id.'),
    alg: z.literal('Ed25519').describe('Always `Ed25519`.'),
    public_key: z.string().describe('The raw 32 bytes, base64url without padding.'),
    not_before: DateTime.describe('The moment from which the key signs.'),
    not_after: DateTime.nullable().describe(
      'The moment until which programs trust the key; null if it has no end.',
    ),
    created_at: DateTime.describe('The time when the record was created.'),
  })
  .meta({ id: 'SigningKey', description: 'The public half of a signing key.' })
export type SigningKey = z.output<typeof SigningKey>

const KEY_OVERLAP_S = 90 * DAY_S

/** The fields of a signing key that client programs receive. */
export const PublicKey = SigningKey.pick({
  kid: true,
  alg: true,
  public_key: true,
  not_before: true,
  not_after: true,
})
export type PublicKey = z.output<typeof PublicKey>

export const NewSigningKey = z
  .strictObject({
    starts_in_seconds: z
      .int()
      .min(0)
      .max(90 * DAY_S)
      .default(0)
      .describe('The delay before the new key signs.'),
    overlap_seconds: z
      .int()
      .min(0)
      .max(3_650 * DAY_S)
      .default(KEY_OVERLAP_S)
      .describe(
        'The time for which programs still trust the old keys after the new key starts. Use 0 if a key has leaked.',
      ),
  })
  .meta({ id: 'SigningKeyInput', description: 'Options of a signing key rotation.' })
export type NewSigningKey = z.output<typeof NewSigningKey>
