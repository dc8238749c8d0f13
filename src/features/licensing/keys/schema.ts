import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { CursorQuery, Level, NewAppId } from '../../../kernel/client-shapes.ts'
import {
  DateTime,
  Email,
  Line,
  OneOrMoreOf,
  PathId,
  QueryTime,
  Text,
} from '../../../kernel/shapes.ts'
import { countWildcards, WILDCARDS_MIN } from './key-text.rules.ts'

export const KEYS_MAX = 1_000
export const KEY_LENGTH_MAX = 255
export const KEY_STATUSES = ['banned', 'suspended', 'expired', 'unused', 'active'] as const
const EXPIRY_BASES = ['creation', 'first_activation'] as const

const ENTITLEMENTS_MAX = 64
const METADATA_KEYS_MAX = 64
const METADATA_BYTES_MAX = 16 * 1024
const METADATA_DEPTH_MAX = 4
export const SECONDS_MAX = 100 * 366 * 86_400
export const RESET_COOLDOWN_S = 604_800
export const DEVICE_CHANGES_MAX = 1_000

const Count = z.int().min(1, 'Use 1 or more, or null.').max(1_000_000)
export const Seconds = z.int().min(1, 'Use 1 or more.').max(SECONDS_MAX)

const Entitlements = list(Line(64), {
  max: ENTITLEMENTS_MAX,
  error: `Send at most ${ENTITLEMENTS_MAX} entitlements.`,
})

const Metadata = map(z.string().min(1).max(64), z.unknown(), { max: METADATA_KEYS_MAX })
  .refine((metadata) => depthOf(metadata) <= METADATA_DEPTH_MAX, 'Nest at most 4 levels.')
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX,
    'Use at most 16384 bytes.',
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
    'How long the license is valid; null if it has no end.',
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
    .describe('The minimum time between two resets.'),
  max_device_changes: z
    .int()
    .min(0)
    .max(DEVICE_CHANGES_MAX)
    .nullable()
    .describe('How often the license holder may free a device within 30 days; null for no limit.'),
}

const Annotations = {
  note: Text(1_000).nullable().describe('A note for the seller.'),
  metadata: Metadata.describe('Custom JSON, up to 16 KiB, 64 keys and 4 levels.'),
}

const Links = {
  product_id: Line(64)
    .nullable()
    .describe('The hash of the product that the license was sold with.'),
  variant_id: z.int().min(1).nullable().describe('The variant id.'),
  invoice_id: Line(64).nullable().describe('The order id.'),
  subscription_id: z.int().min(1).nullable().describe('The subscription that renews the license.'),
  customer_email: Email.nullable().describe('The email address of the license holder.'),
}

export const ListedKey = z
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
    banned_at: DateTime.nullable().describe('When the key was banned.'),
    ban_expires_at: DateTime.nullable().describe('When the ban ends; null if it has no end.'),
    banned_by: z.int().nullable().describe('The API key that banned the license key.'),
    suspended_at: DateTime.nullable().describe('When the key was suspended.'),
    suspend_reason: z.string().nullable().describe('The reason of the suspension.'),
    ...Terms,
    ...Annotations,
    ...Links,
    expires_at: DateTime.nullable().describe(
      'When the license expires; null if it has no end or has not started.',
    ),
    devices_count: z.int().describe('The number of registered devices.'),
    last_reset_at: DateTime.nullable().describe('When the devices were last reset.'),
    first_activated_at: DateTime.nullable().describe('When the license was first activated.'),
    last_validated_at: DateTime.nullable().describe(
      'When the license was last validated, to the minute.',
    ),
    created_at: DateTime.describe('When the key was created.'),
    updated_at: DateTime.describe('When the key was last changed.'),
  })
  .meta({ id: 'ListedLicenseKey', description: 'A license key without its text.' })
export type ListedKey = z.output<typeof ListedKey>

export const LicenseKey = ListedKey.extend({
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
  expires_at: DateTime.nullable()
    .default(null)
    .describe('When the license expires; an alternative to a duration.'),
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

/** The terms of a license that was sold without a policy. */
export const defaultTerms = (): NewTerms => newFields.parse({})

const oneEnd = ({ expires_at, duration_seconds }: NewTerms) =>
  expires_at === null || duration_seconds === null
const ONE_END = { path: ['expires_at'], error: 'Send expires_at or duration_seconds, not both.' }

export const Prefix = z
  .string()
  .regex(/^[A-Za-z0-9]{1,16}$/, 'Use 1 to 16 ASCII letters and digits.')
const Mask = Line(128)
  .refine((mask) => /^[\x21-\x7e]+$/.test(mask), 'Use printable ASCII without spaces.')
  .refine(
    (mask) => countWildcards(mask) >= WILDCARDS_MIN,
    `Use at least ${WILDCARDS_MIN} wildcards (*): fewer could be guessed.`,
  )

export const NewKeys = z
  .strictObject({
    app_id: NewAppId,
    count: z
      .int()
      .min(1, 'Use 1 or more.')
      .max(KEYS_MAX, `Use at most ${KEYS_MAX}.`)
      .default(1)
      .describe('The number of keys, 1 to 1000. All are created or none.'),
    prefix: Prefix.optional().describe('The prefix of each key, followed by a hyphen.'),
    mask: Mask.optional().describe('The format of the key; each * becomes a random symbol.'),
    ...NewFields,
  })
  .refine(oneEnd, ONE_END)
  .refine(({ prefix, mask }) => prefix === undefined || mask === undefined, {
    path: ['mask'],
    error: 'Send a prefix or a mask, not both.',
  })
  .meta({ id: 'NewLicenseKeys', description: 'New license keys.' })
export type NewKeys = z.output<typeof NewKeys>

const ImportedKey = z
  .strictObject({
    key: z
      .string()
      .trim()
      .min(1, 'Write at least one character.')
      .max(KEY_LENGTH_MAX, `Write at most ${KEY_LENGTH_MAX} characters.`)
      .refine((key) => !/\p{Cc}/u.test(key), 'Remove control characters.')
      .describe('The text of the key, exactly as the license holder enters it.'),
    ...NewFields,
  })
  .refine(oneEnd, ONE_END)

export const ImportedKeys = z
  .strictObject({
    app_id: NewAppId,
    keys: list(ImportedKey, { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} keys.` })
      .min(1, 'Send at least one key.')
      .describe('The keys with their terms. All are imported or none.'),
  })
  .meta({ id: 'ImportedLicenseKeys', description: 'License keys that were generated elsewhere.' })
export type ImportedKeys = z.output<typeof ImportedKeys>

export const KeyPatch = z
  .strictObject({
    level: Terms.level,
    entitlements: Terms.entitlements,
    expires_at: DateTime.nullable().describe('When the license expires; null if it has no end.'),
    max_devices: Terms.max_devices,
    max_sessions: Terms.max_sessions,
    device_resets_left: Terms.device_resets_left,
    reset_cooldown_seconds: Terms.reset_cooldown_seconds,
    max_device_changes: Terms.max_device_changes,
    ...Annotations,
    suspended: z.boolean().describe('True if the key is suspended. Suspending ends its sessions.'),
    suspend_reason: Line(255).nullable().describe('The reason of the suspension.'),
  })
  .partial()
  .meta({ id: 'LicenseKeyPatch', description: 'Changes to a license key.' })
export type KeyPatch = z.output<typeof KeyPatch>

export const KeyQuery = z.object({
  ...CursorQuery,
  app_id: PathId.optional().describe('Only keys of this app.'),
  status: OneOrMoreOf(KEY_STATUSES).describe(
    '`banned`, `suspended`, `expired`, `unused`, `active`.',
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
  key: Line(512).optional().describe('The text of the key, as the license holder enters it.'),
  created_after: QueryTime.optional().describe('Only keys created at or after this moment.'),
  created_before: QueryTime.optional().describe('Only keys created before this moment.'),
})
export type KeyQuery = z.output<typeof KeyQuery>
