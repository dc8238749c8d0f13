import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, RecordPath } from '../../../kernel/client-shapes.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { createString } from './create-string.ts'
import {
  ListedString,
  NewString,
  ServersideString,
  StringContent,
  StringQuery,
  StringStatus,
} from './schema.ts'
import { deleteString, listStrings, strings } from './string-records.ts'
import { replaceString, switchString } from './update-string.ts'

const ChangedString = z.object({ serverside_string: ServersideString, message: Message })
const STATUS_TEXTS = {
  active: 'The server-side string is active.',
  inactive: 'The server-side string is inactive.',
}

export const stringEndpoints = [
  endpoint({
    id: 'serverside_strings.list',
    method: 'GET',
    path: '/serverside-strings',
    permission: 'client_security:read',
    summary: 'List server-side strings without their values, newest first.',
    query: StringQuery,
    response: z.object({
      serverside_strings: z.array(ListedString).describe('A page of strings.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listStrings(context, query),
  }),
  endpoint({
    id: 'serverside_strings.create',
    method: 'POST',
    path: '/serverside-strings',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Create a server-side string.',
    body: NewString,
    example: { name: 'endpoint', value: 'https://game.example.com/v2' },
    status: 201,
    response: ChangedString,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_string.create', object: 'serverside_string' },
    handle: async ({ context, caller, body }) => ({
      serverside_string: await createString(context, caller, body),
      message: 'The server-side string was created.',
    }),
  }),
  endpoint({
    id: 'serverside_strings.get',
    method: 'GET',
    path: '/serverside-strings/:id',
    permission: 'client_security:read',
    hasValues: true,
    summary: 'Get a server-side string with its value.',
    params: RecordPath,
    response: z.object({ serverside_string: ServersideString }),
    errors: ['NOT_FOUND'],
    audit: { action: 'serverside_string.get', object: 'serverside_string' },
    handle: async ({ context, params }) => ({
      serverside_string: await strings.get(context, params.id),
    }),
  }),
  endpoint({
    id: 'serverside_strings.replace',
    method: 'PUT',
    path: '/serverside-strings/:id',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Replace the content of a server-side string. Its status stays unchanged.',
    params: RecordPath,
    body: StringContent,
    example: { name: 'endpoint', value: 'https://game.example.com/v3' },
    response: ChangedString,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_string.replace', object: 'serverside_string' },
    handle: async ({ context, caller, params, body, version }) => ({
      serverside_string: await replaceString(context, caller, { id: params.id, version }, body),
      message: 'The server-side string was updated.',
    }),
  }),
  endpoint({
    id: 'serverside_strings.switch',
    method: 'PATCH',
    path: '/serverside-strings/:id',
    permission: 'client_security:write',
    summary: 'Activate or deactivate a server-side string.',
    params: RecordPath,
    body: StringStatus,
    example: { status: 'inactive' },
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'serverside_string.switch', object: 'serverside_string' },
    handle: async ({ context, caller, params, body, version }) => {
      await switchString(context, caller, { id: params.id, version }, body.status)
      return { message: STATUS_TEXTS[body.status] }
    },
  }),
  endpoint({
    id: 'serverside_strings.delete',
    method: 'DELETE',
    path: '/serverside-strings/:id',
    permission: 'client_security:write',
    summary: 'Delete a server-side string.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'serverside_string.delete', object: 'serverside_string' },
    handle: async ({ context, caller, params, version }) => {
      await deleteString(context, caller, { id: params.id, version })
      return { message: 'The server-side string was deleted.' }
    },
  }),
]
