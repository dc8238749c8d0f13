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
  error: `Send at most ${ENTITLEMENTS_MAX}.`,
})

const Metadata = map(z.string().min(1).max(64), z.unknown(), { max: METADATA_KEYS_MAX })
  .refine((all) => depthOf(all) <= METADATA_DEPTH_MAX, 'Nest at most 4 levels.')
  .refine(
    (all) => Buffer.byteLength(JSON.stringify(all)) <= METADATA_BYTES_MAX,
    'Use at most 16384 bytes.',
  )

const depthOf = (value: unknown): number =>
  value !== null && typeof value === 'object'
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

/** What a license lets its holder do. */
export const Terms = {
  level: Level.describe('What strings, files and settings are compared with, 0 to 1000.'),
  entitlements: Entitlements.describe('Names of what it includes.'),
  duration_seconds: Seconds.nullable().describe('How long it lasts; null is without end.'),
  expiry_basis: z.enum(EXPIRY_BASES).describe('What the duration begins with.'),
  max_devices: Count.nullable().describe('Machines it may be used on; null is without limit.'),
  max_sessions: Count.nullable().describe('Programs at once; null is without limit.'),
  device_resets_left: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe('How often its devices may still be freed; null is without limit.'),
  reset_cooldown_seconds: z
    .int()
    .min(0)
    .max(SECONDS_MAX)
    .describe('The least time between two resets.'),
  max_device_changes: z
    .int()
    .min(0)
    .max(DEVICE_CHANGES_MAX)
    .nullable()
    .describe('How often its holder may free a device within 30 days; null is without limit.'),
}

const UsageLog = {
  note: Text(1_000).nullable().describe('A note of your own.'),
  metadata: Metadata.describe('Up to 16 KiB of JSON of your own: 64 keys, 4 levels.'),
}

const Links = {
  product_id: Line(64).nullable().describe('The hash of the product it was sold with.'),
  variant_id: z.int().min(1).nullable().describe('The variant.'),
  invoice_id: Line(64).nullable().describe('The order.'),
  subscription_id: z.int().min(1).nullable().describe('The subscription that renews it.'),
  customer_email: Email.nullable().describe('Whose it is.'),
}

export const ListedKey = z
  .object({
    id: z.int().describe('Of the key.'),
    object: z.literal('license_key').describe('Always `license_key`.'),
    app_id: z.int().describe('The app.'),
    key_preview: z.string().describe('The last 5 characters.'),
    status: z.enum(KEY_STATUSES).describe('The first that applies, in this order.'),
    ban_reason: z.string().nullable().describe('Why it is banned; for yourself.'),
    public_ban_reason: z.string().nullable().describe('Why, as its holder is told.'),
    banned_at: DateTime.nullable().describe('When it was banned.'),
    ban_expires_at: DateTime.nullable().describe('Until when; null is without end.'),
    banned_by: z.int().nullable().describe('The API key that banned it.'),
    suspended_at: DateTime.nullable().describe('When it was suspended.'),
    suspend_reason: z.string().nullable().describe('Why it is suspended.'),
    ...Terms,
    ...UsageLog,
    ...Links,
    expires_at: DateTime.nullable().describe('Its end; null is without end, or not begun yet.'),
    devices_count: z.int().describe('Machines that use it.'),
    last_reset_at: DateTime.nullable().describe('When its devices were last freed.'),
    first_activated_at: DateTime.nullable().describe('When it was first used.'),
    last_validated_at: DateTime.nullable().describe('When it was last checked, to the minute.'),
    created_at: DateTime.describe('When it was made.'),
    updated_at: DateTime.describe('When it was changed.'),
  })
  .meta({ id: 'ListedLicenseKey', description: 'A license key without its text.' })
export type ListedKey = z.output<typeof ListedKey>

export const LicenseKey = ListedKey.extend({
  key: z.string().describe('What the holder enters.'),
}).meta({ id: 'LicenseKey', description: "What a seller's program is checked against." })
export type LicenseKey = z.output<typeof LicenseKey>

/** What a new key is where the seller does not say. */
const Made = {
  level: Terms.level.default(0),
  entitlements: Terms.entitlements.default([]),
  duration_seconds: Terms.duration_seconds.default(null),
  expiry_basis: Terms.expiry_basis.default('creation'),
  max_devices: Terms.max_devices.default(null),
  max_sessions: Terms.max_sessions.default(null),
  device_resets_left: Terms.device_resets_left.default(null),
  reset_cooldown_seconds: Terms.reset_cooldown_seconds.default(RESET_COOLDOWN_S),
  max_device_changes: Terms.max_device_changes.default(null),
  expires_at: DateTime.nullable().default(null).describe('Its end, instead of a duration.'),
  note: UsageLog.note.default(null),
  metadata: UsageLog.metadata.default({}),
  product_id: Links.product_id.default(null),
  variant_id: Links.variant_id.default(null),
  invoice_id: Links.invoice_id.default(null),
  subscription_id: Links.subscription_id.default(null),
  customer_email: Links.customer_email.default(null),
}
const made = z.strictObject(Made)
export type NewTerms = z.output<typeof made>

/** A license as it is sold where the seller says nothing of it. */
export const defaultTerms = (): NewTerms => made.parse({})

const oneEnd = ({ expires_at, duration_seconds }: NewTerms) =>
  expires_at === null || duration_seconds === null
const ONE_END = { path: ['expires_at'], error: 'Send expires_at or duration_seconds, not both.' }

export const Prefix = z
  .string()
  .regex(/^[A-Za-z0-9]{1,16}$/, 'Use 1 to 16 letters and digits of ASCII.')
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
      .describe('How many, 1 to 1000: all, or none.'),
    prefix: Prefix.optional().describe('Stands before the key, with a hyphen.'),
    mask: Mask.optional().describe('The form of the key; each * becomes a symbol.'),
    ...Made,
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
      .describe('What its holder enters, exactly.'),
    ...Made,
  })
  .refine(oneEnd, ONE_END)

export const ImportedKeys = z
  .strictObject({
    app_id: NewAppId,
    keys: list(ImportedKey, { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} keys.` })
      .min(1, 'Send at least one key.')
      .describe('Keys from elsewhere, with what they allow: all, or none.'),
  })
  .meta({ id: 'ImportedLicenseKeys', description: 'Keys that were made elsewhere.' })
export type ImportedKeys = z.output<typeof ImportedKeys>

export const KeyPatch = z
  .strictObject({
    level: Terms.level,
    entitlements: Terms.entitlements,
    expires_at: DateTime.nullable().describe('Its end; null is without end.'),
    max_devices: Terms.max_devices,
    max_sessions: Terms.max_sessions,
    device_resets_left: Terms.device_resets_left,
    reset_cooldown_seconds: Terms.reset_cooldown_seconds,
    max_device_changes: Terms.max_device_changes,
    ...UsageLog,
    suspended: z.boolean().describe('Whether it rests; its sessions end.'),
    suspend_reason: Line(255).nullable().describe('Why it is suspended.'),
  })
  .partial()
  .meta({ id: 'LicenseKeyPatch', description: 'Changes of a key.' })
export type KeyPatch = z.output<typeof KeyPatch>

export const KeyQuery = z.object({
  ...CursorQuery,
  app_id: PathId.optional().describe('Only of this app.'),
  status: OneOrMoreOf(KEY_STATUSES).describe(
    '`banned`, `suspended`, `expired`, `unused`, `active`.',
  ),
  level: z
    .string()
    .regex(/^\d{1,4}$/, 'Use 0 to 1000.')
    .transform(Number)
    .optional()
    .describe('Only of this level.')
    .meta({ openapi: { type: 'integer', minimum: 0, maximum: 1000 } }),
  product_id: Line(64).optional().describe('Only of this product.'),
  customer_email: Email.optional().describe('Only of this customer.'),
  key: Line(512).optional().describe('The key itself, as its holder may write it.'),
  created_after: QueryTime.optional().describe('From then on.'),
  created_before: QueryTime.optional().describe('Before then.'),
})
export type KeyQuery = z.output<typeof KeyQuery>
