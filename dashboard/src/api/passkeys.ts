import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { errorOf } from '../../../sdk/client/errors.ts'
import { passkeys as text } from '../text/passkeys.ts'
import type { Request } from './action.ts'
import { call } from './call.ts'

/** True if this page may use passkeys: browsers refuse them for an IP address, and without https. */
export const hasPasskeys = (): boolean =>
  browserSupportsWebAuthn() && !/^(\[|[\d.]+$)/.test(location.hostname)

interface Options {
  options: never
}

/** The browser gives no reason, so that a site cannot tell whether a passkey exists. */
function refused(cause: unknown): never {
  throw errorOf({
    operation: 'passkey',
    status: 400,
    code: 'UNREADABLE_ANSWER',
    message: text.refused,
    cause,
  })
}

async function answerOf(path: string): Promise<unknown> {
  const { options } = await call<Options>('POST', path)
  return startAuthentication({ optionsJSON: options }).catch(refused)
}

/** Signs in with any passkey of this site. */
export async function signInByPasskey(): Promise<void> {
  const response = await answerOf('/passkeys/sign-in/options')
  await call('POST', '/passkeys/sign-in', { body: { response } })
}

/** Confirms that it is still the same person, instead of a password. */
export async function stepUpByPasskey(): Promise<void> {
  const passkey = await answerOf('/step-up/options')
  await call('POST', '/step-up', { body: { passkey } })
}

/** Makes a passkey in the browser, and adds it to the account. */
export const addPasskey = (name: string): Request => ({
  area: 'account',
  method: 'POST',
  body: { name },
  async send() {
    const { options } = await call<Options>('POST', '/passkeys/options')
    const response = await startRegistration({ optionsJSON: options }).catch(refused)
    return call('POST', '/passkeys', { body: { name, response } })
  },
})
