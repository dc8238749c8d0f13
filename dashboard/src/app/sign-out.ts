import { BASE, call } from '../api/call.ts'

/** Written at each sign-out, so that the other tabs of this browser notice it. */
const SIGNED_OUT_KEY = 'tradepost-signed-out'

/** Ends the session, and opens the sign-in page, in all tabs. */
export async function signOut() {
  await call('POST', '/sign-out')
  localStorage.setItem(SIGNED_OUT_KEY, new Date().toISOString())
  openSignIn()
}

const openSignIn = () => location.assign(`${BASE}/dashboard/sign-in`)

/** Leaves the page when another tab signs out, so that nobody reads the records of its user. Returns a function that ends it. */
export function followSignOut(): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === SIGNED_OUT_KEY) openSignIn()
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
