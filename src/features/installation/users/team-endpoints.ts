import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, PathId } from '../../../kernel/shapes.ts'
import { changeRole, removeMember } from './change-team.ts'
import { invite, listInvitations, withdrawInvitation } from './invite.ts'
import { listTeam } from './list-team.ts'
import * as s from './schema.ts'

const UserPath = z.object({ id: PathId.describe('The id of the user.') })
const InvitationPath = z.object({ id: PathId.describe('The id of the invitation.') })

/** The team of a store. Only the dashboard mounts these endpoints (decision 134). */
export const teamEndpoints = [
  endpoint({
    id: 'team.list',
    method: 'GET',
    path: '/team',
    permission: 'account:read',
    summary: 'List the users with a role in this store.',
    response: z.object({ team: z.array(s.Member).describe('The team, the oldest user first.') }),
    errors: [],
    handle: async ({ context }) => ({ team: await listTeam(context) }),
  }),
  endpoint({
    id: 'team.update',
    method: 'PATCH',
    path: '/team/:id',
    permission: 'account:write',
    summary: 'Change the role of a user on both sides of the store.',
    params: UserPath,
    body: s.MemberPatch,
    example: { role: 'staff' },
    response: z.object({ member: s.Member }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'team.update', object: 'team' },
    handle: async ({ context, params, body }) => ({
      member: await changeRole(context, params.id, body.role),
    }),
  }),
  endpoint({
    id: 'team.remove',
    method: 'DELETE',
    path: '/team/:id',
    permission: 'account:write',
    summary: 'Remove a user from the team of this store.',
    params: UserPath,
    response: z.object({ id: z.int().describe('The id of the user.'), ...Deleted }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'INVALID_STATE'],
    audit: { action: 'team.remove', object: 'team' },
    async handle({ context, params }) {
      await removeMember(context, params.id)
      return { id: params.id, deleted: true as const }
    },
  }),
  endpoint({
    id: 'invitations.list',
    method: 'GET',
    path: '/invitations',
    permission: 'account:read',
    summary: 'List the invitations that are not accepted yet.',
    response: z.object({
      invitations: z.array(s.Invitation).describe('The open invitations, the oldest first.'),
    }),
    errors: [],
    handle: async ({ context }) => ({ invitations: await listInvitations(context) }),
  }),
  endpoint({
    id: 'invitations.create',
    method: 'POST',
    path: '/invitations',
    permission: 'account:write',
    summary: 'Invite a person by mail. An earlier invitation of the same address is replaced.',
    body: s.NewInvitation,
    example: { email: 'mara@example.com', role: 'staff' },
    status: 201,
    response: z.object({
      invitation: s.Invitation,
      url: z
        .string()
        .nullable()
        .describe('The link to send to the person, shown once. Null if it was mailed.'),
    }),
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'invitation.create', object: 'invitation' },
    prepare: async (_call, { config }) => ({ canMail: config.smtp !== undefined }),
    handle: ({ context, body, prepared }) => invite(context, body, prepared),
  }),
  endpoint({
    id: 'invitations.delete',
    method: 'DELETE',
    path: '/invitations/:id',
    permission: 'account:write',
    summary: 'Withdraw an invitation.',
    params: InvitationPath,
    response: z.object({ id: z.int().describe('The id of the invitation.'), ...Deleted }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
    audit: { action: 'invitation.delete', object: 'invitation' },
    async handle({ context, params }) {
      await withdrawInvitation(context, params.id)
      return { id: params.id, deleted: true as const }
    },
  }),
]
