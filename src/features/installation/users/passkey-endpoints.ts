import { z } from 'zod'
import { userEndpointsOf } from '../../../http/user-endpoint.ts'
import { Deleted, PathId } from '../../../kernel/shapes.ts'
import * as p from './passkeys.ts'
import * as s from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { userOf } from './show-me.ts'

const endpoint = userEndpointsOf<UserSession>()
const PasskeyPath = z.object({ id: PathId.describe('The id of the passkey.') })
const OnePasskey = z.object({ passkey: s.Passkey })

/** The passkeys of a user, and sign-in with a passkey (decision 286). */
export const passkeyEndpoints = [
  endpoint({
    id: 'passkeys.list',
    method: 'GET',
    path: '/passkeys',
    session: 'required',
    summary: 'List your passkeys.',
    response: z.object({
      passkeys: z.array(s.Passkey).describe('All passkeys, at most 20, the oldest first.'),
    }),
    errors: [],
    handle: async ({ app, session }) => ({ passkeys: await p.listPasskeys(app, session.user_id) }),
  }),
  endpoint({
    id: 'passkeys.begin',
    method: 'POST',
    path: '/passkeys/options',
    session: 'required',
    step_up: true,
    summary:
      'Get the options with which a browser creates a passkey. They are valid for 5 minutes.',
    response: s.PasskeyOptions,
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE'],
    handle: async ({ app, session }) => ({ options: await p.beginPasskey(app, session) }),
  }),
  endpoint({
    id: 'passkeys.create',
    method: 'POST',
    path: '/passkeys',
    session: 'required',
    step_up: true,
    summary: 'Register the passkey that the browser created.',
    body: s.NewPasskey,
    status: 201,
    response: OnePasskey,
    errors: ['STEP_UP_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ app, session, body }) => ({
      passkey: await p.addPasskey(app, session, body),
    }),
  }),
  endpoint({
    id: 'passkeys.update',
    method: 'PATCH',
    path: '/passkeys/:id',
    session: 'required',
    summary: 'Rename a passkey.',
    params: PasskeyPath,
    body: s.PasskeyPatch,
    example: { name: 'Phone' },
    response: OnePasskey,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ app, session, params, body }) => ({
      passkey: await p.renamePasskey(app, session, params.id, body.name),
    }),
  }),
  endpoint({
    id: 'passkeys.delete',
    method: 'DELETE',
    path: '/passkeys/:id',
    session: 'required',
    step_up: true,
    summary: 'Delete a passkey. It can no longer sign in.',
    params: PasskeyPath,
    response: z.object({ id: z.int().describe('The id of the passkey.'), ...Deleted }),
    errors: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
    async handle({ app, session, params }) {
      await p.deletePasskey(app, session, params.id)
      return { id: params.id, deleted: true as const }
    },
  }),
  endpoint({
    id: 'passkeys.begin_sign_in',
    method: 'POST',
    path: '/passkeys/sign-in/options',
    session: 'none',
    summary: 'Get a challenge for any passkey of this site. It is valid for 5 minutes.',
    response: s.PasskeyOptions,
    errors: ['HTTPS_REQUIRED', 'INVALID_STATE'],
    handle: async ({ app }) => ({ options: await p.beginPasskeySignIn(app) }),
  }),
  endpoint({
    id: 'passkeys.sign_in',
    method: 'POST',
    path: '/passkeys/sign-in',
    session: 'none',
    summary: 'Sign in with a passkey. No code is needed.',
    body: s.PasskeySignIn,
    response: z.object({ user: s.User }),
    errors: ['SIGN_IN_FAILED', 'HTTPS_REQUIRED', 'INVALID_STATE', 'VALIDATION_FAILED'],
    async handle({ app, browser, body, setCookies }) {
      const { user, cookies } = await p.signInByPasskey(app, browser, body.response)
      setCookies(cookies)
      return { user: userOf(user) }
    },
  }),
  endpoint({
    id: 'passkeys.begin_step_up',
    method: 'POST',
    path: '/step-up/options',
    session: 'required',
    summary: 'Get a challenge for your passkeys, to answer with POST /step-up.',
    response: s.PasskeyOptions,
    errors: ['INVALID_STATE'],
    handle: async ({ app, session }) => ({ options: await p.beginPasskeyStepUp(app, session) }),
  }),
]
