import type { App } from '../../../app.ts'
import { setTo } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { found, invalid, invalidState, notFound, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import {
  CHALLENGE_MS,
  isChallenge,
  newChallenge,
  type Purpose,
  takeChallenge,
} from './challenges.ts'
import { withinBudget } from './guess-budgets.ts'
import * as q from './queries/passkeys.ts'
import { lockUser, selectUser, type UserRow } from './queries/users.ts'
import { recordForUser } from './record-for-user.ts'
import { relyingPartyOf } from './relying-party.rules.ts'
import type { NewPasskey, Passkey, PasskeyAnswer } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { renewToken } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { deviceOf, hashToken, newDevice } from './tokens.ts'

const PASSKEYS_MAX = 20

/** Loaded when the first passkey is used. */
const webauthn = () => import('@simplewebauthn/server')

const partyOf = ({ config }: Pick<App, 'config'>) => {
  const party = relyingPartyOf(config.publicUrl)
  if (party) return party
  const why = 'Passkeys need a host name: set TRADEPOST_PUBLIC_URL to an address with one.'
  throw invalidState('no_host_name', why)
}

const shownPasskey = ({
  id,
  name,
  backed_up,
  created_at,
  last_used_at,
}: q.PasskeyRow): Passkey => ({
  ...{ id, name, backed_up, created_at, last_used_at },
})

export async function listPasskeys({ db }: App, { user_id }: UserSession): Promise<Passkey[]> {
  return (await q.selectPasskeys(db, user_id)).map(shownPasskey)
}

/** Returns the options with which a browser makes a passkey for this user. */
export async function beginPasskey(app: App, session: UserSession): Promise<object> {
  const { user_id, email, name } = session
  const existing = await q.selectPasskeys(app.db, user_id)
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Tradepost',
    rpID: partyOf(app).id,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(hashToken(app.vault, 'passkey', String(user_id))),
    challenge: new Uint8Array(newChallenge(app, `register ${user_id}`)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export async function addPasskey(
  app: App,
  { user_id }: UserSession,
  { name, response }: NewPasskey,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await webauthn()
  const signed: { challenge?: string } = {}
  const { id: expectedRPID, origins: expectedOrigin } = partyOf(app)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as never,
    expectedChallenge: expecting(app, `register ${user_id}`, signed),
    expectedOrigin,
    expectedRPID,
  }).catch((error) => {
    throw invalid('response', `The passkey was not accepted: ${(error as Error).message}`)
  })
  if (!registrationInfo) throw invalid('response', 'The passkey was not accepted.')
  const { credential, credentialBackedUp } = registrationInfo
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, user_id)
    if (!(await takeChallenge(tx, app, signed.challenge ?? ''))) {
      throw invalid('response', 'This challenge was answered before. Begin again.')
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
    if (!row) throw invalid('response', 'This passkey is registered already.')
    await recordForUser(tx, app, user_id, {
      action: 'user.add_passkey',
      changes: setTo({ passkey: name }),
    })
    return shownPasskey(row)
  })
}

/** Accepts a challenge that was made for this purpose, and remembers it. */
const expecting =
  (app: App, purpose: Purpose, signed: { challenge?: string }) => (challenge: string) => {
    signed.challenge = challenge
    return isChallenge(app, purpose, challenge)
  }

export function renamePasskey(
  app: App,
  { user_id }: UserSession,
  id: number,
  name: string,
): Promise<Passkey> {
  return inTransaction(app.db, async (tx) => {
    const row = found(await q.renamePasskey(tx, user_id, id, name), 'Passkey')
    const changes = setTo({ passkey: name })
    await recordForUser(tx, app, user_id, { action: 'user.rename_passkey', changes })
    return shownPasskey(row)
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

/** A challenge for any passkey of this site: the answer names its user. */
export const beginPasskeySignIn = (app: App): Promise<object> => challengeFor(app, 'sign in', [])

/** A challenge for the user's own passkeys. */
export async function beginPasskeyStepUp(app: App, session: UserSession): Promise<object> {
  const own = await q.selectPasskeys(app.db, session.user_id)
  if (own.length === 0) throw invalidState('no_passkey', 'You have no passkey. Send your password.')
  return challengeFor(app, `step up ${session.id}`, own)
}

async function challengeFor(
  app: App,
  purpose: Purpose,
  allowed: readonly q.PasskeyRow[],
): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: partyOf(app).id,
    challenge: new Uint8Array(newChallenge(app, purpose)),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as never,
    })),
  })
}

/** A passkey proves possession and the person at once, so no code is asked for. */
export async function signInByPasskey(
  app: App,
  browser: Browser,
  answer: PasskeyAnswer,
): Promise<{ user: UserRow; cookies: Cookies }> {
  const owner = await q.selectPasskeyOwner(app.db, answer.id)
  const device = owner && deviceOf(app.vault, owner.user_id, browser.device)
  const email = owner?.email ?? 'an unknown passkey'
  return withinBudget(app, { email, ip: browser.ip, device }, () =>
    inTransaction(app.db, async (tx) => {
      const { user_id } = await checkPasskey(tx, app, 'sign in', answer)
      const user = found(await selectUser(tx, user_id), 'User')
      const session = await startSession(tx, app, browser, { user_id, stepped_up: true })
      return { user, cookies: { session, device: newDevice(app.vault, user_id) } }
    }),
  )
}

/** Gives the session a new token, as a password does (decision 137). */
export function stepUpByPasskey(
  app: App,
  browser: Browser,
  session: UserSession,
  answer: PasskeyAnswer,
): Promise<Cookies> {
  const { user_id, email } = session
  const device = deviceOf(app.vault, user_id, browser.device) ?? `session ${session.id}`
  return withinBudget(app, { email, ip: browser.ip, device }, () =>
    inTransaction(app.db, async (tx) => {
      const passkey = await checkPasskey(tx, app, `step up ${session.id}`, answer)
      if (passkey.user_id !== user_id) throw refused()
      return renewToken(tx, app, session)
    }),
  )
}

const refused = (why = '') =>
  new Refusal('SIGN_IN_FAILED', `The passkey was not accepted${why && `: ${why}`}.`)

/** Checks an answer, and marks its challenge and its count as used. */
async function checkPasskey(
  tx: Tx,
  app: App,
  purpose: Purpose,
  answer: PasskeyAnswer,
): Promise<q.PasskeyRow> {
  const passkey = await q.lockPasskey(tx, answer.id)
  if (!passkey) throw refused()
  const { verifyAuthenticationResponse } = await webauthn()
  const signed: { challenge?: string } = {}
  const { id: expectedRPID, origins: expectedOrigin } = partyOf(app)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as never,
    expectedChallenge: expecting(app, purpose, signed),
    expectedOrigin,
    expectedRPID,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch((error) => {
    throw refused((error as Error).message)
  })
  if (!verified) throw refused()
  if (!(await takeChallenge(tx, app, signed.challenge ?? ''))) {
    throw refused('this challenge was answered before')
  }
  await q.usePasskey(tx, passkey.id, {
    counter: authenticationInfo.newCounter,
    backed_up: authenticationInfo.credentialBackedUp,
    last_used_at: iso(app.clock.now()),
  })
  return passkey
}
