import { errorOf, TradepostError, type TradepostErrorCode } from '../../../sdk/client/errors.ts'
import { randomKey } from '../../../sdk/client/random-key.ts'
import { connection } from '../text/connection.ts'
import { API } from './base.ts'
import { pageName } from './change-name.ts'
import { sendUntilAnswered, trackedFetch } from './connection.ts'
import { pageUser } from './page-user.ts'
import { deletePersistedChange, persistChange } from './persisted-changes.ts'
import { askUser, declineCount, promptFor } from './prompts.ts'

export { API, BASE, NONCE } from './base.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Query = Record<string, string | number | boolean | undefined | null>

interface Refusal {
  code?: string
  error?: string
  message?: string
  details?: Record<string, unknown>
  request_id?: string
}

/** Changes at paths below a store may have an idempotency key, so they can wait and be repeated (decision 134). */
const STORE_PATH = `${API}/stores/`

/** The running requests that may replace the session, such as one with a new password. */
const sessionChanges = new Set<Promise<unknown>>()

async function trackSessionChange(request: Promise<Response>): Promise<Response> {
  sessionChanges.add(request)
  try {
    return await request
  } finally {
    sessionChanges.delete(request)
  }
}

/** Repeats a request once if its session was replaced while it ran, so that the old cookie was refused. */
async function sendInSession(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if ((await refusalCodeOf(response)) !== 'SIGN_IN_REQUIRED') return response
  await Promise.allSettled(sessionChanges)
  return send()
}

/** The code of a refusal that the user can resolve; `OTHER_USER` if another user signed in in the browser. */
async function refusalCodeOf(response: Response): Promise<string | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const { code, details } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Refusal
  return details?.other_user ? 'OTHER_USER' : code
}

/**
 * Sends a request. If the session has ended or a password is needed, the page asks the user, and then repeats the
 * request. No typed value is lost. A change of a store waits while the server does not answer.
 */
export const guardedFetch = (input: RequestInfo | URL, init: RequestInit = {}, name?: string) =>
  fetchWithPrompts(input, init, { name, isPersisted: true })

/** Like `guardedFetch`, but does not persist the change, because the form of an edit persists it. */
export const fetchForEdit = (input: RequestInfo | URL, init: RequestInit = {}, name?: string) =>
  fetchWithPrompts(input, init, { name, isPersisted: false })

interface Change {
  /** The change in words, while it waits for the server; by default the name of its page. */
  name: string | undefined
  isPersisted: boolean
}

/** A call, which its client may send several times, for example if the first attempt had no answer. */
interface Call {
  /** The number of prompts that the user had declined when the call was sent first. */
  declinesAtStart: number
}

/** The calls, by their headers. A client sends each attempt of a call with the same object. */
const calls = new WeakMap<object, Call>()

function callWith(headers: HeadersInit = {}): Call {
  const current = calls.get(headers) ?? { declinesAtStart: declineCount() }
  calls.set(headers, current)
  return current
}

async function fetchWithPrompts(input: RequestInfo | URL, init: RequestInit, change: Change) {
  const currentCall = callWith(init.headers)
  const headers = new Headers(init.headers)
  // The generated clients send these headers. The private API identifies the user by the cookie.
  for (const name of ['x-api-key', 'x-store-hash', 'authorization']) headers.delete(name)
  // All tabs of a browser share its session, so another user may have signed in in another tab.
  const user = pageUser()
  if (user !== undefined) headers.set('x-user-id', String(user))
  const { send, persist, deletePersisted } = senderOf(input, { ...init, headers }, change)
  try {
    for (;;) {
      const response = await send()
      const prompt = promptFor(await refusalCodeOf(response))
      if (!prompt) return response
      // If another user signs in, the page is loaded again and the prompt is never answered. Only a stored change
      // survives that.
      if (prompt === 'STEP_UP_REQUIRED') deletePersisted?.()
      else persist?.()
      if (!(await askUser(prompt, currentCall.declinesAtStart))) return response
      currentCall.declinesAtStart = declineCount()
    }
  } finally {
    deletePersisted?.()
  }
}

interface Sender {
  send(): Promise<Response>
  /** Stores the change for the next load of the page; undefined if the request is not persisted. */
  persist?(): void
  deletePersisted?(): void
}

function senderOf(
  input: RequestInfo | URL,
  init: RequestInit & { headers: Headers },
  { name: ownName, isPersisted }: Change,
): Sender {
  const { method = 'GET', headers } = init
  const { pathname } = new URL(String(input), location.origin)
  if (method === 'GET') return { send: () => sendInSession(() => trackedFetch(input, init)) }
  if (!pathname.startsWith(STORE_PATH)) {
    return { send: () => trackSessionChange(trackedFetch(input, init)) }
  }
  const key = headers.get('idempotency-key') ?? randomKey()
  headers.set('idempotency-key', key)
  const name = ownName ?? pageName()
  // The client's own timeout would end the wait.
  const { signal: _, ...initWithoutSignal } = init
  return {
    send: () => sendInSession(() => sendUntilAnswered(name, input, initWithoutSignal, isPersisted)),
    ...(isPersisted && {
      persist: () => persistChange({ name, input, init, sentAt: Date.now(), isRefused: true }),
      deletePersisted: () => deletePersistedChange(key),
    }),
  }
}

export const queryText = (query: Query = {}): string => {
  const entries = Object.entries(query).filter(([, value]) => value != null && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

interface CallOptions {
  query?: Query
  body?: unknown
  signal?: AbortSignal
  /** Sends the request; `guardedFetch` by default. */
  send?: typeof guardedFetch
}

/** Calls an endpoint below `/dashboard/api`. Throws a TradepostError if it is refused. */
export async function call<Answer>(
  method: Method,
  path: string,
  options?: CallOptions,
): Promise<Answer> {
  const response = await responseOf(method, path, options)
  return parse(await response.text()) as Answer
}

/** Reads the bytes of a file below `/dashboard/api`. Throws a TradepostError if the call is refused. */
export const readBytes = async (path: string): Promise<ArrayBuffer> =>
  (await responseOf('GET', path)).arrayBuffer()

async function responseOf(
  method: Method,
  path: string,
  { query, body, signal, send = guardedFetch }: CallOptions = {},
): Promise<Response> {
  const operation = `${method} ${path}`
  const response = await send(`${API}${path}${queryText(query)}`, {
    method,
    headers: {
      ...(body !== undefined &&
        // The browser names the type of a form itself, with its boundary.
        !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomKey() }),
    },
    body: encodedBody(body),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (cause instanceof TradepostError) throw cause
    throw errorOf({
      operation,
      status: 0,
      code: 'NO_ANSWER',
      message: connection.notAnswered,
      cause,
    })
  })
  if (response.ok) return response
  const answer = parse(await response.text())
  throw errorOf({
    operation,
    status: response.status,
    code: (answer.code ?? 'UNREADABLE_ANSWER') as TradepostErrorCode,
    message: answer.error ?? answer.message ?? `The server answered ${response.status}.`,
    details: answer.details,
    requestId: answer.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter_s: Number(response.headers.get('retry-after') ?? 0) || undefined,
  })
}

function encodedBody(body: unknown): BodyInit | null {
  if (body === undefined) return null
  return body instanceof FormData ? body : JSON.stringify(body)
}

function parse(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal
  } catch {
    return {}
  }
}
