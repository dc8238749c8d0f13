import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, PathId } from '../../../kernel/shapes.ts'
import { deleteView, listViews, saveView, updateView } from './save-view.ts'
import * as s from './schema.ts'

const ViewPath = z.object({ id: PathId.describe('The id of the saved view.') })
const OneView = z.object({ saved_view: s.SavedView })
const EXAMPLE = { page: 'orders', name: 'To refund', query: 'status=paid&refund_status=none' }

/** A saved view belongs to a user in a store, so users of every role may change their views. */
export const savedViewEndpoints = [
  endpoint({
    id: 'saved_views.list',
    method: 'GET',
    path: '/saved-views',
    permission: 'account:read',
    summary: 'List your saved views in this store.',
    query: s.SavedViewQuery,
    response: z.object({
      saved_views: z.array(s.SavedView).describe('All saved views, at most 50, the oldest first.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ saved_views: await listViews(context, query.page) }),
  }),
  endpoint({
    id: 'saved_views.create',
    method: 'POST',
    path: '/saved-views',
    permission: 'account:read',
    summary: 'Save the filters of a list under a name.',
    body: s.NewSavedView,
    example: EXAMPLE,
    status: 201,
    response: OneView,
    errors: ['INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'saved_view.create', object: 'saved_view' },
    handle: async ({ context, body }) => ({ saved_view: await saveView(context, body) }),
  }),
  endpoint({
    id: 'saved_views.update',
    method: 'PATCH',
    path: '/saved-views/:id',
    permission: 'account:read',
    summary: 'Rename a saved view, or change its filters.',
    params: ViewPath,
    body: s.SavedViewPatch,
    example: { name: EXAMPLE.name },
    response: OneView,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'saved_view.update', object: 'saved_view' },
    handle: async ({ context, params, body }) => ({
      saved_view: await updateView(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'saved_views.delete',
    method: 'DELETE',
    path: '/saved-views/:id',
    permission: 'account:read',
    summary: 'Delete a saved view.',
    params: ViewPath,
    response: z.object({ id: z.int().describe('The id of the saved view.'), ...Deleted }),
    errors: ['NOT_FOUND'],
    audit: { action: 'saved_view.delete', object: 'saved_view' },
    async handle({ context, params }) {
      await deleteView(context, params.id)
      return { id: params.id, deleted: true as const }
    },
  }),
]
