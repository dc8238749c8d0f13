import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import {
  ACCESS_TEXT,
  Access,
  holdsTogether,
  LEVEL_NEEDS_LICENSE,
  Level,
  NewAppId,
  Status,
} from '../../../kernel/client-shapes.ts'
import { isRefusedKey } from '../../../kernel/json.ts'
import { DateTime, PageQuery, PathId, Text } from '../../../kernel/shapes.ts'

export const TYPES = ['boolean', 'integer', 'number', 'string', 'json'] as const
export type SettingType = (typeof TYPES)[number]

export const VALUE_BYTES_MAX = 65_536
export const SETTINGS_MAX = 1_000
const PATTERN_MAX = 512
const ENUM_MAX = 100
const PROPERTIES_MAX = 100

const Count = z.int().min(0).max(VALUE_BYTES_MAX)

/** The part of JSON Schema that settings may use: it checks in one walk, without patterns. */
export interface ValueSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  enum?: unknown[]
  properties?: Record<string, ValueSchema>
  required?: string[]
  additionalProperties?: boolean
  items?: ValueSchema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

const ValueSchema: z.ZodType<ValueSchema> = z
  .lazy(() =>
    z
      .strictObject({
        type: z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']),
        enum: list(z.unknown(), { max: ENUM_MAX }).min(1),
        properties: map(z.string().min(1).max(256), ValueSchema, { max: PROPERTIES_MAX }),
        required: list(z.string(), { max: PROPERTIES_MAX }),
        additionalProperties: z.boolean(),
        items: ValueSchema,
        minItems: Count,
        maxItems: Count,
        minimum: z.number(),
        maximum: z.number(),
        minLength: Count,
        maxLength: Count,
      })
      .partial(),
  )
  .meta({ id: 'ValueSchema', description: 'A part of JSON Schema, checked in one walk.' })

export const Constraints = z
  .strictObject({
    enum: list(z.unknown(), { max: ENUM_MAX }).min(1).describe('The only values there are.'),
    min: z.number().describe('Of an integer or a number.'),
    max: z.number().describe('Of an integer or a number.'),
    pattern: z
      .string()
      .min(1)
      .max(PATTERN_MAX)
      .describe(
        'Of a string: a regular expression of RE2, which has no back references. Its instructions times the characters of the text are at most 1,000,000.',
      ),
    max_length: Count.describe('Of a string, in characters.'),
    schema: z.unknown().pipe(ValueSchema).describe('Of JSON: a part of JSON Schema.'),
  })
  .partial()
  .meta({ id: 'SettingConstraints', description: 'What a value must be beside its type.' })
export type Constraints = z.output<typeof Constraints>

const Key = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_.-]{0,255}$/,
    'Begin with a letter or _; then letters, digits, _ . and -.',
  )
  .refine((key) => !isRefusedKey(key), 'This name reaches into prototypes; use another.')

const Fields = {
  key: Key.describe('What programs know it by, unique in the app.'),
  type: z.enum(TYPES).describe('What the value is.'),
  value: z.unknown().describe('The value, of its type.'),
  default_value: z.unknown().describe('A value of the same type to fall back to; null for none.'),
  constraints: Constraints.describe('What the value must be beside its type.'),
  status: Status.describe('An inactive setting is not there for programs.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The least level of the license; 0 unless `access` is `licensed`.'),
  description: Text(1_024).nullable().describe('A note of your own.'),
}

/** A value must be said, even where it may be anything. */
const Said = z.unknown().refine((value) => value !== undefined, 'This field is required.')

export const RemoteSetting = z
  .object({
    id: z.int().describe('Of the setting.'),
    object: z.literal('remote_setting').describe('Always `remote_setting`.'),
    app_id: z.int().describe('The app.'),
    ...Fields,
    version: z.int().describe('Raised by every change; what `If-Match` compares.'),
    created_at: DateTime.describe('When it was made.'),
    updated_at: DateTime.describe('When it was changed.'),
  })
  .meta({ id: 'RemoteSetting', description: 'A value that programs read, changed from here.' })
export type RemoteSetting = z.output<typeof RemoteSetting>

export const SettingVersion = RemoteSetting.omit({
  id: true,
  app_id: true,
  key: true,
  updated_at: true,
})
  .extend({
    object: z.literal('remote_setting_version').describe('Always `remote_setting_version`.'),
    actor_key_id: z.int().nullable().describe('The API key that made it.'),
  })
  .meta({ id: 'RemoteSettingVersion', description: 'What a setting was.' })
export type SettingVersion = z.output<typeof SettingVersion>

const Written = {
  key: Fields.key,
  type: Fields.type,
  value: Said.describe('The value, of its type.'),
  default_value: z.unknown().default(null).describe('A value of the same type to fall back to.'),
  constraints: Fields.constraints.default({}),
  status: Fields.status.default('active'),
  access: Fields.access.default('licensed'),
  min_level: Fields.min_level.default(0),
  description: Fields.description.default(null),
}

const level = { path: ['min_level'], error: LEVEL_NEEDS_LICENSE }

export const NewSetting = z
  .strictObject({ app_id: NewAppId, ...Written })
  .refine(holdsTogether, level)
  .meta({ id: 'NewRemoteSetting', description: 'A new setting.' })
export type NewSetting = z.output<typeof NewSetting>

export const SettingPatch = z
  .strictObject(Fields)
  .partial()
  .meta({ id: 'RemoteSettingPatch', description: 'Changes of a setting.' })
export type SettingPatch = z.output<typeof SettingPatch>

export const AllSettings = z
  .strictObject({
    app_id: NewAppId,
    settings: list(z.strictObject(Written).refine(holdsTogether, level), {
      max: SETTINGS_MAX,
      error: `Send at most ${SETTINGS_MAX} settings.`,
    }).describe('All settings that there are from now on.'),
  })
  .meta({ id: 'AllRemoteSettings', description: 'All settings of an app.' })
export type AllSettings = z.output<typeof AllSettings>

export const Rollback = z
  .strictObject({ version: z.int().min(1).describe('The version whose content comes back.') })
  .meta({ id: 'SettingRollback', description: 'Which version comes back.' })

export const SettingQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only of this app.'),
})
export type SettingQuery = z.output<typeof SettingQuery>
