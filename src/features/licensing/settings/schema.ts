import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { withRule } from '../../../kernel/broken-rule.ts'
import {
  ACCESS_TEXT,
  Access,
  isLevelAllowed,
  LEVEL_NEEDS_LICENSE,
  Level,
  NewAppId,
  Status,
} from '../../../kernel/client-shapes.ts'
import { isRefusedKey } from '../../../kernel/json.ts'
import { Characters, DateTime, PageQuery, PathId, Text } from '../../../kernel/shapes.ts'

const TYPES = ['boolean', 'integer', 'number', 'string', 'json'] as const
export type SettingType = (typeof TYPES)[number]

export const VALUE_BYTES_MAX = 65_536
export const SETTINGS_MAX = 1_000
const PATTERN_MAX = 512
const ENUM_MAX = 100
const PROPERTIES_MAX = 100

const Count = z.int().min(0).max(VALUE_BYTES_MAX)

/** The subset of JSON Schema that settings may use. It has no patterns and no references. */
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
        type: z
          .enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
          .describe('The type. Default: any type.'),
        enum: list(z.unknown(), { max: ENUM_MAX })
          .min(1)
          .describe('The allowed values. Default: all values.'),
        properties: map(z.string().min(1).max(256), ValueSchema, { max: PROPERTIES_MAX }).describe(
          'The schemas of the properties of an object. Default: none.',
        ),
        required: list(z.string(), { max: PROPERTIES_MAX }).describe(
          'The properties that an object must have. Default: none.',
        ),
        additionalProperties: z
          .boolean()
          .describe('False to refuse properties without a schema. Default: `true`.'),
        items: z
          .lazy(() => ValueSchema)
          .describe('The schema of the items of an array. Default: none.'),
        minItems: Count.describe('The minimum number of items of an array. Default: none.'),
        maxItems: Count.describe('The maximum number of items of an array. Default: none.'),
        minimum: z.number().describe('The minimum of a number. Default: none.'),
        maximum: z.number().describe('The maximum of a number. Default: none.'),
        minLength: Count.describe('The minimum length of a string. Default: none.'),
        maxLength: Count.describe('The maximum length of a string. Default: none.'),
      })
      .partial(),
  )
  .meta({
    id: 'ValueSchema',
    description: 'A subset of JSON Schema, without patterns and references.',
  })

export const Constraints = z
  .strictObject({
    enum: list(z.unknown(), { max: ENUM_MAX })
      .min(1)
      .describe('The allowed values. Default: all values of the type.'),
    min: z.number().describe('The minimum of an integer or a number. Default: none.'),
    max: z.number().describe('The maximum of an integer or a number. Default: none.'),
    pattern: z
      .string()
      .min(1)
      .max(PATTERN_MAX)
      .describe(
        'The pattern of a string: an RE2 regular expression, which has no back references. Its number of instructions times the length of the text is at most 1,000,000. Default: none.',
      ),
    max_length: Count.describe('The maximum length of a string, in characters. Default: none.'),
    schema: z
      .unknown()
      .pipe(ValueSchema)
      .describe('The schema of a JSON value: a subset of JSON Schema. Default: none.'),
  })
  .partial()
  .meta({
    id: 'SettingConstraints',
    description: 'The constraints of a value, in addition to its type.',
  })
export type Constraints = z.output<typeof Constraints>

const Key = Characters(
  256,
  /^[A-Za-z_][A-Za-z0-9_.-]{0,255}$/,
  'Start with a letter or _. Then use letters, digits, _ . and -.',
).refine(
  (key) => !isRefusedKey(key),
  'This key is a property of every JavaScript object. Use another key.',
)

const Fields = {
  key: Key.describe('The key by which programs read the setting, unique in the app.'),
  type: z.enum(TYPES).describe('The type of the value.'),
  value: z.unknown().describe('The value. It must have the type in `type`.'),
  default_value: z.unknown().describe('The fallback value, of the same type; null for none.'),
  constraints: Constraints.describe('The constraints of the value, in addition to its type.'),
  status: Status.describe('Programs cannot read an inactive setting.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The minimum level of the license; 0 unless `access` is `licensed`.'),
  description: Text(1_024).nullable().describe('A note for the seller.'),
}

/** `z.unknown()` alone would accept a missing field. */
const RequiredValue = z
  .unknown()
  .refine((value) => value !== undefined, withRule('This field is required.', { rule: 'required' }))

export const RemoteSetting = z
  .object({
    id: z.int().describe('The setting id.'),
    object: z.literal('remote_setting').describe('Always `remote_setting`.'),
    app_id: z.int().describe('The app id.'),
    ...Fields,
    version: z.int().describe('The version for `If-Match`. Every change increases it.'),
    created_at: DateTime.describe('The time when the setting was created.'),
    updated_at: DateTime.describe('The time when the setting was last changed.'),
  })
  .meta({ id: 'RemoteSetting', description: 'A value that programs read from the server.' })
export type RemoteSetting = z.output<typeof RemoteSetting>

export const SettingVersion = RemoteSetting.omit({
  id: true,
  app_id: true,
  key: true,
  updated_at: true,
})
  .extend({
    object: z.literal('remote_setting_version').describe('Always `remote_setting_version`.'),
    actor_key_id: z
      .int()
      .nullable()
      .describe('The API key that saved this version; null for a user.'),
    actor_name: z
      .string()
      .nullable()
      .describe('The name of the user or the API key at that time; null if it is not known.'),
  })
  .meta({ id: 'RemoteSettingVersion', description: 'An old or current version of a setting.' })
export type SettingVersion = z.output<typeof SettingVersion>

const NewFields = {
  key: Fields.key,
  type: Fields.type,
  value: RequiredValue.describe('The value. It must have the type in `type`.'),
  default_value: z.unknown().default(null).describe('The fallback value, of the same type.'),
  constraints: Fields.constraints.default({}),
  status: Fields.status.default('active'),
  access: Fields.access.default('licensed'),
  min_level: Fields.min_level.default(0),
  description: Fields.description.default(null),
}

const levelCheck = { path: ['min_level'], error: LEVEL_NEEDS_LICENSE }

export const NewSetting = z
  .strictObject({ app_id: NewAppId, ...NewFields })
  .refine(isLevelAllowed, levelCheck)
  .meta({ id: 'RemoteSettingInput', description: 'A new setting.' })
export type NewSetting = z.output<typeof NewSetting>

export const SettingPatch = z
  .strictObject(Fields)
  .partial()
  .meta({ id: 'RemoteSettingPatch', description: 'Changes to a setting.' })
export type SettingPatch = z.output<typeof SettingPatch>

export const AllSettings = z
  .strictObject({
    app_id: NewAppId,
    settings: list(z.strictObject(NewFields).refine(isLevelAllowed, levelCheck), {
      max: SETTINGS_MAX,
      error: `Send at most ${SETTINGS_MAX} settings.`,
    }).describe('The new settings. Settings that are not in the list are deleted.'),
  })
  .meta({ id: 'AllRemoteSettings', description: 'All settings of an app.' })
export type AllSettings = z.output<typeof AllSettings>

export const Rollback = z
  .strictObject({ version: z.int().min(1).describe('The version to restore.') })
  .meta({ id: 'SettingRollback', description: 'The version to restore.' })

export const SettingQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only settings of this app.'),
})
export type SettingQuery = z.output<typeof SettingQuery>
