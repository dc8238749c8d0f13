import { errorOf, type TradepostErrorCode } from '../../../sdk/client/errors.ts'
import { randomKey } from '../../../sdk/client/random-key.ts'
import { askSignIn, askStepUp } from './prompts.ts'

const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="tradepost-${name}"]`)?.content ?? ''

/** The path of the public address; empty if Tradepost has a host of its own. */
export const BASE = meta('base')
export const NONCE = meta('nonce')
export const API = `${BASE}/dashboard/api`

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Query = Record<string, string | number | boolean | undefined | null>

interface Refusal {
  code?: string
  error?: string
  message?: string
  details?: Record<string, unknown>
  request_id?: string
}

/**
 * Sends a request. If the session has ended or a password is needed, it asks for it in place and repeats the
 * request, so that nothing that was typed is lost.
 */
export async function guardedFetch(input: RequestInfo | URL, init: RequestInit = {}) {
  const headers = new Headers(init.headers)
  // The printed clients send these; the private API knows the user by the cookie.
  for (const name of ['x-api-key', 'x-store-hash', 'authorization']) headers.delete(name)
  for (;;) {
    const response = await fetch(input, { ...init, headers })
    if (response.status !== 401 && response.status !== 403) return response
    const { code } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Refusal
    const ask = { SIGN_IN_REQUIRED: askSignIn, STEP_UP_REQUIRED: askStepUp }[code ?? '']
    if (!ask || !(await ask())) return response
  }
}

export const queryText = (query: Query = {}): string => {
  const set = Object.entries(query).filter(([, value]) => value != null && value !== '')
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Calls an endpoint below `/dashboard/api`. Throws a TradepostError if it is refused. */
export async function call<Answer>(
  method: Method,
  path: string,
  { query, body, signal }: { query?: Query; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  const operation = `${method} ${path}`
  const isForm = body instanceof FormData
  const response = await guardedFetch(`${API}${path}${queryText(query)}`, {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomKey() }),
    },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw errorOf({
      operation,
      status: 0,
      code: 'NO_ANSWER',
      message: 'The server did not answer.',
      cause,
    })
  })
  const text = await response.text()
  const answer = parse(text)
  if (response.ok) return answer as Answer
  throw errorOf({
    operation,
    status: response.status,
    code: (answer.code ?? 'UNREADABLE_ANSWER') as TradepostErrorCode,
    message: answer.error ?? answer.message ?? `The server answered ${response.status}.`,
    details: answer.details,
    requestId: answer.request_id ?? response.headers.get('x-request-id') ?? undefined,
  })
}

function parse(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal
  } catch {
    return {}
  }
}
