import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../harness.ts'

/** The address of a store, and the credentials for it. */
export interface Target {
  origin: string
  store: string
  key: string
}

export interface Reply {
  status: number
  text: string
  json: Json
  headers: Headers
}

export interface Options {
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

/** One call of the Store API over a socket. */
export async function call(
  target: Target,
  method: string,
  path: string,
  { body, idempotencyKey, signal }: Options = {},
): Promise<Reply> {
  const response = await fetch(`${target.origin}/v1${path}`, {
    method,
    headers: {
      'x-api-key': target.key,
      'x-store-hash': target.store,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text), headers: response.headers }
}

const REPEATS_MAX = 200
/** The share of a Retry-After that tests really wait. They prove the outcome, not the patience of callers. */
const WAITED = 0.1

/** Repeats a POST after a 503, and while its first call still runs. */
export async function insist(
  target: Target,
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await call(target, 'POST', path, { body, idempotencyKey })
    const again = reply.status === 503 || reply.json.code === 'IDEMPOTENCY_IN_PROGRESS'
    if (!again || tries === REPEATS_MAX) return reply
    const wait_s = Number(reply.headers.get('retry-after'))
    if (!(wait_s > 0)) throw new Error(`No Retry-After: ${reply.status} ${reply.text}`)
    // A random delay keeps callers that were refused together from coming back together.
    await pause((wait_s * 1_000 + Math.random() * 1_000) * WAITED)
  }
}
