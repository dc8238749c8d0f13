import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted } from '../../../kernel/shapes.ts'
import { deleteReply, listReplies, saveReply, updateReply } from './change-replies.ts'
import { NewSavedReply, SavedReply, SavedReplyPatch, SavedReplyPath } from './schema.ts'

const OneReply = z.object({ saved_reply: SavedReply })
const EXAMPLE = { name: 'Try again', body: 'Please try it again now.' }

/** Saved replies to tickets, which only the dashboard has. */
export const savedReplyEndpoints = [
  endpoint({
    id: 'saved_replies.list',
    method: 'GET',
    path: '/saved-replies',
    permission: 'tickets:read',
    summary: 'List the saved replies of the store by name.',
    response: z.object({
      saved_replies: z.array(SavedReply).describe('All saved replies, at most 200.'),
    }),
    errors: [],
    handle: async ({ context }) => ({ saved_replies: await listReplies(context) }),
  }),
  endpoint({
    id: 'saved_replies.create',
    method: 'POST',
    path: '/saved-replies',
    permission: 'tickets:write',
    summary: 'Save a reply to tickets under a name.',
    body: NewSavedReply,
    example: EXAMPLE,
    status: 201,
    response: OneReply,
    errors: ['INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'saved_reply.create', object: 'saved_reply' },
    handle: async ({ context, body }) => ({ saved_reply: await saveReply(context, body) }),
  }),
  endpoint({
    id: 'saved_replies.update',
    method: 'PATCH',
    path: '/saved-replies/:id',
    permission: 'tickets:write',
    summary: 'Change the name or the text of a saved reply.',
    params: SavedReplyPath,
    body: SavedReplyPatch,
    example: { body: EXAMPLE.body },
    response: OneReply,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'saved_reply.update', object: 'saved_reply' },
    handle: async ({ context, params, body }) => ({
      saved_reply: await updateReply(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'saved_replies.delete',
    method: 'DELETE',
    path: '/saved-replies/:id',
    permission: 'tickets:write',
    summary: 'Delete a saved reply.',
    params: SavedReplyPath,
    response: z.object({ id: z.int().describe('The id of the saved reply.'), ...Deleted }),
    errors: ['NOT_FOUND'],
    audit: { action: 'saved_reply.delete', object: 'saved_reply' },
    async handle({ context, params }) {
      await deleteReply(context, params.id)
      return { id: params.id, deleted: true as const }
    },
  }),
]
