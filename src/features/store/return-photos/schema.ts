import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, PathId } from '../../../kernel/shapes.ts'

/** The maximum size of a photo, in bytes. */
export const PHOTO_BYTES_MAX = 10 * 1024 * 1024
/** The maximum number of photos of a return. */
export const PHOTOS_MAX = 20

export const ReturnPhoto = z
  .object({
    id: z.int().describe('The id of the photo.'),
    url: z
      .string()
      .describe('The URL of the photo. It cannot be guessed, and opens without a sign-in.'),
    created_at: DateTime.describe('The time at which the photo was added.'),
  })
  .meta({ id: 'ReturnPhoto', description: 'A photo of the items of a return.' })
export type ReturnPhoto = z.output<typeof ReturnPhoto>

export const ReturnPhotos = list(ReturnPhoto, { max: PHOTOS_MAX }).describe(
  'The photos of the return, the oldest first.',
)

/** The photo is the file of the form, which has no other fields. */
export const PhotoForm = z.strictObject({})

export const PhotosPath = z.object({ id: PathId.describe('The id of the return.') })
export const PhotoPath = PhotosPath.extend({
  photo_id: PathId.describe('The id of the photo.'),
})
