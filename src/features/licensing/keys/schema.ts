import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { withRule } from '../../../kernel/broken-rule.ts'
import { CursorQuery, Level, NewAppId } from '../../../kernel/client-shapes.ts'
import {
  Characters,
  DateTime,
  Email,
  InputTime,
  Line,
  OneOrMoreOf,
  PathId,
  REPLACEMENT,
  Text,
  WRONG_ENCODING,
} from '../../../kernel/shapes.ts'
import { countWildcards, WILDCARDS_MIN } from './key-text.rules.ts'

export const KEYS_MAX = 1_000
const KEY_LENGTH_MAX = 255
export const KEY_STATUSES = ['banned', 'suspended', 'expired', 'unused', 'active'] as const
const EXPIRY_BASES = ['creation', 'first_activation'] as const

const ENTITLEMENTS_MAX = 64
const METADATA_KEYS_MAX = 64
const METADATA_BYTES_MAX = 16 * 1024
const METADATA_DEPTH_MAX = 4
/** 100 leap years. */
export const SECONDS_MAX = 100 * 366 * 86_400
/** The default cooldown of device resets: 7 days. */
export const RESET_COOLDOWN_S = 7 * 86_400
export const DEVICE_CHANGES_MAX = 1_000

const Count = z.int().min(1, 'Use 1 or more, or null.').max(1_000_000)
export const Seconds = z.int().min(1, 'Use 1 or more.').max(SECONDS_MAX)

const Entitlements = list(Line(64), {
  max: ENTITLEMENTS_MAX,
  error: `Send at most ${ENTITLEMENTS_MAX} entitlements.`,
})

const Metadata = map(z.string().min(1).max(64), z.unknown(), { max: METADATA_KEYS_MAX })
  .refine(
    (metadata) => depthOf(metadata) <= METADATA_DEPTH_MAX,
    `Nest at most ${METADATA_DEPTH_MAX} levels.`,
  )
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX,
    withRule(`Use at most ${METADATA_BYTES_MAX} bytes.`, {
      rule: 'max_bytes',
      limit: METADATA_BYTES_MAX,
    }),
  )

const depthOf = (value: unknown): number =>
  value !== null && typeof value === 'object'
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

/** The terms of a license. */
export const Terms = {
  level: Level.describe('The level, 0 to 1000. Strings, files and settings can require a minimum.'),
  entitlements: Entitlements.describe('The names of the features that the license includes.'),
  duration_seconds: Seconds.nullable().describe(
    'The duration of the license; null if it has no end.',
  ),
  expiry_basis: z.enum(EXPIRY_BASES).describe('The event that starts the duration.'),
  max_devices: Count.nullable().describe(
    'The number of devices that may use the license; null for no limit.',
  ),
  max_sessions: Count.nullable().describe('The number of concurrent sessions; null for no limit.'),
  device_resets_left: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe('The number of device resets left; null for no limit.'),
  reset_cooldown_seconds: z
    .int()
    .min(0)
    .max(SECONDS_MAX)
    .describe('The minimum time between two device resets.'),
  max_device_changes: z
    .int()
    .min(0)
    .max(DEVICE_CHANGES_MAX)
    .nullable()
    .describe(
      'The number of devices that the license holder may free within 30 days; null for no limit.',
    ),
}

const Annotations = {
  note: Text(1_000).nullable().describe('A note for the seller.'),
  metadata: Metadata.describe('Custom JSON, up to 16 KiB, 64 keys and 4 levels.'),
}

const Links = {
  product_id: Line(64)
    .nullable()
    .describe('The hash of the product with which the license was sold.'),
  variant_id: z.int().min(1).nullable().describe('The variant id.'),
  invoice_id: Line(64).nullable().describe('The order id.'),
  subscription_id: z.int().min(1).nullable().describe('The subscription that renews the license.'),
  customer_email: Email.nullable().describe('The email address of the license holder.'),
}

export const ListedLicenseKey = z
  .object({
    id: z.int().describe('The key id.'),
    object: z.literal('license_key').describe('Always `license_key`.'),
    app_id: z.int().describe('The app id.'),
    key_preview: z.string().describe('The last 5 characters of the key.'),
    status: z
      .enum(KEY_STATUSES)
      .describe('The first status that applies, in the order of the enum.'),
    ban_reason: z.string().nullable().describe('The reason of the ban, for the seller only.'),
    public_ban_reason: z
      .string()
      .nullable()
      .describe('The reason of the ban, as the license holder sees it.'),
    banned_at: DateTime.nullable().describe('The time when the key was banned.'),
    ban_expires_at: DateTime.nullable().describe(
      'The time when the ban ends; null if it has no end.',
    ),
    banned_by: z.int().nullable().describe('The API key that banned the license key.'),
    suspended_at: DateTime.nullable().describe('The time when the key was suspended.'),
    suspend_reason: z.string().nullable().describe('The reason of the suspension.'),
    ...Terms,
    ...Annotations,
    ...Links,
    expires_at: DateTime.nullable().describe(
      'The time when the license expires; null if it has no end or has not started.',
    ),
    devices_count: z.int().describe('The number of registered devices.'),
    last_reset_at: DateTime.nullable().describe('The time when the devices were last reset.'),
    first_activated_at: DateTime.nullable().describe(
      'The time when the license was first activated.',
    ),
    last_validated_at: DateTime.nullable().describe(
      'The time when the license was last validated, to the minute.',
    ),
    created_at: DateTime.describe('The time when the key was created.'),
    updated_at: DateTime.describe('The time when the key was last changed.'),
  })
  .meta({ id: 'ListedLicenseKey', description: 'A license key without its text.' })
export type ListedLicenseKey = z.output<typeof ListedLicenseKey>

export const LicenseKey = ListedLicenseKey.extend({
  key: z.string().describe('The text of the key, as the license holder enters it.'),
}).meta({ id: 'LicenseKey', description: 'A license key of a client program, with its text.' })
export type LicenseKey = z.output<typeof LicenseKey>

/** The fields of a new key, with their defaults. */
const NewFields = {
  level: Terms.level.default(0),
  entitlements: Terms.entitlements.default([]),
  duration_seconds: Terms.duration_seconds.default(null),
  expiry_basis: Terms.expiry_basis.default('creation'),
  max_devices: Terms.max_devices.default(null),
  max_sessions: Terms.max_sessions.default(null),
  device_resets_left: Terms.device_resets_left.default(null),
  reset_cooldown_seconds: Terms.reset_cooldown_seconds.default(RESET_COOLDOWN_S),
  max_device_changes: Terms.max_device_changes.default(null),
  expires_at: InputTime.nullable()
    .prefault(null)
    .describe('The time when the license expires. Send this or a duration, not both.'),
  note: Annotations.note.default(null),
  metadata: Annotations.metadata.default({}),
  product_id: Links.product_id.default(null),
  variant_id: Links.variant_id.default(null),
  invoice_id: Links.invoice_id.default(null),
  subscription_id: Links.subscription_id.default(null),
  customer_email: Links.customer_email.default(null),
}
const newFields = z.strictObject(NewFields)
export type NewTerms = z.output<typeof newFields>

/** Returns the terms of a license that is sold without a policy. */
export const defaultTerms = (): NewTerms => newFields.parse({})

const hasAtMostOneEnd = ({ expires_at, duration_seconds }: NewTerms) =>
  expires_at === null || duration_seconds === null
const ONE_END = { path: ['expires_at'], error: 'Send expires_at or duration_seconds, not both.' }

export const Prefix = Characters(16, /^[A-Za-z0-9]{1,16}$/, 'Use 1 to 16 ASCII letters and digits.')
const Mask = Line(128)
  .refine((mask) => /^[\x21-\x7e]+$/.test(mask), 'Use printable ASCII without spaces.')
  .refine(
    (mask) => countWildcards(mask) >= WILDCARDS_MIN,
    `Use at least ${WILDCARDS_MIN} wildcards (*). Keys with fewer could be guessed.`,
  )

export const NewLicenseKeys = z
  .strictObject({
    app_id: NewAppId,
    count: z
      .int()
      .min(1, 'Use 1 or more.')
      .max(KEYS_MAX, `Use at most ${KEYS_MAX}.`)
      .default(1)
      .describe('The number of keys, 1 to 1000. All are created or none.'),
    prefix: Prefix.optional().describe(
      'The prefix of each key, followed by a hyphen. Default: none.',
    ),
    mask: Mask.optional().describe(
      'The format of the key; each * becomes a random symbol. Default: five groups of five symbols.',
    ),
    ...NewFields,
  })
  .refine(hasAtMostOneEnd, ONE_END)
  .refine(({ prefix, mask }) => prefix === undefined || mask === undefined, {
    path: ['mask'],
    error: 'Send a prefix or a mask, not both.',
  })
  .meta({ id: 'LicenseKeysInput', description: 'New license keys.' })
export type NewLicenseKeys = z.output<typeof NewLicenseKeys>

const ImportedKey = z
  .strictObject({
    key: z
      .string()
      .trim()
      .min(1, 'Write at least one character.')
      .max(KEY_LENGTH_MAX, `Write at most ${KEY_LENGTH_MAX} characters.`)
      .refine((key) => !/\p{Cc}/u.test(key), 'Remove control characters.')
      .refine((key) => !key.includes(REPLACEMENT), WRONG_ENCODING)
      .describe('The text of the key, exactly as the license holder enters it.'),
    ...NewFields,
  })
  .refine(hasAtMostOneEnd, ONE_END)

export const ImportedLicenseKeys = z
  .strictObject({
    app_id: NewAppId,
    keys: list(ImportedKey, { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} keys.` })
      .min(1, 'Send at least one key.')
      .describe('The keys with their terms. All are imported or none.'),
  })
  .meta({ id: 'ImportedLicenseKeys', description: 'License keys that were generated elsewhere.' })
export type ImportedLicenseKeys = z.output<typeof ImportedLicenseKeys>

export const LicenseKeyPatch = z
  .strictObject({
    level: Terms.level,
    entitlements: Terms.entitlements,
    expires_at: InputTime.nullable().describe(
      'The time when the license expires; null if it has no end.',
    ),
    max_devices: Terms.max_devices,
    max_sessions: Terms.max_sessions,
    device_resets_left: Terms.device_resets_left,
    reset_cooldown_seconds: Terms.reset_cooldown_seconds,
    max_device_changes: Terms.max_device_changes,
    ...Annotations,
    suspended: z
      .boolean()
      .describe('True if the key is suspended. Suspending the key ends its sessions.'),
    suspend_reason: Line(255).nullable().describe('The reason of the suspension.'),
  })
  .partial()
  .meta({ id: 'LicenseKeyPatch', description: 'Changes to a license key.' })
export type LicenseKeyPatch = z.output<typeof LicenseKeyPatch>

export const LicenseKeyQuery = z.object({
  ...CursorQuery,
  app_id: PathId.optional().describe('Only keys of this app.'),
  status: OneOrMoreOf(KEY_STATUSES).describe(
    'Only keys with one of these statuses: `banned`, `suspended`, `expired`, `unused`, `active`.',
  ),
  level: z
    .string()
    .regex(/^\d{1,4}$/, 'Use 0 to 1000.')
    .transform(Number)
    .optional()
    .describe('Only keys of this level.')
    .meta({ openapi: { type: 'integer', minimum: 0, maximum: 1000 } }),
  product_id: Line(64).optional().describe('Only keys of this product.'),
  customer_email: Email.optional().describe('Only keys of this customer.'),
  key: Line(512)
    .optional()
    .describe('Only the key with this text, as the license holder enters it.'),
  created_after: InputTime.optional().describe('Only keys created at or after this moment.'),
  created_before: InputTime.optional().describe('Only keys created before this moment.'),
})
export type LicenseKeyQuery = z.output<typeof LicenseKeyQuery>
