import { BASE, call } from '../api/call.ts'

/** Ends the session, and opens the sign-in page. */
export async function signOut() {
  await call('POST', '/sign-out')
  location.assign(`${BASE}/dashboard/sign-in`)
}
