import { z } from 'zod'
import {
  ACCESS_TEXT,
  Access,
  AppId,
  HandleName,
  isLevelAllowed,
  LEVEL_NEEDS_LICENSE,
  Level,
  RecordPath,
  Status,
} from '../../../kernel/client-shapes.ts'
import { DateTime, DOT_NAME, isNoDotName, PageQuery, PathId } from '../../../kernel/shapes.ts'

export const FILE_BYTES_MAX = 100 * 1024 * 1024

/** The maximum number of former contents. With them a file may take six times its size in storage. */
export const FORMER_CONTENTS_MAX = 5

const FILENAME_TEXT = 'The name under which programs save the file.'
const UPLOADED_TYPE_TEXT =
  'The content type with which the file is served. Default: the type that the upload names, otherwise `application/octet-stream`.'

/** The name under which the file is saved. It is never part of a storage path. */
const Filename = z
  .string()
  .min(1, 'Write at least one character.')
  .max(255, 'Write at most 255 characters.')
  .refine(isNoDotName, DOT_NAME)
const ContentType = z
  .string()
  .regex(/^[\w!#$&^.+-]{1,63}\/[\w!#$&^.+-]{1,63}$/, 'Use a type such as application/zip.')

const Fields = {
  name: HandleName.describe('The name by which programs fetch the file, unique in the app.'),
  filename: Filename.describe(FILENAME_TEXT),
  content_type: ContentType.describe('The content type with which the file is served.'),
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
    sha256: z.string().describe('The SHA-256 of the bytes, in hex.'),
    storage: z.enum(['local', 's3']).describe('The storage of the bytes.'),
    version: z.int().describe('The version for `If-Match`. Every change increases it.'),
    download_count: z.int().describe('The number of downloads by programs.'),
    last_downloaded_at: DateTime.nullable().describe(
      'The time at which a program last downloaded the file.',
    ),
    created_at: DateTime.describe('The time at which the file was created.'),
    updated_at: DateTime.describe('The time of the last change of the file.'),
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
      .describe('The id of the app. Default: the default app of the store.'),
    name: Fields.name,
    filename: Fields.filename
      .optional()
      .describe(`${FILENAME_TEXT} Default: the name of the upload.`),
    content_type: Fields.content_type.optional().describe(UPLOADED_TYPE_TEXT),
    status: Fields.status.default('active'),
    access: Fields.access.default('licensed'),
    min_level: digits.pipe(Level).prefault('0').describe('The minimum level of the license.'),
  })
  .refine(isLevelAllowed, { path: ['min_level'], error: LEVEL_NEEDS_LICENSE })
export type FileForm = z.output<typeof FileForm>

export const ContentForm = z.strictObject({
  filename: Fields.filename
    .optional()
    .describe(`${FILENAME_TEXT} Default: the stored name is kept.`),
  content_type: Fields.content_type.optional().describe(UPLOADED_TYPE_TEXT),
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

export const FileVersion = z
  .object({
    version: z
      .int()
      .describe('The version of the file; for a former content, the last version that had it.'),
    filename: Fields.filename,
    content_type: Fields.content_type,
    size_bytes: z.int().describe('The size in bytes.'),
    sha256: z.string().describe('The SHA-256 of the bytes, in hex.'),
    replaced_at: DateTime.nullable().describe(
      'The time at which the content was replaced; null for the current content.',
    ),
    actor_key_id: z
      .int()
      .nullable()
      .describe(
        'The API key that replaced the content; null for a user and for the current content.',
      ),
    actor_name: z
      .string()
      .nullable()
      .describe('The name of the user or the API key at that time; null if it is not known.'),
  })
  .meta({ id: 'FileVersion', description: 'The content of a file at a version.' })
export type FileVersion = z.output<typeof FileVersion>

export const FileVersions = z.object({
  versions: z.array(FileVersion).describe('The contents, newest first.'),
  former_max: z.int().describe('The maximum number of former contents.'),
  former_bytes: z.int().describe('The bytes in storage that only former contents use.'),
})
export type FileVersions = z.output<typeof FileVersions>

export const FileVersionPath = RecordPath.extend({
  version: PathId.describe('The version of the file.'),
})

export const FileRollback = z
  .strictObject({ version: z.int().min(1).describe('The version of a former content.') })
  .meta({ id: 'FileRollback', description: 'The former content to restore.' })
