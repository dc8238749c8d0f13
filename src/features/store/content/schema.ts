import { z } from 'zod'
import { map } from '../../../kernel/bounded.ts'
import {
  DateTime,
  DOT_NAME,
  HttpUrl,
  IdText,
  isNoDotName,
  Line,
  Text,
} from '../../../kernel/shapes.ts'
import { Media } from '../products/index.ts'

export { Media }

/** The maximum size of an upload, in bytes. */
export const FILE_MAX = 50 * 1024 * 1024
/** The maximum size of a picture that is fetched from a URL, in bytes. */
export const FETCHED_MAX = 10 * 1024 * 1024
export const MEDIA_MAX = 50
export const FILES_MAX = 100

const kind = z.enum(['image', 'video']).describe('The kind. It is detected for an upload.')
const MAIN_TEXT =
  'True for the main image of the product. A video cannot be the main image. Default: true for the first image of the product, otherwise false.'
const isMain = z
  .boolean()
  .describe('True for the main image of the product. A video cannot be the main image.')

export const NewMedia = z
  .strictObject({
    url: HttpUrl.describe(
      'The URL of the picture or video. A picture is fetched and stored. A video is not copied.',
    ),
    kind: kind.default('image'),
    is_main: isMain.optional().describe(MAIN_TEXT),
  })
  .meta({ id: 'MediaInput' })

/** The form fields next to an uploaded file. */
export const MediaForm = z.strictObject({
  kind: kind.optional().describe('The kind. Default: the kind of the file.'),
  is_main: z
    .enum(['true', 'false'], 'Use true or false.')
    .transform((text) => text === 'true')
    .optional()
    .describe(MAIN_TEXT),
})

/** A picture or a video, by URL or as an upload. */
export interface AddedMedia {
  url?: string | undefined
  kind?: 'image' | 'video' | undefined
  is_main?: boolean | undefined
}

const META_MAX = 20

export const MediaPatch = z
  .strictObject({
    is_main: isMain,
    meta: map(Line(40), z.union([Text(500, 0), z.number(), z.boolean()]), {
      max: META_MAX,
    }).describe('Details such as an alternative text. They replace all previous details.'),
  })
  .partial()
  .meta({ id: 'MediaPatch' })
export type MediaPatch = z.output<typeof MediaPatch>

export const ProductFile = z
  .object({
    id: z.int().describe('The id of the file.'),
    object: z.literal('product_file').describe('Always `product_file`.'),
    variant_id: z.int().nullable().describe('The id of the variant; null for all variants.'),
    name: z.string().describe('The name of the file.'),
    size_bytes: z.int().describe('The size in bytes.'),
    mime_type: z.string().describe('The media type that was sent with the upload.'),
    sha256: z.string().describe('The SHA-256 checksum in hexadecimal.'),
    download_url: z
      .string()
      .describe('A signed URL from which the file can be downloaded for 15 minutes.'),
    created_at: DateTime.describe('The time when the file was added.'),
  })
  .meta({ id: 'ProductFile', description: 'A file that buyers of a product can download.' })
export type ProductFile = z.output<typeof ProductFile>

const Base64 = z
  .string()
  .min(1, 'Write at least one character.')
  .refine(
    (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    'Use base64 with its padding.',
  )
  .meta({ pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' })

export const NewFile = z
  .strictObject({
    name: z
      .string()
      .min(1, 'Write at least one character.')
      .max(255, 'Write at most 255 characters.')
      .refine(isNoDotName, DOT_NAME)
      .describe('The file name; folders are removed.'),
    content_base64: Base64.describe(
      'The content in base64. Send a larger file as multipart/form-data.',
    ),
    mime_type: z
      .string()
      .max(127, 'Write at most 127 characters.')
      .optional()
      .describe('The media type. Default: `application/octet-stream`.'),
    variant_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of the variant. Default: all variants.'),
  })
  .meta({ id: 'ProductFileInput' })

/** The form fields next to an uploaded file. */
export const FileForm = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    .refine(isNoDotName, DOT_NAME)
    .optional()
    .describe('The file name. Default: the name of the upload.'),
  variant_id: IdText('Use the id of a variant.')
    .optional()
    .describe('The id of the variant. Default: all variants.'),
})

export interface AddedFile {
  name?: string | undefined
  content_base64?: string | undefined
  mime_type?: string | undefined
  variant_id?: number | undefined
}
