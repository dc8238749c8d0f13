import { z } from 'zod'
import {
  ACCESS_TEXT,
  Access,
  AppId,
  HandleName,
  holdsTogether,
  LEVEL_NEEDS_LICENSE,
  Level,
  Status,
} from '../../../kernel/client-shapes.ts'
import { DateTime, PageQuery, PathId } from '../../../kernel/shapes.ts'

export const FILE_BYTES_MAX = 100 * 1024 * 1024

/** The name to save the file under. It is never part of a storage path. */
const Filename = z
  .string()
  .min(1, 'Write at least one character.')
  .max(255, 'Write at most 255 characters.')
const ContentType = z
  .string()
  .regex(/^[\w!#$&^.+-]{1,63}\/[\w!#$&^.+-]{1,63}$/, 'Use a type such as application/zip.')

const Fields = {
  name: HandleName.describe('The name that programs fetch the file by, unique in the app.'),
  filename: Filename.describe('The name to save the file under.'),
  content_type: ContentType.describe('The content type, as the seller sent it.'),
  status: Status.describe('Programs cannot fetch an inactive file.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The minimum level of the license; 0 unless `access` is `licensed`.'),
}

export const ServersideFile = z
  .object({
    id: z.int().describe('The file id.'),
    object: z.literal('serverside_file').describe('Always `serverside_file`.'),
    app_id: z.int().describe('The app id.'),
    ...Fields,
    upload_state: z
      .enum(['uploading', 'ready', 'failed', 'deleting'])
      .describe('The state of the bytes in storage.'),
    size_bytes: z.int().describe('The size in bytes.'),
    sha256: z.string().describe('The SHA-256 of its bytes, in hex.'),
    storage: z.enum(['local', 's3']).describe('The storage that holds the bytes.'),
    version: z.int().describe('The version for `If-Match`; raised by every change.'),
    download_count: z.int().describe('The number of downloads by programs.'),
    last_downloaded_at: DateTime.nullable().describe('When a program last downloaded the file.'),
    created_at: DateTime.describe('When the file was created.'),
    updated_at: DateTime.describe('When the file was last changed.'),
  })
  .meta({ id: 'ServersideFile', description: 'A file that programs fetch from the server.' })
export type ServersideFile = z.output<typeof ServersideFile>

/** A number in a form, where every field is text. */
const digits = z
  .string()
  .regex(/^\d{1,16}$/, 'Use digits.')
  .transform(Number)

export const FileForm = z
  .strictObject({
    app_id: digits
      .pipe(AppId)
      .optional()
      .meta({ openapi: { type: 'integer', minimum: 1 } })
      .describe('The app id; by default the default app of the store.'),
    name: Fields.name,
    filename: Fields.filename.optional(),
    content_type: Fields.content_type.optional(),
    status: Fields.status.default('active'),
    access: Fields.access.default('licensed'),
    min_level: digits.pipe(Level).default(0).describe('The minimum level of the license.'),
  })
  .refine(holdsTogether, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
export type FileForm = z.output<typeof FileForm>

export const ContentForm = z.strictObject({
  filename: Fields.filename.optional(),
  content_type: Fields.content_type.optional(),
})
export type ContentForm = z.output<typeof ContentForm>

export const FilePatch = z
  .strictObject(Fields)
  .partial()
  .meta({ id: 'ServersideFilePatch', description: 'Changes to the metadata of a file.' })
export type FilePatch = z.output<typeof FilePatch>

export const FileQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only files of this app.'),
})
export type FileQuery = z.output<typeof FileQuery>
