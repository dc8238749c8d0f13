import type { App } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { invalid, invalidState, notFound, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import {
  CHALLENGE_MS,
  isChallenge,
  markAnswered,
  newChallenge,
  type Purpose,
} from './challenges.ts'
import { countWrongGuess, guesserOf } from './guess-budgets.ts'
import * as q from './queries/index.ts'
import { recordForUser } from './record-for-user.ts'
import { relyingPartyOf } from './relying-party.rules.ts'
import type { NewPasskey, Passkey, PasskeyAnswer } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { renewToken } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { deviceNameIn, hashToken, newDeviceCookie } from './tokens.ts'

const PASSKEYS_MAX = 20

/** Loads the library when it is first needed, so that the server starts sooner. */
const webauthn = () => import('@simplewebauthn/server')

const requireRelyingParty = ({ config }: Pick<App, 'config'>) => {
  const party = relyingPartyOf(config.publicUrl)
  if (party) return party
  const message = 'Passkeys need a host name. Set TRADEPOST_PUBLIC_URL to a URL with a host name.'
  throw invalidState('no_host_name', message)
}

const toPasskey = ({ id, name, backed_up, created_at, last_used_at }: q.PasskeyRow): Passkey => ({
  id,
  name,
  backed_up,
  created_at,
  last_used_at,
})

export async function listPasskeys({ db }: Pick<App, 'db'>, userId: number): Promise<Passkey[]> {
  return (await q.selectPasskeys(db, userId)).map(toPasskey)
}

/** Returns the options with which a browser creates a passkey for this user. */
export async function beginPasskey(app: App, session: UserSession): Promise<object> {
  const { user_id, email, name } = session
  const existingPasskeys = await q.selectPasskeys(app.db, user_id)
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Tradepost',
    rpID: requireRelyingParty(app).id,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(hashToken(app.vault, 'passkey', String(user_id))),
    challenge: new Uint8Array(newChallenge(app, `register ${user_id}`)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: existingPasskeys.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export async function addPasskey(
  app: App,
  { user_id }: UserSession,
  { name, response }: NewPasskey,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await webauthn()
  const challengeHolder: { challenge?: string } = {}
  const { id: expectedRPID, origins: expectedOrigin } = requireRelyingParty(app)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as never,
    expectedChallenge: acceptChallenge(app, `register ${user_id}`, challengeHolder),
    expectedOrigin,
    expectedRPID,
  }).catch((error) => {
    throw invalid('response', `The passkey was not accepted: ${(error as Error).message}`)
  })
  if (!registrationInfo)
    throw invalid(
      'response',
      'The passkey was not accepted. Try again, or sign in with your password.',
    )
  const { credential, credentialBackedUp } = registrationInfo
  return inTransaction(app.db, async (tx) => {
    await q.lockUser(tx, user_id)
    if (!(await markAnswered(tx, app, challengeHolder.challenge ?? ''))) {
      throw invalid(
        'response',
        'This challenge was answered before. Get new options and try again.',
      )
    }
    if ((await q.selectPasskeys(tx, user_id)).length >= PASSKEYS_MAX) {
      throw invalidState('full', `You have ${PASSKEYS_MAX} passkeys. Delete one first.`)
    }
    const row = await q.insertPasskey(tx, {
      user_id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports,
      backed_up: credentialBackedUp,
      name,
      created_at: iso(app.clock.now()),
    })
    if (!row) throw invalid('response', 'This passkey is registered already. Choose another one.')
    await recordForUser(tx, app, user_id, {
      action: 'user.add_passkey',
      changes: changesOfNew({ passkey: name }),
    })
    return toPasskey(row)
  })
}

/** Returns the check of a challenge for this purpose. The check stores the challenge in `challengeHolder`. */
const acceptChallenge =
  (app: App, purpose: Purpose, challengeHolder: { challenge?: string }) => (challenge: string) => {
    challengeHolder.challenge = challenge
    return isChallenge(app, purpose, challenge)
  }

export function renamePasskey(
  app: App,
  { user_id }: UserSession,
  id: number,
  name: string,
): Promise<Passkey> {
  return inTransaction(app.db, async (tx) => {
    const row = requireRecord(await q.renamePasskey(tx, user_id, id, name), 'Passkey')
    const changes = changesOfNew({ passkey: name })
    await recordForUser(tx, app, user_id, { action: 'user.rename_passkey', changes })
    return toPasskey(row)
  })
}

export function deletePasskey(app: App, { user_id }: UserSession, id: number): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const row = await q.deletePasskey(tx, user_id, id)
    if (!row) throw notFound('Passkey')
    const changes = { passkey: { from: row.name, to: null } }
    await recordForUser(tx, app, user_id, { action: 'user.delete_passkey', changes })
  })
}

/** Returns a challenge for any passkey of this site. The answer identifies the user. */
export const beginPasskeySignIn = (app: App): Promise<object> => challengeFor(app, 'sign in', [])

/** Returns a challenge for the passkeys of the user. */
export async function beginPasskeyStepUp(app: App, session: UserSession): Promise<object> {
  const passkeys = await q.selectPasskeys(app.db, session.user_id)
  if (passkeys.length === 0) {
    throw invalidState('no_passkey', 'You have no passkey. Send your password.')
  }
  return challengeFor(app, `step up ${session.id}`, passkeys)
}

async function challengeFor(
  app: App,
  purpose: Purpose,
  allowed: readonly q.PasskeyRow[],
): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: requireRelyingParty(app).id,
    challenge: new Uint8Array(newChallenge(app, purpose)),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as never,
    })),
  })
}

/** Signs in with a passkey. It proves possession and identity, so no code is needed. */
export async function signInByPasskey(
  app: App,
  browser: Browser,
  answer: PasskeyAnswer,
): Promise<{ user: q.UserRow; cookies: Cookies }> {
  const owner = await q.selectPasskeyOwner(app.db, answer.id)
  const device = owner && deviceNameIn(app.vault, owner.user_id, browser.device)
  // Wrong guesses of unknown passkeys are counted together.
  const email = owner?.email ?? 'an unknown passkey'
  return countWrongGuess(app, { email, ip: browser.ip, device }, () =>
    inTransaction(app.db, async (tx) => {
      const { user_id } = await checkPasskey(tx, app, 'sign in', answer)
      const user = requireRecord(await q.selectUser(tx, user_id), 'User')
      const sessionToken = await startSession(tx, app, browser, { user_id, stepped_up: true })
      return {
        user,
        cookies: { session: sessionToken, device: newDeviceCookie(app.vault, user_id) },
      }
    }),
  )
}

/** Steps up with a passkey. The session gets a new token, as after a step-up with the password (decision 137). */
export function stepUpByPasskey(
  app: App,
  browser: Browser,
  session: UserSession,
  answer: PasskeyAnswer,
): Promise<Cookies> {
  return countWrongGuess(app, guesserOf(app, browser, session), () =>
    inTransaction(app.db, async (tx) => {
      const passkey = await checkPasskey(tx, app, `step up ${session.id}`, answer)
      if (passkey.user_id !== session.user_id) throw passkeyRefusal()
      return renewToken(tx, app, session)
    }),
  )
}

const passkeyRefusal = (reason = '') =>
  new Refusal('SIGN_IN_FAILED', `The passkey was not accepted${reason && `: ${reason}`}.`)

/** Checks an answer, marks its challenge as answered, and stores the counter of the passkey. */
async function checkPasskey(
  tx: Tx,
  app: App,
  purpose: Purpose,
  answer: PasskeyAnswer,
): Promise<q.PasskeyRow> {
  const passkey = await q.lockPasskey(tx, answer.id)
  if (!passkey) throw passkeyRefusal()
  const { verifyAuthenticationResponse } = await webauthn()
  const challengeHolder: { challenge?: string } = {}
  const { id: expectedRPID, origins: expectedOrigin } = requireRelyingParty(app)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as never,
    expectedChallenge: acceptChallenge(app, purpose, challengeHolder),
    expectedOrigin,
    expectedRPID,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch((error) => {
    throw passkeyRefusal((error as Error).message)
  })
  if (!verified) throw passkeyRefusal()
  if (!(await markAnswered(tx, app, challengeHolder.challenge ?? ''))) {
    throw passkeyRefusal('this challenge was answered before')
  }
  await q.recordPasskeyUse(tx, passkey.id, {
    counter: authenticationInfo.newCounter,
    backed_up: authenticationInfo.credentialBackedUp,
    last_used_at: iso(app.clock.now()),
  })
  return passkey
}
