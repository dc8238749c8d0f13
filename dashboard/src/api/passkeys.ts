import { errorOf } from '../../../sdk/client/errors.ts'
import { passkeys as text } from '../text/passkeys.ts'
import type { Request } from './action.ts'
import { call } from './call.ts'
import type { DashboardAnswer } from './dashboard.ts'
import { loadOpenedCode } from './load-code.ts'

/** True if this page can use passkeys. Browsers refuse them for an IP address and without https. */
export const hasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^(\[|[\d.]+$)/.test(location.hostname)

/** Loaded with the first passkey. The home page loads the prompts, and most of its users never see one. */
const loadWebAuthn = () => loadOpenedCode(() => import('@simplewebauthn/browser'))

/** The options of WebAuthn, which are passed to the browser unread. */
interface Options {
  options: never
}

/**
 * Throws one error for every cause. The browser hides the cause, so that a site cannot tell whether
 * a passkey exists.
 */
function throwRefusal(cause: unknown): never {
  throw errorOf({
    operation: 'passkey',
    status: 400,
    code: 'UNREADABLE_ANSWER',
    message: text.refused,
    cause,
  })
}

/** Lets the user choose a passkey, and returns its signature of the challenge that the path answers. */
async function signChallenge(path: string): Promise<unknown> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    loadWebAuthn(),
    call<Options>('POST', path),
  ])
  return startAuthentication({ optionsJSON: options }).catch(throwRefusal)
}

/** Signs in with any passkey of this site. */
export async function signInByPasskey(): Promise<DashboardAnswer<'passkeys.sign_in'>> {
  const response = await signChallenge('/passkeys/sign-in/options')
  return call('POST', '/passkeys/sign-in', { body: { response } })
}

/** Confirms the identity of the signed-in user with a passkey instead of a password. */
export async function stepUpByPasskey(): Promise<void> {
  const passkey = await signChallenge('/step-up/options')
  await call('POST', '/step-up', { body: { passkey } })
}

/** Creates a passkey in the browser and adds it to the account. */
export const addPasskey = (name: string): Request => ({
  area: 'account',
  method: 'POST',
  body: { name },
  isUserRequest: true,
  async send() {
    const [{ startRegistration }, { options }] = await Promise.all([
      loadWebAuthn(),
      call<Options>('POST', '/passkeys/options'),
    ])
    const response = await startRegistration({ optionsJSON: options }).catch(throwRefusal)
    return call('POST', '/passkeys', { body: { name, response } })
  },
})
