import { z } from 'zod'
import { userEndpointsOf } from '../../../http/user-endpoint.ts'
import { confirmEmailChange, renameUser, requestEmailChange } from './change-account.ts'
import * as s from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { userOf } from './show-me.ts'

const endpoint = userEndpointsOf<UserSession>()
const OneUser = z.object({ user: s.User })

/** The name and the email address of a user. */
export const accountEndpoints = [
  endpoint({
    id: 'users.rename',
    method: 'PATCH',
    path: '/me',
    session: 'required',
    summary: 'Change your name.',
    body: s.UserPatch,
    example: { name: 'Mara' },
    response: OneUser,
    errors: ['VALIDATION_FAILED'],
    handle: async ({ app, session, body }) => ({
      user: userOf(await renameUser(app, session, body)),
    }),
  }),
  endpoint({
    id: 'users.request_email',
    method: 'POST',
    path: '/email-changes',
    session: 'required',
    step_up: true,
    summary: 'Send a link to your new email address. The address changes when you use the link.',
    body: s.NewEmail,
    example: { email: 'mara@example.com' },
    status: 201,
    response: z.object({
      email: z.string().describe('The new address.'),
      url: z
        .string()
        .nullable()
        .describe('The link if it could not be mailed; null if it was mailed.'),
    }),
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: ({ app, session, body }) => requestEmailChange(app, session, body),
  }),
  endpoint({
    id: 'users.confirm_email',
    method: 'POST',
    path: '/email-changes/confirm',
    session: 'required',
    summary: 'Change your email address with the token from the link, and tell the former address.',
    body: s.EmailConfirmation,
    example: { token: 'EXAMPLE' },
    response: OneUser,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ app, session, body }) => ({
      user: userOf(await confirmEmailChange(app, session, body.token)),
    }),
  }),
]
