import { z } from 'zod'
import { map } from '../../../kernel/bounded.ts'
import { DateTime, HttpUrl, IdText, Line, Text } from '../../../kernel/shapes.ts'
import { Media } from '../products/index.ts'

export { Media }

/** Most bytes of an upload to the Store API. */
export const FILE_MAX = 50 * 1024 * 1024
/** Most bytes of a picture that is fetched from an address. */
export const FETCHED_MAX = 10 * 1024 * 1024
export const MEDIA_MAX = 50
export const FILES_MAX = 100

const kind = z.enum(['image', 'video']).describe('The kind; detected for an upload.')
const isMain = z.boolean().describe('True for the main image of the product; a video cannot be it.')

export const NewMedia = z
  .strictObject({
    url: HttpUrl.describe(
      'The URL. A picture is fetched and stored; a video stays at its address.',
    ),
    kind: kind.default('image'),
    is_main: isMain.optional(),
  })
  .meta({ id: 'NewMedia' })

/** Beside an uploaded file. */
export const MediaForm = z.strictObject({
  kind: kind.optional(),
  is_main: z
    .enum(['true', 'false'], 'Use true or false.')
    .transform((text) => text === 'true')
    .optional()
    .describe('True for the main image of the product; a video cannot be it.'),
})

/** A picture or a video, by address or as an upload. */
export interface AddedMedia {
  url?: string | undefined
  kind?: 'image' | 'video' | undefined
  is_main?: boolean | undefined
}

const NOTES_MAX = 20

export const MediaPatch = z
  .strictObject({
    is_main: isMain,
    meta: map(Line(40), z.union([Text(500, 0), z.number(), z.boolean()]), {
      max: NOTES_MAX,
    }).describe('Details such as an alternative text; replaces all earlier ones.'),
  })
  .partial()
  .meta({ id: 'MediaPatch' })
export type MediaPatch = z.output<typeof MediaPatch>

export const ProductFile = z
  .object({
    id: z.int().describe('The id of the file.'),
    object: z.literal('product_file').describe('Always `product_file`.'),
    variant_id: z.int().nullable().describe('The id of the variant; null for all variants.'),
    name: z.string().describe('The name.'),
    size_bytes: z.int().describe('How large it is.'),
    mime_type: z.string().describe('The type that was sent with the upload.'),
    sha256: z.string().describe('Its checksum, in hex.'),
    download_url: z.string().describe('A signed address to download it from, for 15 minutes.'),
    created_at: DateTime.describe('When it was added.'),
  })
  .meta({ id: 'ProductFile', description: 'A file that buyers of a product download.' })
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
      .describe('The file name; folders are removed.'),
    content_base64: Base64.describe('The bytes. Send a larger file as multipart/form-data.'),
    mime_type: z
      .string()
      .max(127, 'Write at most 127 characters.')
      .optional()
      .describe('The kind.'),
    variant_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of the variant; all variants if omitted.'),
  })
  .meta({ id: 'NewProductFile' })

/** Beside an uploaded file. */
export const FileForm = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The file name; the name of the upload if omitted.'),
  variant_id: IdText('Use the id of a variant.')
    .optional()
    .describe('The id of the variant; all variants if omitted.'),
})

export interface AddedFile {
  name?: string | undefined
  content_base64?: string | undefined
  mime_type?: string | undefined
  variant_id?: number | undefined
}
