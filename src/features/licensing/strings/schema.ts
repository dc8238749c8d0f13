import { z } from 'zod'
import {
  ACCESS_TEXT,
  Access,
  HandleName,
  holdsTogether,
  LEVEL_NEEDS_LICENSE,
  Level,
  NewAppId,
  Status,
} from '../../../kernel/client-shapes.ts'
import { DateTime, PageQuery, PathId, Text } from '../../../kernel/shapes.ts'

const VALUE_BYTES_MAX = 65_536

/** Stored and returned byte for byte: white space is not trimmed. */
const Value = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX, 'Write at most 65536 bytes.')

const Fields = {
  name: HandleName.describe('The name that programs read the string by, unique in the app.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The minimum level of the license; 0 unless `access` is `licensed`.'),
  description: Text(1_024).nullable().describe('A note for the seller.'),
}

/** A string as lists show it: without its value. */
export const ListedString = z
  .object({
    id: z.int().describe('The string id.'),
    object: z.literal('serverside_string').describe('Always `serverside_string`.'),
    app_id: z.int().describe('The app id.'),
    ...Fields,
    status: Status.describe('Programs cannot read an inactive string.'),
    value_bytes: z.int().describe('The size of the value in bytes.'),
    version: z.int().describe('The version for `If-Match`; raised by every change.'),
    fetch_count: z.int().describe('The number of reads by programs.'),
    last_fetched_at: DateTime.nullable().describe('When a program last read the string.'),
    created_at: DateTime.describe('When the string was created.'),
    updated_at: DateTime.describe('When the string was last changed.'),
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
    value: Value.describe('The value: at most 65536 bytes of UTF-8.'),
    status: Status.default('active').describe('Programs cannot read an inactive string.'),
    access: Fields.access.default('licensed'),
    min_level: Fields.min_level.default(0),
    description: Fields.description.default(null),
  })
  .refine(holdsTogether, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
  .meta({ id: 'NewServersideString', description: 'A new string.' })
export type NewString = z.output<typeof NewString>

export const StringContent = z
  .strictObject({
    ...Fields,
    value: Value.describe('The value: at most 65536 bytes of UTF-8.'),
    access: Fields.access.default('licensed'),
    min_level: Fields.min_level.default(0),
    description: Fields.description.default(null),
  })
  .refine(holdsTogether, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
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
