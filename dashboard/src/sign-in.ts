import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'

// Adds passkeys to the sign-in page. The page works without scripts too.

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
    throw new Error(button?.dataset.none)
  })
  await post('/passkeys/sign-in', { response })
  location.assign(button?.dataset.next ?? '')
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
