import { selectStore } from '../src/features/installation/stores/index.ts'
import { addUser, type Role } from '../src/features/installation/users/index.ts'
import { answerOf } from './answer.ts'
import type { Answer, CallOptions, Json, Tradepost } from './harness.ts'

export const ORIGIN = 'http://127.0.0.1:4100'

export interface BrowserOptions {
  origin?: string | null
  headers?: Record<string, string>
  raw?: CallOptions['raw']
  remoteAddress?: string
}

/** A browser that shows the dashboard. It stores cookies and sends its origin. */
export interface TestBrowser {
  cookies: Map<string, string>
  call(method: string, path: string, body?: Json, options?: BrowserOptions): Promise<Answer>
  get(path: string, options?: BrowserOptions): Promise<Answer>
  post(path: string, body?: Json, options?: BrowserOptions): Promise<Answer>
  patch(path: string, body?: Json, options?: BrowserOptions): Promise<Answer>
  delete(path: string, options?: BrowserOptions): Promise<Answer>
}

function storeCookies(
  cookies: Map<string, string>,
  received: { name: string; value: string }[],
): void {
  for (const { name, value } of received) {
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

/**
 * Paths that begin with `/dashboard` are used unchanged; others are relative to the private API.
 */
export function openBrowser(tradepost: Tradepost): TestBrowser {
  const cookies = new Map<string, string>()
  const call = async (
    method: string,
    path: string,
    body?: Json,
    { origin = ORIGIN, headers, raw, remoteAddress }: BrowserOptions = {},
  ): Promise<Answer> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await tradepost.server.inject({
      method: method as 'GET',
      url: path.startsWith('/dashboard') ? path : `/dashboard/api${path}`,
      headers: {
        ...(cookie && { cookie }),
        ...(origin !== null && { origin }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
      ...(remoteAddress && { remoteAddress }),
    })
    storeCookies(cookies, response.cookies)
    return answerOf(response)
  }
  return {
    cookies,
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}

export const PASSWORD = 'correct horse battery staple'
let count = 0

export interface SignedIn extends TestBrowser {
  id: number
  email: string
}

/**
 * Creates a user with a role in a store, signs in with the link of the invitation, and sets a
 * password. Defaults: an owner of the first store.
 */
export async function signedIn(
  tradepost: Tradepost,
  role: Role = 'owner',
  { store = tradepost.live.id, password = true } = {},
): Promise<SignedIn> {
  const storeRow = await selectStore(tradepost.db, store)
  if (!storeRow) throw new Error('No such store.')
  const email = `${role}${++count}@example.com`
  const { id, sign_in_url } = await addUser(tradepost.app, storeRow, { email, name: role, role })
  const browser = openBrowser(tradepost)
  await browser.get(sign_in_url.replace(ORIGIN, ''))
  if (password) {
    const { status, text } = await browser.post('/password', { password: PASSWORD })
    if (status !== 200) throw new Error(text)
  }
  return { ...browser, id, email }
}
