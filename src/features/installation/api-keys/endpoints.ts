import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { createStoreKey, listKeys, revokeStoreKey, rollKey, updateKey } from './manage-keys.ts'
import { CreateKey, KEY_EXAMPLE, KeyPatch, ListedKey, RollKey } from './schema.ts'

const KeyPath = z.object({ id: PathId.describe('Key id.') })
const Key = z.string().describe('The key itself; it is not shown again.')

/** API keys of a store, in the dashboard only (decision 134). */
export const apiKeyEndpoints = [
  endpoint({
    id: 'api_keys.list',
    method: 'GET',
    path: '/api-keys',
    permission: 'account:read',
    summary: 'List the API keys that open this store, the newest first.',
    response: z.object({ api_keys: z.array(ListedKey).describe('Revoked ones too.') }),
    errors: [],
    handle: async ({ context }) => ({ api_keys: await listKeys(context) }),
  }),
  endpoint({
    id: 'api_keys.create',
    method: 'POST',
    path: '/api-keys',
    permission: 'account:write',
    summary: 'Create an API key for this store. It is shown once.',
    body: CreateKey,
    example: KEY_EXAMPLE,
    status: 201,
    response: z.object({ api_key: ListedKey, key: Key }),
    errors: ['STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
    handle: ({ context, body }) => createStoreKey(context, body),
  }),
  endpoint({
    id: 'api_keys.update',
    method: 'PATCH',
    path: '/api-keys/:id',
    permission: 'account:write',
    summary: 'Rename a key, take permissions away, or change its addresses or its end.',
    params: KeyPath,
    body: KeyPatch,
    example: { permissions: KEY_EXAMPLE.permissions },
    response: z.object({ api_key: ListedKey }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      api_key: await updateKey(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'api_keys.roll',
    method: 'POST',
    path: '/api-keys/:id/roll',
    permission: 'account:write',
    summary: 'Replace a key by one with the same permissions. The new one is shown once.',
    params: KeyPath,
    body: RollKey,
    example: { mode: 'overlap' },
    status: 201,
    response: z.object({ api_key: ListedKey, key: Key }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => rollKey(context, params.id, body),
  }),
  endpoint({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: '/api-keys/:id',
    permission: 'account:write',
    summary: 'Revoke a key, for good.',
    params: KeyPath,
    response: z.object({ api_key: ListedKey }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE'],
    handle: async ({ context, params }) => ({ api_key: await revokeStoreKey(context, params.id) }),
  }),
]
