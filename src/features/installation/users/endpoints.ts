import { z } from 'zod'
import { userEndpointsOf } from '../../../http/user-endpoint.ts'
import { Deleted, PathId } from '../../../kernel/shapes.ts'
import { acceptInvitation, findInvitation } from './accept-invitation.ts'
import { askReset, changePassword, confirmReset } from './change-password.ts'
import { beginTotp, confirmTotp, disableTotp } from './change-totp.ts'
import { passkeyEndpoints } from './passkey-endpoints.ts'
import { stepUpByPasskey } from './passkeys.ts'
import * as s from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { endSession, listSessions, showMe, userOf } from './show-me.ts'
import { signIn, stepUp } from './sign-in.ts'

const endpoint = userEndpointsOf<UserSession>()
const Nothing = z.object({})

/** The endpoints of the dashboard that belong to a user (decision 134). */
export const userEndpoints = [
  ...passkeyEndpoints,
  endpoint({
    id: 'users.sign_in',
    method: 'POST',
    path: '/sign-in',
    session: 'none',
    summary: 'Start a session and set its cookie.',
    body: s.SignIn,
    example: { email: 'mara@example.com', password: 'correct horse battery staple' },
    response: z.object({ user: s.User }),
    errors: ['SIGN_IN_FAILED', 'CODE_REQUIRED', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, body, setCookies }) {
      const { user, cookies } = await signIn(app, browser, body)
      setCookies(cookies)
      return { user: userOf(user) }
    },
  }),
  endpoint({
    id: 'users.sign_out',
    method: 'POST',
    path: '/sign-out',
    session: 'required',
    summary: 'End this session.',
    response: Nothing,
    errors: [],
    async handle({ app, session, setCookies }) {
      await endSession(app, session, session.id)
      setCookies({ session: null })
      return {}
    },
  }),
  endpoint({
    id: 'users.me',
    method: 'GET',
    path: '/me',
    session: 'required',
    summary: 'Get the signed-in user and the stores with a role.',
    response: z.object({
      user: s.User,
      stores: z.array(s.Store).describe('Both sides of each store.'),
      stepped_up: z.boolean().describe('True for 10 minutes after a password was given.'),
    }),
    errors: [],
    handle: ({ app, session }) => showMe(app, session),
  }),
  endpoint({
    id: 'users.list_sessions',
    method: 'GET',
    path: '/sessions',
    session: 'required',
    summary: "List the user's sessions, the newest first.",
    response: z.object({ sessions: z.array(s.Session).describe('At most 100.') }),
    errors: [],
    handle: async ({ app, session }) => ({ sessions: await listSessions(app, session) }),
  }),
  endpoint({
    id: 'users.end_session',
    method: 'DELETE',
    path: '/sessions/:id',
    session: 'required',
    summary: 'End one of your sessions.',
    params: z.object({ id: PathId.describe('Session id.') }),
    response: z.object({ id: z.int().describe('Session id.'), ...Deleted }),
    errors: ['NOT_FOUND'],
    async handle({ app, session, params, setCookies }) {
      await endSession(app, session, params.id)
      if (params.id === session.id) setCookies({ session: null })
      return { id: params.id, deleted: true as const }
    },
  }),
  endpoint({
    id: 'users.step_up',
    method: 'POST',
    path: '/step-up',
    session: 'required',
    summary:
      'Give the password or a passkey again; for 10 minutes keys and the team can be changed.',
    body: s.StepUp,
    example: { password: 'correct horse battery staple' },
    response: Nothing,
    errors: ['SIGN_IN_FAILED', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, session, body, setCookies }) {
      const { password = '', passkey } = body
      const cookies = passkey
        ? await stepUpByPasskey(app, browser, session, passkey)
        : await stepUp(app, browser, session, password)
      setCookies(cookies)
      return {}
    },
  }),
  endpoint({
    id: 'users.set_password',
    method: 'POST',
    path: '/password',
    session: 'required',
    summary: 'Set or change your password; ends your other sessions.',
    body: s.NewPassword,
    example: { password: 'correct horse battery staple' },
    response: Nothing,
    errors: ['SIGN_IN_FAILED', 'VALIDATION_FAILED'],
    async handle({ app, browser, session, body, setCookies }) {
      setCookies(await changePassword(app, browser, session, body))
      return {}
    },
  }),
  endpoint({
    id: 'users.ask_reset',
    method: 'POST',
    path: '/password-resets',
    session: 'none',
    summary: 'Mail a link for a new password; the answer is the same for every address.',
    body: s.AskReset,
    example: { email: 'mara@example.com' },
    response: Nothing,
    errors: ['HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, body }) {
      askReset(app, body.email)
      return {}
    },
  }),
  endpoint({
    id: 'users.confirm_reset',
    method: 'POST',
    path: '/password-resets/confirm',
    session: 'none',
    summary: 'Set a new password with the token of the mail, and sign in.',
    body: s.ConfirmReset,
    example: { token: 'EXAMPLE', password: 'correct horse battery staple' },
    response: Nothing,
    errors: ['NOT_FOUND', 'SIGN_IN_FAILED', 'CODE_REQUIRED', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, body, setCookies }) {
      setCookies(await confirmReset(app, browser, body))
      return {}
    },
  }),
  endpoint({
    id: 'users.begin_totp',
    method: 'POST',
    path: '/totp',
    session: 'required',
    step_up: true,
    summary: 'Get a secret for an authenticator app; it counts after a code was confirmed.',
    response: z.object({
      secret: z.string().describe('The secret in base32, to type in.'),
      otpauth_url: z.string().describe('The address for a QR code.'),
    }),
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE'],
    handle: ({ app, session }) => beginTotp(app, session),
  }),
  endpoint({
    id: 'users.confirm_totp',
    method: 'POST',
    path: '/totp/confirm',
    session: 'required',
    step_up: true,
    summary: 'Switch codes on, and get the recovery codes, once.',
    body: s.ConfirmTotp,
    example: { code: '287082' },
    response: z.object({
      recovery_codes: z.array(z.string()).describe('Each signs in once in place of a code.'),
    }),
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ app, session, body }) => ({
      recovery_codes: await confirmTotp(app, session, body.code),
    }),
  }),
  endpoint({
    id: 'users.disable_totp',
    method: 'DELETE',
    path: '/totp',
    session: 'required',
    step_up: true,
    summary: 'Switch codes off; recovery codes end too.',
    response: Nothing,
    errors: ['STEP_UP_REQUIRED'],
    async handle({ app, session }) {
      await disableTotp(app, session)
      return {}
    },
  }),
  endpoint({
    id: 'users.find_invitation',
    method: 'POST',
    path: '/invitations/find',
    session: 'none',
    summary: 'See what an invitation offers.',
    body: s.FindInvitation,
    example: { token: 'EXAMPLE' },
    response: z.object({
      store: z.string().describe('The name of the store.'),
      email: z.string().describe('The invited address.'),
      role: s.Role,
      has_account: z.boolean().describe('True if the address can sign in already.'),
    }),
    errors: ['NOT_FOUND', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    handle: ({ app, body }) => findInvitation(app, body.token),
  }),
  endpoint({
    id: 'users.accept_invitation',
    method: 'POST',
    path: '/invitations/accept',
    session: 'none',
    summary: 'Accept an invitation: as a new user, or signed in as the invited one.',
    body: s.AcceptInvitation,
    example: { token: 'EXAMPLE', name: 'Mara', password: 'correct horse battery staple' },
    response: z.object({ store_id: z.string().describe('The id of the live side.') }),
    errors: ['NOT_FOUND', 'SIGN_IN_REQUIRED', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, session, body, setCookies }) {
      const { store_id, cookies } = await acceptInvitation(app, browser, session, body)
      setCookies(cookies)
      return { store_id }
    },
  }),
]
