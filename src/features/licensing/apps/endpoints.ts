import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, RecordPath } from '../../../kernel/client-shapes.ts'
import { PageQuery, Pagination } from '../../../kernel/shapes.ts'
import { createApp } from './create-app.ts'
import { deleteApp } from './delete-app.ts'
import { AppPatch, ClientApp, NewApp, NewSigningKey, SigningKey } from './schema.ts'
import { getApp, listApps } from './show-apps.ts'
import { listSigningKeys, rotateSigningKey } from './signing-keys.ts'
import { updateApp } from './update-app.ts'

const ChangedApp = z.object({ app: ClientApp, message: Message })

export const appEndpoints = [
  endpoint({
    id: 'apps.list',
    method: 'GET',
    path: '/apps',
    permission: 'client_security:read',
    summary: 'List apps, newest first.',
    query: z.object(PageQuery),
    response: z.object({
      apps: z.array(ClientApp).describe('A page of apps.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listApps(context, query),
  }),
  endpoint({
    id: 'apps.create',
    method: 'POST',
    path: '/apps',
    permission: 'client_security:write',
    summary: 'Create an app with its first signing key.',
    body: NewApp,
    example: { name: 'Photo editor' },
    status: 201,
    response: ChangedApp,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'app.create', object: 'client_app' },
    handle: async ({ context, caller, body }) => ({
      app: await createApp(context, caller, body),
      message: 'The app was created.',
    }),
  }),
  endpoint({
    id: 'apps.get',
    method: 'GET',
    path: '/apps/:id',
    permission: 'client_security:read',
    summary: 'Get an app.',
    params: RecordPath,
    response: z.object({ app: ClientApp }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ app: await getApp(context, params.id) }),
  }),
  endpoint({
    id: 'apps.update',
    method: 'PATCH',
    path: '/apps/:id',
    permission: 'client_security:write',
    summary: 'Update an app. Fields you leave out keep their value.',
    params: RecordPath,
    body: AppPatch,
    example: { min_version: '1.4' },
    response: ChangedApp,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'app.update', object: 'client_app' },
    handle: async ({ context, caller, params, body }) => ({
      app: await updateApp(context, caller, params.id, body),
      message: 'The app was updated.',
    }),
  }),
  endpoint({
    id: 'apps.delete',
    method: 'DELETE',
    path: '/apps/:id',
    permission: 'client_security:write',
    summary: 'Delete an app with its strings and settings.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'app.delete', object: 'client_app' },
    handle: async ({ context, caller, params }) => {
      await deleteApp(context, caller, params.id)
      return { message: 'The app was deleted.' }
    },
  }),
  endpoint({
    id: 'apps.list_signing_keys',
    method: 'GET',
    path: '/apps/:id/signing-keys',
    permission: 'client_security:read',
    summary: "List the public halves of an app's signing keys.",
    params: RecordPath,
    response: z.object({
      signing_keys: z.array(SigningKey).describe('All signing keys of the app.'),
    }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      signing_keys: await listSigningKeys(context, params.id),
    }),
  }),
  endpoint({
    id: 'apps.rotate_signing_key',
    method: 'POST',
    path: '/apps/:id/signing-keys',
    permission: 'client_security:write',
    summary: 'Create a new signing key. The old keys stay trusted for `overlap_seconds`.',
    params: RecordPath,
    body: NewSigningKey,
    example: { starts_in_seconds: 0 },
    status: 201,
    response: z.object({ signing_key: SigningKey, message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'app.rotate_signing_key', object: 'client_app' },
    handle: async ({ context, caller, params, body }) => ({
      signing_key: await rotateSigningKey(context, caller, params.id, body),
      message: 'The signing key was replaced.',
    }),
  }),
]
