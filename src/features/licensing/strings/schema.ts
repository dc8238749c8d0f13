import { z } from 'zod'
import { withRule } from '../../../kernel/broken-rule.ts'
import {
  ACCESS_TEXT,
  Access,
  HandleName,
  isLevelAllowed,
  LEVEL_NEEDS_LICENSE,
  Level,
  NewAppId,
  Status,
} from '../../../kernel/client-shapes.ts'
import { DateTime, PageQuery, PathId, Text } from '../../../kernel/shapes.ts'

const VALUE_BYTES_MAX = 65_536

const VALUE_TEXT = `The value: at most ${VALUE_BYTES_MAX} bytes of UTF-8.`

/** White space is not trimmed, because programs get the value byte for byte. */
const Value = z.string().refine(
  (text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX,
  withRule(`Write at most ${VALUE_BYTES_MAX} bytes.`, {
    rule: 'max_bytes',
    limit: VALUE_BYTES_MAX,
  }),
)

const Fields = {
  name: HandleName.describe('The name by which programs read the string, unique in the app.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The minimum level of the license; 0 unless `access` is `licensed`.'),
  description: Text(1_024).nullable().describe('A note for the seller.'),
}

export const ListedString = z
  .object({
    id: z.int().describe('The string id.'),
    object: z.literal('serverside_string').describe('Always `serverside_string`.'),
    app_id: z.int().describe('The app id.'),
    ...Fields,
    status: Status.describe('Programs cannot read an inactive string.'),
    value_bytes: z.int().describe('The size of the value in bytes.'),
    version: z.int().describe('The version for `If-Match`. Every change increases it.'),
    fetch_count: z.int().describe('The number of reads by programs.'),
    last_fetched_at: DateTime.nullable().describe(
      'The time at which a program last read the string.',
    ),
    created_at: DateTime.describe('The time at which the string was created.'),
    updated_at: DateTime.describe('The time of the last change of the string.'),
  })
  .meta({ id: 'ListedServersideString', description: 'A string without its value.' })
export type ListedString = z.output<typeof ListedString>

export const ServersideString = ListedString.extend({
  value: z.string().describe('The value, exactly as it was sent.'),
}).meta({ id: 'ServersideString', description: 'A text that programs fetch from the server.' })
export type ServersideString = z.output<typeof ServersideString>

export const NewString = z
  .strictObject({
    app_id: NewAppId,
    ...Fields,
    value: Value.describe(VALUE_TEXT),
    status: Status.default('active').describe('Programs cannot read an inactive string.'),
    access: Fields.access.default('licensed'),
    min_level: Fields.min_level.default(0),
    description: Fields.description.default(null),
  })
  .refine(isLevelAllowed, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
  .meta({ id: 'ServersideStringInput', description: 'A new string.' })
export type NewString = z.output<typeof NewString>

export const StringContent = z
  .strictObject({
    ...Fields,
    value: Value.describe(VALUE_TEXT),
    access: Fields.access.default('licensed'),
    min_level: Fields.min_level.default(0),
    description: Fields.description.default(null),
  })
  .refine(isLevelAllowed, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
  .meta({
    id: 'ServersideStringContent',
    description: 'The fields of a server-side string, without its status.',
  })
export type StringContent = z.output<typeof StringContent>

export const StringStatus = z
  .strictObject({ status: Status.describe('`active` or `inactive`.') })
  .meta({ id: 'ServersideStringSwitch', description: 'The status of a server-side string.' })

export const StringQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only strings of this app.'),
})
export type StringQuery = z.output<typeof StringQuery>

export const StringVersion = z
  .object({
    version: z.int().describe('The number of the version.'),
    ...Fields,
    status: Status.describe('Programs cannot read an inactive string.'),
    value: z.string().describe('The value of this version.'),
    created_at: DateTime.describe('The time at which this version was saved.'),
  })
  .meta({ id: 'StringVersion', description: 'The content of a string at a version.' })
export type StringVersion = z.output<typeof StringVersion>
