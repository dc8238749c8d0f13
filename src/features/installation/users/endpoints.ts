import { z } from 'zod'
import { userEndpointsOf } from '../../../http/user-endpoint.ts'
import { Deleted, PathId } from '../../../kernel/shapes.ts'
import { acceptInvitation, findInvitation } from './accept-invitation.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { changePassword, confirmReset, requestReset } from './change-password.ts'
import { beginTotp, confirmTotp, disableTotp } from './change-totp.ts'
import { startFirstStore } from './first-start.ts'
import { passkeyEndpoints } from './passkey-endpoints.ts'
import { stepUpByPasskey } from './passkeys.ts'
import * as s from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { endSession, listSessions, showMe, userOf } from './show-me.ts'
import { signIn, stepUp } from './sign-in.ts'

const endpoint = userEndpointsOf<UserSession>()
const EmptyAnswer = z.object({})

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
    id: 'users.start_first_store',
    method: 'POST',
    path: '/first-start',
    session: 'none',
    summary: 'Create the first owner and the first store of the installation, and sign in.',
    body: s.FirstStart,
    example: {
      token: 'EXAMPLE',
      name: 'Mara',
      email: 'mara@example.com',
      password: 'correct horse battery staple',
      store_name: 'Corner Shop',
      currency: 'EUR',
    },
    response: z.object({
      store_id: z.string().describe('The id of the test side of the store.'),
      demo: z.boolean().describe('True if the demo store is created too.'),
    }),
    errors: ['NOT_FOUND', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, body, setCookies }) {
      const { store_id, cookies } = await startFirstStore(app, browser, body)
      setCookies(cookies)
      return { store_id, demo: body.demo === 'yes' }
    },
  }),
  endpoint({
    id: 'users.sign_out',
    method: 'POST',
    path: '/sign-out',
    session: 'required',
    summary: 'End this session.',
    response: EmptyAnswer,
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
    summary: 'Get the signed-in user and the stores in which the user has a role.',
    response: z.object({
      user: s.User,
      stores: z.array(s.MemberStore).describe('Both sides of each store.'),
      stepped_up: z
        .boolean()
        .describe('True for 10 minutes after the user gave a password or a passkey.'),
    }),
    errors: [],
    handle: ({ app, session }) => showMe(app, session),
  }),
  ...accountEndpoints,
  endpoint({
    id: 'users.list_sessions',
    method: 'GET',
    path: '/sessions',
    session: 'required',
    summary: "List the user's sessions, newest first.",
    response: z.object({
      sessions: z
        .array(s.DashboardSession)
        .describe('The sessions that have not ended, at most 100.'),
    }),
    errors: [],
    handle: async ({ app, session }) => ({ sessions: await listSessions(app, session) }),
  }),
  endpoint({
    id: 'users.end_session',
    method: 'DELETE',
    path: '/sessions/:id',
    session: 'required',
    summary: 'End one of your sessions.',
    params: z.object({ id: PathId.describe('The id of the session.') }),
    response: z.object({ id: z.int().describe('The id of the session.'), ...Deleted }),
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
      'Confirm the password or a passkey. For 10 minutes the session can then change keys and the team.',
    body: s.StepUp,
    example: { password: 'correct horse battery staple' },
    response: EmptyAnswer,
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
    summary: 'Set or change your password, and end your other sessions.',
    body: s.NewPassword,
    example: { password: 'correct horse battery staple' },
    response: EmptyAnswer,
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
    summary: 'Mail a link for a new password. The answer is the same for every address.',
    body: s.ResetRequest,
    example: { email: 'mara@example.com' },
    response: EmptyAnswer,
    errors: ['HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, body }) {
      requestReset(app, body.email)
      return {}
    },
  }),
  endpoint({
    id: 'users.confirm_reset',
    method: 'POST',
    path: '/password-resets/confirm',
    session: 'none',
    summary: 'Set a new password with the token from the mail, and sign in.',
    body: s.ResetConfirmation,
    example: { token: 'EXAMPLE', password: 'correct horse battery staple' },
    response: z.object({
      passkeys: z
        .array(s.Passkey)
        .describe('The passkeys of the user, which still sign in. Delete those you do not know.'),
    }),
    errors: ['NOT_FOUND', 'SIGN_IN_FAILED', 'CODE_REQUIRED', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, body, setCookies }) {
      const { cookies, passkeys } = await confirmReset(app, browser, body)
      setCookies(cookies)
      return { passkeys }
    },
  }),
  endpoint({
    id: 'users.begin_totp',
    method: 'POST',
    path: '/totp',
    session: 'required',
    step_up: true,
    summary: 'Get a secret for an authenticator app. It takes effect when a code is confirmed.',
    response: z.object({
      secret: z
        .string()
        .describe('The secret in base32, for an authenticator app that cannot scan the URI.'),
      otpauth_url: z.string().describe('The `otpauth` URL to show as a QR code.'),
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
    summary: 'Turn codes on, and get the recovery codes. They are shown once.',
    body: s.TotpConfirmation,
    example: { code: '287082' },
    response: z.object({
      recovery_codes: z.array(z.string()).describe('Recovery codes. Each can replace a code once.'),
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
    summary: 'Turn codes off, and delete the recovery codes.',
    response: EmptyAnswer,
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
    summary: 'Get the store and the role of an invitation.',
    body: s.InvitationToken,
    example: { token: 'EXAMPLE' },
    response: z.object({
      store: z.string().describe('The name of the store.'),
      email: z.string().describe('The invited address.'),
      role: s.Role,
      has_account: z.boolean().describe('True if a user with this address exists.'),
    }),
    errors: ['NOT_FOUND', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    handle: ({ app, body }) => findInvitation(app, body.token),
  }),
  endpoint({
    id: 'users.accept_invitation',
    method: 'POST',
    path: '/invitations/accept',
    session: 'none',
    summary: 'Accept an invitation, as a new user or as the invited user who is signed in.',
    body: s.InvitationAcceptance,
    example: { token: 'EXAMPLE', name: 'Mara', password: 'correct horse battery staple' },
    response: z.object({ store_id: z.string().describe('The id of the live side of the store.') }),
    errors: ['NOT_FOUND', 'SIGN_IN_REQUIRED', 'HTTPS_REQUIRED', 'VALIDATION_FAILED'],
    async handle({ app, browser, session, body, setCookies }) {
      const { store_id, cookies } = await acceptInvitation(app, browser, session, body)
      setCookies(cookies)
      return { store_id }
    },
  }),
]
