import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'

/** Offers passkeys on the sign-in page, which works without a script too. */
const button = document.querySelector<HTMLButtonElement>('[data-passkey]')
const failure = document.querySelector<HTMLElement>('[data-passkey-failure]')

async function post(path: string, body?: unknown) {
  const response = await fetch(`${button?.dataset.passkey}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

async function signIn() {
  const { options } = await post('/passkeys/sign-in/options')
  const response = await startAuthentication({ optionsJSON: options }).catch(() => {
    throw new Error('The browser gave no passkey. Try again, or use your password.')
  })
  await post('/passkeys/sign-in', { response })
  location.assign(location.pathname.replace(/\/sign-in$/, ''))
}

if (button && failure && browserSupportsWebAuthn()) {
  button.hidden = false
  button.addEventListener('click', () => {
    failure.hidden = true
    signIn().catch((error: Error) => {
      failure.textContent = error.message
      failure.hidden = false
    })
  })
}
