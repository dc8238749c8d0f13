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

/** What it is called when it is saved. It is shown, and never part of a path. */
const Filename = z
  .string()
  .min(1, 'Write at least one character.')
  .max(255, 'Write at most 255 characters.')
const ContentType = z
  .string()
  .regex(/^[\w!#$&^.+-]{1,63}\/[\w!#$&^.+-]{1,63}$/, 'Use a type such as application/zip.')

const Fields = {
  name: HandleName.describe('What a program asks for it by, unique in the app.'),
  filename: Filename.describe('What it is called when it is saved.'),
  content_type: ContentType.describe('What it is, as the seller says.'),
  status: Status.describe('An inactive file is not there for programs.'),
  access: Access.describe(ACCESS_TEXT),
  min_level: Level.describe('The least level of the license; 0 unless `access` is `licensed`.'),
}

export const ServersideFile = z
  .object({
    id: z.int().describe('Of the file.'),
    object: z.literal('serverside_file').describe('Always `serverside_file`.'),
    app_id: z.int().describe('The app.'),
    ...Fields,
    upload_state: z
      .enum(['uploading', 'ready', 'failed', 'deleting'])
      .describe('Whether its bytes are there.'),
    size_bytes: z.int().describe('How many bytes it has.'),
    sha256: z.string().describe('The SHA-256 of its bytes, in hex.'),
    storage: z.enum(['local', 's3']).describe('Where the bytes lie.'),
    version: z.int().describe('Raised by every change; what `If-Match` compares.'),
    download_count: z.int().describe('How often programs fetched it.'),
    last_downloaded_at: DateTime.nullable().describe('When a program last fetched it.'),
    created_at: DateTime.describe('When it was made.'),
    updated_at: DateTime.describe('When it was changed.'),
  })
  .meta({ id: 'ServersideFile', description: 'A file that programs fetch from the server.' })
export type ServersideFile = z.output<typeof ServersideFile>

/** Text fields of a form: numbers are written in digits. */
const digits = z
  .string()
  .regex(/^\d{1,16}$/, 'Use digits.')
  .transform(Number)

export const FileForm = z
  .strictObject({
    app_id: digits
      .pipe(AppId)
      .optional()
      .describe('The app; the default one where it is left out.'),
    name: Fields.name,
    filename: Fields.filename.optional(),
    content_type: Fields.content_type.optional(),
    status: Fields.status.default('active'),
    access: Fields.access.default('licensed'),
    min_level: digits.pipe(Level).default(0).describe('The least level of the license.'),
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
  .meta({ id: 'ServersideFilePatch', description: 'Changes of a file, apart from its bytes.' })
export type FilePatch = z.output<typeof FilePatch>

export const FileQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only of this app.'),
})
export type FileQuery = z.output<typeof FileQuery>
