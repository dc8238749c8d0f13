import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, PathId, ProductRef } from '../../../kernel/shapes.ts'
import { SortedIds } from '../../../kernel/sorted-ids.ts'
import { addFile, prepareFile } from './add-file.ts'
import { addMedia, prepareMedia } from './add-media.ts'
import { deleteFile } from './delete-file.ts'
import { deleteMedia } from './delete-media.ts'
import { orderMedia } from './order-media.ts'
import {
  FILE_MAX,
  FileForm,
  MEDIA_MAX,
  Media,
  MediaForm,
  MediaPatch,
  NewFile,
  NewMedia,
  ProductFile,
} from './schema.ts'
import { sectionEndpoints } from './section-endpoints.ts'
import { listFiles } from './show-files.ts'
import { listMedia } from './show-media.ts'
import { updateMedia } from './update-media.ts'

const ProductPath = z.object({ id: ProductRef })
const MediaPath = ProductPath.extend({
  media_id: PathId.describe('The id of the picture or video.'),
})
const FilePath = ProductPath.extend({ file_id: PathId.describe('The id of the file.') })

const OneMedia = z.object({ media: Media.describe('The picture or video.') })
const AllMedia = z.object({
  media: z.array(Media).describe('All pictures and videos of the product, by position.'),
})

const mediaEndpoints = [
  endpoint({
    id: 'media.list',
    method: 'GET',
    path: '/products/:id/media',
    permission: 'products:read',
    summary: 'List the pictures and videos of a product, by position.',
    params: ProductPath,
    response: AllMedia,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => listMedia(context, params.id),
  }),
  endpoint({
    id: 'media.create',
    method: 'POST',
    path: '/products/:id/media',
    permission: 'products:write',
    summary: 'Add a picture or a video to a product, by URL or as an upload.',
    description:
      'An upload can be a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file of at most 50 MiB. A picture with a URL is fetched and stored; it can have at most 10 MiB. The first image is the main image.',
    params: ProductPath,
    body: NewMedia,
    upload: { max_bytes: FILE_MAX, form: MediaForm },
    example: { url: 'https://cdn.example.com/editor.png', is_main: true },
    status: 201,
    response: OneMedia,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
    audit: { action: 'media.create', object: 'product' },
    prepare: ({ context, params, body, file }) => prepareMedia(context, params.id, body, file),
    handle: ({ context, params, body, prepared }) => addMedia(context, params.id, body, prepared),
  }),
  endpoint({
    id: 'media.order',
    method: 'PUT',
    path: '/products/:id/media/order',
    permission: 'products:write',
    summary: 'Sort the pictures and videos of a product.',
    params: ProductPath,
    body: SortedIds(MEDIA_MAX).meta({ id: 'MediaOrderInput' }),
    example: { ids: [8, 7] },
    response: AllMedia,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'media.order', object: 'product' },
    handle: ({ context, params, body }) => orderMedia(context, params.id, body.ids),
  }),
  endpoint({
    id: 'media.update',
    method: 'PATCH',
    path: '/products/:id/media/:media_id',
    permission: 'products:write',
    summary: 'Make an image the main image, or change the details of a picture or video.',
    params: MediaPath,
    body: MediaPatch,
    example: { is_main: true, meta: { alt: 'The editor, with a photo open' } },
    response: OneMedia,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'media.update', object: 'product' },
    handle: ({ context, params, body }) => updateMedia(context, params.id, params.media_id, body),
  }),
  endpoint({
    id: 'media.delete',
    method: 'DELETE',
    path: '/products/:id/media/:media_id',
    permission: 'products:write',
    summary:
      'Delete a picture or video. If it was the main image, the next image becomes the main image.',
    params: MediaPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted record.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'media.delete', object: 'product' },
    handle: ({ context, params }) => deleteMedia(context, params.id, params.media_id),
  }),
]

const fileEndpoints = [
  endpoint({
    id: 'files.list',
    method: 'GET',
    path: '/products/:id/files',
    permission: 'products:read',
    summary: 'List the files of a product, each with a download URL that is valid for 15 minutes.',
    params: ProductPath,
    response: z.object({
      files: z.array(ProductFile).describe('The files of the product, the oldest first.'),
    }),
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => listFiles(context, params.id),
  }),
  endpoint({
    id: 'files.create',
    method: 'POST',
    path: '/products/:id/files',
    permission: 'products:write',
    summary: 'Add a file to a product or to one variant of it.',
    description:
      'Send a file of at most 50 MiB as multipart/form-data, or a small file as base64 in JSON.',
    params: ProductPath,
    body: NewFile,
    upload: { max_bytes: FILE_MAX, form: FileForm },
    example: { name: 'manual.txt', content_base64: 'SGVsbG8h', mime_type: 'text/plain' },
    status: 201,
    response: z.object({ file: ProductFile.describe('The file.') }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
    audit: { action: 'file.create', object: 'product' },
    prepare: ({ context, params, body, file }) => prepareFile(context, params.id, body, file),
    handle: ({ context, params, body, prepared }) => addFile(context, params.id, body, prepared),
  }),
  endpoint({
    id: 'files.delete',
    method: 'DELETE',
    path: '/products/:id/files/:file_id',
    permission: 'products:write',
    summary: 'Delete a file.',
    params: FilePath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted file.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'file.delete', object: 'product' },
    handle: ({ context, params }) => deleteFile(context, params.id, params.file_id),
  }),
]

export const contentEndpoints = [...mediaEndpoints, ...sectionEndpoints, ...fileEndpoints]
