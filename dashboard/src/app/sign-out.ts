import { BASE, call } from '../api/call.ts'
import { answerPrompt, currentPrompt } from '../api/prompts.ts'
import { SESSION_ENDED_KEY } from '../api/session-end.ts'

/** Written at each sign-out, so that the other tabs of this browser notice it. */
const SIGNED_OUT_KEY = 'tradepost-signed-out'

/** Ends the session, and opens the sign-in page, in all tabs. */
export async function signOut() {
  await call('POST', '/sign-out')
  localStorage.setItem(SIGNED_OUT_KEY, new Date().toISOString())
  openSignIn()
}

const openSignIn = () => location.assign(`${BASE}/dashboard/sign-in`)

/**
 * Leaves the page when another tab signs out, so that nobody reads the records of its user. If another tab learns
 * that the session has ended, or that somebody signed in again, this page asks the server, which covers its records
 * or goes on. Returns a function that ends it.
 */
export function followSignOut(): () => void {
  // The user of this page was just read, so the session has not ended.
  localStorage.removeItem(SESSION_ENDED_KEY)
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === SIGNED_OUT_KEY) openSignIn()
    if (key !== SESSION_ENDED_KEY) return
    if (newValue === null) answerPrompt('SIGN_IN_REQUIRED', true)
    else if (currentPrompt() === undefined) void call('GET', '/me').catch(() => {})
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
