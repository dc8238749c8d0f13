import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted } from '../../../kernel/shapes.ts'
import { addPhoto, deletePhoto, listPhotos, preparePhoto } from './change-photos.ts'
import {
  PHOTO_BYTES_MAX,
  PhotoForm,
  PhotoPath,
  PhotosPath,
  ReturnPhoto,
  ReturnPhotos,
} from './schema.ts'

/** Photos of a return, which only the dashboard has. */
export const returnPhotoEndpoints = [
  endpoint({
    id: 'return_photos.list',
    method: 'GET',
    path: '/returns/:id/photos',
    permission: 'returns:read',
    summary: 'List the photos of a return.',
    params: PhotosPath,
    response: z.object({ photos: ReturnPhotos }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ photos: await listPhotos(context, params.id) }),
  }),
  endpoint({
    id: 'return_photos.create',
    method: 'POST',
    path: '/returns/:id/photos',
    permission: 'returns:write',
    summary: 'Add a photo to a return, as a multipart upload.',
    description: 'A PNG, JPEG, GIF, WebP or AVIF image of at most 10 MiB, as the field `file`.',
    params: PhotosPath,
    body: PhotoForm,
    upload: { max_bytes: PHOTO_BYTES_MAX, form: PhotoForm },
    example: {},
    status: 201,
    response: z.object({ photo: ReturnPhoto }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
    audit: { action: 'return_photo.create', object: 'return' },
    prepare: ({ context, params, file }) => preparePhoto(context, params.id, file),
    handle: async ({ context, params, prepared }) => ({
      photo: await addPhoto(context, params.id, prepared),
    }),
  }),
  endpoint({
    id: 'return_photos.delete',
    method: 'DELETE',
    path: '/returns/:id/photos/:photo_id',
    permission: 'returns:write',
    summary: 'Delete a photo of a return.',
    params: PhotoPath,
    response: z.object({ id: z.int().describe('The id of the photo.'), ...Deleted }),
    errors: ['NOT_FOUND'],
    audit: { action: 'return_photo.delete', object: 'return' },
    async handle({ context, params }) {
      await deletePhoto(context, params.id, params.photo_id)
      return { id: params.photo_id, deleted: true as const }
    },
  }),
]
