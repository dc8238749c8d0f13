import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { CURRENCIES } from '../../../kernel/money.ts'
import { DateTime, Email, Line } from '../../../kernel/shapes.ts'
import { ROLES } from './roles.ts'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 200

const Password = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)

/** A password that is compared with the stored one. A short password is refused as wrong, not as invalid. */
const ComparedPassword = z.string().max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)
const Code = Line(40).describe(
  'The six digits that the authenticator app shows, or a recovery code.',
)
const Token = Line(100).describe('The token from the link.')

export const Role = z
  .enum(ROLES)
  .describe(
    'The role. `owner` and `admin` may change everything, but only owners manage owners; `staff` changes orders and support; `viewer` only reads.',
  )

export const User = z
  .object({
    id: z.int().describe('The id of the user, as in audit events.'),
    email: z.string().describe('The address that the user signs in with.'),
    name: z.string().describe('The name that is shown to the team.'),
    has_password: z.boolean().describe('False until the user has set a password.'),
    has_totp: z.boolean().describe('True if sign-in needs a code.'),
  })
  .meta({ id: 'DashboardUser', description: 'A person who signs in to the dashboard.' })
export type User = z.output<typeof User>

export const MemberStore = z
  .object({
    id: z.string().describe('The id of this side of the store.'),
    name: z.string().describe('The name that is shown to customers.'),
    slug: z.string().describe('The name in URLs. Both sides have the same slug.'),
    livemode: z.boolean().describe('True for the live side.'),
    time_zone: z.string().describe('The IANA time zone in which the days of the store begin.'),
    role: Role,
  })
  .meta({ id: 'DashboardStore', description: 'A store in which the user has a role.' })
export type MemberStore = z.output<typeof MemberStore>

export const DashboardSession = z
  .object({
    id: z.int().describe('The id of the session.'),
    address: z.string().describe('The IP address from which the user signed in.'),
    user_agent: z.string().describe('The `User-Agent` header of the browser.'),
    created_at: DateTime.describe('The time at which the session began.'),
    seen_at: DateTime.describe('The time of the last call, within 5 minutes.'),
    current: z.boolean().describe('True for the session of this call.'),
  })
  .meta({ id: 'DashboardSession', description: 'A browser that is signed in.' })
export type DashboardSession = z.output<typeof DashboardSession>

export const SignIn = z.strictObject({
  email: Email,
  password: ComparedPassword,
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
  rawId: Base64Url(CREDENTIAL_ID_MAX).describe('The same as `id`.'),
  type: z.literal('public-key').describe('Always `public-key`.'),
}
const ClientData = Base64Url(PASSKEY_PART_MAX).describe('The signed data of the browser.')

/** The answer of `navigator.credentials.get`. Other fields are ignored. */
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
        userHandle: Base64Url(200).optional().describe('The id of the user in the passkey.'),
      })
      .describe('The signed answer of the passkey.'),
  })
  .meta({ id: 'PasskeyAnswer', description: 'The answer of `navigator.credentials.get`.' })
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** The answer of `navigator.credentials.create`. Other fields are ignored. */
const PasskeyRegistration = z
  .object({
    ...PasskeyFields,
    response: z
      .object({
        clientDataJSON: ClientData,
        attestationObject: Base64Url(4 * PASSKEY_PART_MAX).describe(
          'The public key of the passkey, as an attestation object.',
        ),
        transports: list(Line(20), { max: TRANSPORTS_MAX })
          .default([])
          .describe('The connections to the passkey, such as `usb` or `internal`.'),
      })
      .describe('The signed data of the new passkey.'),
  })
  .meta({ id: 'PasskeyRegistration', description: 'The answer of `navigator.credentials.create`.' })

const PasskeyName = Line(60).describe('The name of the passkey, such as the device.')

export const NewPasskey = z.strictObject({ name: PasskeyName, response: PasskeyRegistration })
export type NewPasskey = z.output<typeof NewPasskey>
export const PasskeyPatch = z.strictObject({ name: PasskeyName })
export const PasskeySignIn = z.strictObject({ response: PasskeyAnswer })

export const Passkey = z
  .object({
    id: z.int().describe('The id of the passkey.'),
    name: PasskeyName,
    backed_up: z.boolean().describe('True if the passkey is synced to other devices.'),
    created_at: DateTime.describe('The time at which the passkey was added.'),
    last_used_at: DateTime.nullable().describe(
      'The time of the last sign-in or step-up with the passkey.',
    ),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the user, without its key.' })
export type Passkey = z.output<typeof Passkey>

/** The argument of `navigator.credentials`, in the JSON form of the standard. */
export const PasskeyOptions = z.object({
  options: z
    .unknown()
    .describe('The options to pass to the browser as `publicKey`, in their JSON form.'),
})

export const StepUp = z
  .strictObject({
    password: ComparedPassword.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .refine(
    ({ password, passkey }) => (password === undefined) !== (passkey === undefined),
    'Send either password or passkey.',
  )

export const NewPassword = z.strictObject({
  password: Password,
  current_password: ComparedPassword.optional().describe(
    'The current password. Omit it if the user has none, or after a sign-in with a reset link.',
  ),
})
export type NewPassword = z.output<typeof NewPassword>

export const UserPatch = z.strictObject({
  name: Line(120).describe('The name that is shown to the team.'),
})
export type UserPatch = z.output<typeof UserPatch>

export const NewEmail = z.strictObject({
  email: Email.describe('The new address to sign in with.'),
})
export type NewEmail = z.output<typeof NewEmail>

export const EmailConfirmation = z.strictObject({ token: Token })

export const ResetRequest = z.strictObject({ email: Email })
export const ResetConfirmation = z.strictObject({
  token: Token,
  password: Password,
  code: Code.optional(),
})
export type ResetConfirmation = z.output<typeof ResetConfirmation>

export const TotpConfirmation = z.strictObject({ code: Code })

export const Member = z
  .object({
    id: z.int().describe('The id of the user.'),
    email: z.string().describe('The address that the user signs in with.'),
    name: z.string().describe('The name of the user.'),
    role: Role,
    created_at: DateTime.describe('The time at which the user got a role in this store.'),
    last_seen_at: DateTime.nullable().describe(
      'The time of the last call in a session that has not ended.',
    ),
  })
  .meta({ id: 'TeamMember', description: 'A user with a role in this store.' })
export type Member = z.output<typeof Member>

export const MemberPatch = z.strictObject({ role: Role })

export const Invitation = z
  .object({
    id: z.int().describe('The id of the invitation.'),
    email: z.string().describe('The invited address.'),
    role: Role,
    invited_by: z.int().nullable().describe('The id of the user who sent the invitation.'),
    created_at: DateTime.describe('The time at which the invitation was created.'),
    expires_at: DateTime.describe('The time of expiry, 7 days after the creation.'),
  })
  .meta({ id: 'TeamInvitation', description: 'An invitation that is not accepted yet.' })
export type Invitation = z.output<typeof Invitation>

export const NewInvitation = z.strictObject({ email: Email, role: Role })
export type NewInvitation = z.output<typeof NewInvitation>

export const InvitationToken = z.strictObject({ token: Token })
export const InvitationAcceptance = z.strictObject({
  token: Token,
  name: Line(120).optional().describe('Your name. Required for a new user.'),
  password: Password.optional().describe('Your password. Required for a new user.'),
})
export type InvitationAcceptance = z.output<typeof InvitationAcceptance>

export const FirstStart = z.strictObject({
  token: Token,
  name: Line(120).describe('Your name, as the team sees it.'),
  email: Email,
  password: Password,
  store_name: Line(120).describe('The name of the store that customers see.'),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => CURRENCIES.has(code), 'Write a code of ISO 4217, such as EUR.')
    .describe('The currency of the store. It cannot be changed later.'),
  demo: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('`yes` also creates a second store with 90 days of sample trade.'),
})
export type FirstStart = z.output<typeof FirstStart>
