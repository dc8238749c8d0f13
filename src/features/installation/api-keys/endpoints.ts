import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { createStoreKey, listKeys, revokeStoreKey, rollKey, updateKey } from './manage-keys.ts'
import { ApiKeyPatch, CreateKey, KEY_EXAMPLE, ListedApiKey, RollKey } from './schema.ts'

const KeyPath = z.object({ id: PathId.describe('The id of the key.') })
const Key = z.string().describe('The secret text of the key. It is not shown again.')

/** The API keys of a store. Only the dashboard mounts these endpoints (decision 134). */
export const apiKeyEndpoints = [
  endpoint({
    id: 'api_keys.list',
    method: 'GET',
    path: '/api-keys',
    permission: 'account:read',
    summary: 'List the API keys of this store, newest first.',
    response: z.object({
      api_keys: z.array(ListedApiKey).describe('All keys of the store, including revoked ones.'),
    }),
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
    response: z.object({ api_key: ListedApiKey, key: Key }),
    errors: ['STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
    audit: { action: 'api_key.create', object: 'api_key' },
    handle: ({ context, body }) => createStoreKey(context, body),
  }),
  endpoint({
    id: 'api_keys.update',
    method: 'PATCH',
    path: '/api-keys/:id',
    permission: 'account:write',
    summary: 'Rename a key, remove permissions, or change its allowed addresses or expiry.',
    params: KeyPath,
    body: ApiKeyPatch,
    example: { permissions: KEY_EXAMPLE.permissions },
    response: z.object({ api_key: ListedApiKey }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'api_key.update', object: 'api_key' },
    handle: async ({ context, params, body }) => ({
      api_key: await updateKey(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'api_keys.roll',
    method: 'POST',
    path: '/api-keys/:id/roll',
    permission: 'account:write',
    summary:
      'Replace a key with a new one that has the same permissions. The new key is shown once.',
    params: KeyPath,
    body: RollKey,
    example: { mode: 'overlap' },
    status: 201,
    response: z.object({ api_key: ListedApiKey, key: Key }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'api_key.roll', object: 'api_key' },
    handle: ({ context, params, body }) => rollKey(context, params.id, body),
  }),
  endpoint({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: '/api-keys/:id',
    permission: 'account:write',
    summary: 'Revoke a key permanently.',
    params: KeyPath,
    response: z.object({ api_key: ListedApiKey }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE'],
    audit: { action: 'api_key.revoke', object: 'api_key' },
    handle: async ({ context, params }) => ({ api_key: await revokeStoreKey(context, params.id) }),
  }),
]
