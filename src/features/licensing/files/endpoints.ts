import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, RecordPath } from '../../../kernel/client-shapes.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { deleteFile } from './delete-file.ts'
import { files, listFiles } from './file-records.ts'
import {
  ContentForm,
  FILE_BYTES_MAX,
  FileForm,
  FilePatch,
  FileQuery,
  ServersideFile,
} from './schema.ts'
import { updateFile } from './update-file.ts'
import { createFile, replaceContent, storeUpload } from './upload-file.ts'

const ChangedFile = z.object({ serverside_file: ServersideFile, message: Message })

export const fileEndpoints = [
  endpoint({
    id: 'serverside_files.list',
    method: 'GET',
    path: '/serverside-files',
    permission: 'client_security:read',
    summary: 'List server-side files, newest first.',
    query: FileQuery,
    response: z.object({
      serverside_files: z.array(ServersideFile).describe('A page of files.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listFiles(context, query),
  }),
  endpoint({
    id: 'serverside_files.create',
    method: 'POST',
    path: '/serverside-files',
    permission: 'client_security:write',
    summary: 'Upload a server-side file, as a form or as bare bytes with the fields in the query.',
    body: FileForm,
    upload: { max_bytes: FILE_BYTES_MAX, form: FileForm, bare: true },
    example: { name: 'plugin.bin' },
    status: 201,
    response: ChangedFile,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_file.create', object: 'serverside_file' },
    prepare: ({ context, file }) => storeUpload(context, file),
    handle: async ({ context, caller, body, prepared }) => ({
      serverside_file: await createFile(context, caller, body, prepared),
      message: 'The server-side file was created.',
    }),
  }),
  endpoint({
    id: 'serverside_files.get',
    method: 'GET',
    path: '/serverside-files/:id',
    permission: 'client_security:read',
    summary: 'Get the metadata of a server-side file.',
    params: RecordPath,
    response: z.object({ serverside_file: ServersideFile }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      serverside_file: await files.get(context, params.id),
    }),
  }),
  endpoint({
    id: 'serverside_files.update',
    method: 'PATCH',
    path: '/serverside-files/:id',
    permission: 'client_security:write',
    summary: 'Update the metadata of a server-side file. Fields you leave out keep their value.',
    params: RecordPath,
    body: FilePatch,
    example: { status: 'inactive' },
    response: ChangedFile,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_file.update', object: 'serverside_file' },
    handle: async ({ context, caller, params, body, version }) => ({
      serverside_file: await updateFile(context, caller, { id: params.id, version }, body),
      message: 'The server-side file was updated.',
    }),
  }),
  endpoint({
    id: 'serverside_files.replace_content',
    method: 'PUT',
    path: '/serverside-files/:id/content',
    permission: 'client_security:write',
    summary: 'Replace the bytes of a server-side file, as its next version.',
    params: RecordPath,
    body: ContentForm,
    upload: { max_bytes: FILE_BYTES_MAX, form: ContentForm, bare: true },
    example: {},
    response: ChangedFile,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_file.replace_content', object: 'serverside_file' },
    prepare: async ({ context, params, file }) => {
      await files.get(context, params.id)
      return storeUpload(context, file)
    },
    handle: async ({ context, caller, params: { id }, body, prepared: upload, version }) => ({
      serverside_file: await replaceContent(context, caller, { id, version, upload }, body),
      message: 'The bytes of the server-side file were replaced.',
    }),
  }),
  endpoint({
    id: 'serverside_files.delete',
    method: 'DELETE',
    path: '/serverside-files/:id',
    permission: 'client_security:write',
    audit: 'itself',
    summary: 'Delete a server-side file and its bytes permanently.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    handle: async ({ context, caller, params, version }) => {
      await deleteFile(context, caller, { id: params.id, version })
      return { message: 'The server-side file was deleted.' }
    },
  }),
]
