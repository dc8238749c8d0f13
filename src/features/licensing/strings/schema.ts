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

/** Kept and given back byte for byte: nothing is trimmed. */
const Value = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX, 'Write at most 65536 bytes.')

const Fields = {
  name: HandleName.describe('What a program asks for it by, unique in the app.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The least level of the license; 0 unless `access` is `licensed`.'),
  description: Text(1_024).nullable().describe('A note of your own.'),
}

/** A string as lists show it: without its value. */
export const ListedString = z
  .object({
    id: z.int().describe('Of the string.'),
    object: z.literal('serverside_string').describe('Always `serverside_string`.'),
    app_id: z.int().describe('The app.'),
    ...Fields,
    status: Status.describe('An inactive string is not there for programs.'),
    value_bytes: z.int().describe('The size of the value.'),
    version: z.int().describe('Raised by every change; what `If-Match` compares.'),
    fetch_count: z.int().describe('How often programs read it.'),
    last_fetched_at: DateTime.nullable().describe('When a program last read it.'),
    created_at: DateTime.describe('When it was made.'),
    updated_at: DateTime.describe('When it was changed.'),
  })
  .meta({ id: 'ListedServersideString', description: 'A string without its value.' })
export type ListedString = z.output<typeof ListedString>

export const ServersideString = ListedString.extend({
  value: z.string().describe('Exactly as it was sent.'),
}).meta({ id: 'ServersideString', description: 'A text that programs fetch from the server.' })
export type ServersideString = z.output<typeof ServersideString>

export const NewString = z
  .strictObject({
    app_id: NewAppId,
    ...Fields,
    value: Value.describe('At most 65536 bytes of UTF-8.'),
    status: Status.default('active').describe('An inactive string is not there for programs.'),
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
    value: Value.describe('At most 65536 bytes of UTF-8.'),
    access: Fields.access.default('licensed'),
    min_level: Fields.min_level.default(0),
    description: Fields.description.default(null),
  })
  .refine(holdsTogether, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
  .meta({ id: 'ServersideStringContent', description: 'All that a string says.' })
export type StringContent = z.output<typeof StringContent>

export const StringStatus = z
  .strictObject({ status: Status.describe('`active` or `inactive`.') })
  .meta({ id: 'ServersideStringSwitch', description: 'On or off.' })

export const StringQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only of this app.'),
})
export type StringQuery = z.output<typeof StringQuery>
