import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, Email, Line } from '../../../kernel/shapes.ts'
import { ROLES } from './roles.ts'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 200

export const Password = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)

/** A password to compare; a short one is wrong, not invalid. */
const GivenPassword = z.string().max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)
const Code = Line(40).describe('Six digits of the authenticator app, or a recovery code.')
const Token = Line(100).describe('The token in the link.')

export const Role = z.enum(ROLES).describe('The role; decision 136 lists what each may do.')

export const User = z
  .object({
    id: z.int().describe('User id; audit events name it.'),
    email: z.string().describe('The address that the user signs in with.'),
    name: z.string().describe('The name that the team sees.'),
    has_password: z.boolean().describe('False until the user has set a password.'),
    has_totp: z.boolean().describe('True if sign-in needs a code.'),
  })
  .meta({ id: 'DashboardUser', description: 'A person who signs in to the dashboard.' })
export type User = z.output<typeof User>

export const Store = z
  .object({
    id: z.string().describe('The id of this side of the store.'),
    name: z.string().describe('The name that customers see.'),
    slug: z.string().describe('The short name; both sides share it.'),
    livemode: z.boolean().describe('True for the live side.'),
    role: Role,
  })
  .meta({ id: 'DashboardStore', description: 'A store in which the user has a role.' })

export const Session = z
  .object({
    id: z.int().describe('Session id.'),
    address: z.string().describe('The address that signed in.'),
    user_agent: z.string().describe('The browser, as it names itself.'),
    created_at: DateTime.describe('When the session began.'),
    seen_at: DateTime.describe('The last call, to within 5 minutes.'),
    current: z.boolean().describe('True for the session of this call.'),
  })
  .meta({ id: 'DashboardSession', description: 'A browser that is signed in.' })

export const SignIn = z.strictObject({
  email: Email,
  password: GivenPassword,
  code: Code.optional(),
})
export type SignIn = z.output<typeof SignIn>

const Base64Url = (max: number) =>
  z
    .string()
    .max(max, `Write at most ${max} characters.`)
    .regex(/^[A-Za-z0-9_-]+$/, 'Use base64url, as browsers write it.')

const CREDENTIAL_ID_MAX = 1_400
const PASSKEY_PART_MAX = 8_192
const TRANSPORTS_MAX = 10

const PasskeyFields = {
  id: Base64Url(CREDENTIAL_ID_MAX).describe('The id of the passkey.'),
  rawId: Base64Url(CREDENTIAL_ID_MAX).describe('The same.'),
  type: z.literal('public-key').describe('Always `public-key`.'),
}
const ClientData = Base64Url(PASSKEY_PART_MAX).describe('The signed data of the browser.')

/** The answer of `navigator.credentials.get`; other fields of it are ignored. */
export const PasskeyAnswer = z
  .object({
    ...PasskeyFields,
    response: z
      .object({
        clientDataJSON: ClientData,
        authenticatorData: Base64Url(PASSKEY_PART_MAX).describe(
          'The signed data of the authenticator.',
        ),
        signature: Base64Url(PASSKEY_PART_MAX).describe('The signature.'),
        userHandle: Base64Url(200).optional().describe('The user, as the passkey names it.'),
      })
      .describe('The proof.'),
  })
  .meta({ id: 'PasskeyAnswer', description: 'The answer of `navigator.credentials.get`.' })
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** The answer of `navigator.credentials.create`; other fields of it are ignored. */
const PasskeyRegistration = z
  .object({
    ...PasskeyFields,
    response: z
      .object({
        clientDataJSON: ClientData,
        attestationObject: Base64Url(4 * PASSKEY_PART_MAX).describe('The public key.'),
        transports: list(Line(20), { max: TRANSPORTS_MAX })
          .default([])
          .describe('How the browser reaches the passkey.'),
      })
      .describe('The new passkey.'),
  })
  .meta({ id: 'PasskeyRegistration', description: 'The answer of `navigator.credentials.create`.' })

const PasskeyName = Line(60).describe('The name of the passkey, such as the device.')

export const NewPasskey = z.strictObject({ name: PasskeyName, response: PasskeyRegistration })
export type NewPasskey = z.output<typeof NewPasskey>
export const PasskeyPatch = z.strictObject({ name: PasskeyName })
export const PasskeySignIn = z.strictObject({ response: PasskeyAnswer })

export const Passkey = z
  .object({
    id: z.int().describe('Passkey id.'),
    name: PasskeyName,
    backed_up: z.boolean().describe('True if it is copied to other devices of the user.'),
    created_at: DateTime.describe('When it was added.'),
    last_used_at: DateTime.nullable().describe('The last sign-in or step-up with it.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the user, without its key.' })
export type Passkey = z.output<typeof Passkey>

/** The argument of `navigator.credentials`, in the JSON form of the standard. */
export const PasskeyOptions = z.object({
  options: z.unknown().describe('Pass it to the browser, as `publicKey` in its JSON form.'),
})

export const StepUp = z
  .strictObject({
    password: GivenPassword.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .refine(
    ({ password, passkey }) => (password === undefined) !== (passkey === undefined),
    'Send password or passkey.',
  )
export type StepUp = z.output<typeof StepUp>

export const NewPassword = z.strictObject({
  password: Password,
  current_password: GivenPassword.optional().describe(
    'The password until now; left out if there is none, or after a reset link.',
  ),
})
export type NewPassword = z.output<typeof NewPassword>

export const AskReset = z.strictObject({ email: Email })
export const ConfirmReset = z.strictObject({
  token: Token,
  password: Password,
  code: Code.optional(),
})
export type ConfirmReset = z.output<typeof ConfirmReset>

export const ConfirmTotp = z.strictObject({ code: Code })

export const Member = z
  .object({
    id: z.int().describe('User id.'),
    email: z.string().describe('The address that the user signs in with.'),
    name: z.string().describe('The name of the user.'),
    role: Role,
    created_at: DateTime.describe('When the user got a role in this store.'),
    last_seen_at: DateTime.nullable().describe('The last call in a session that has not ended.'),
  })
  .meta({ id: 'TeamMember', description: 'A user with a role in this store.' })

export const MemberPatch = z.strictObject({ role: Role })

export const Invitation = z
  .object({
    id: z.int().describe('Invitation id.'),
    email: z.string().describe('The invited address.'),
    role: Role,
    invited_by: z.int().nullable().describe('The user who invited.'),
    created_at: DateTime.describe('When it was written.'),
    expires_at: DateTime.describe('After 7 days.'),
  })
  .meta({ id: 'TeamInvitation', description: 'An invitation that is not accepted yet.' })

export const NewInvitation = z.strictObject({ email: Email, role: Role })
export type NewInvitation = z.output<typeof NewInvitation>

export const FindInvitation = z.strictObject({ token: Token })
export const AcceptInvitation = z.strictObject({
  token: Token,
  name: Line(120).optional().describe('Your name; required if you have no account yet.'),
  password: Password.optional().describe('Required if you have no account yet.'),
})
export type AcceptInvitation = z.output<typeof AcceptInvitation>
