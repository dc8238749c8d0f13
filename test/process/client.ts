import { expect } from 'vitest'
import { chanceOf } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { elapse } from '../until.ts'
import type { Server } from './spawn-server.ts'

/** The address of a store, and the credentials for it. */
export interface Target {
  origin: string
  store: string
  key: string
}

/** Returns the live side of the demo store. Only the first start shows its key. After other starts, pass the key. */
export const targetOf = ({ origin, live }: Server, key = live.api_key ?? ''): Target => ({
  origin,
  store: live.id,
  key,
})

export interface Reply {
  status: number
  text: string
  json: Json
  headers: Headers
}

interface Options {
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Calls the Store API over a socket. */
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

/** Fails unless a call succeeded, or was answered with one of the other statuses. */
export function expectStatus(reply: Reply, ...others: number[]): Reply {
  expect([200, 201, ...others], reply.text).toContain(reply.status)
  return reply
}

const REPEATS_MAX = 200

/** Repeats a call that an overloaded server refused with 503, because such a call has no effect (decision 132). */
export async function callUntilServed(
  target: Target,
  method: string,
  path: string,
  { onRefusal, ...options }: Options & { onRefusal?: () => void } = {},
): Promise<Reply> {
  for (let attempts = 1; ; attempts++) {
    const reply = await call(target, method, path, options)
    if (reply.status !== 503 || attempts === REPEATS_MAX) return reply
    onRefusal?.()
    await pauseForRetryAfter(reply)
  }
}

async function pauseForRetryAfter({ status, text, headers }: Reply): Promise<void> {
  const wait_s = Number(headers.get('retry-after'))
  if (!(wait_s > 0)) throw new Error(`No Retry-After: ${status} ${text}`)
  // A random delay spreads the repeats of callers that were refused at the same time.
  await elapse((wait_s * 1_000 + chance() * 1_000) * WAIT_SHARE)
}

const chance = chanceOf('repeats after a refusal')

/** The share of a Retry-After that tests wait, to save time. */
const WAIT_SHARE = 0.1

/** Repeats a POST after a 503, and while its first call is still running. */
export async function postUntilAnswered(
  target: Target,
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Reply> {
  for (let attempts = 1; ; attempts++) {
    const reply = await call(target, 'POST', path, { body, idempotencyKey })
    const isRepeatable = reply.status === 503 || reply.json.code === 'IDEMPOTENCY_IN_PROGRESS'
    if (!isRepeatable || attempts === REPEATS_MAX) return reply
    await pauseForRetryAfter(reply)
  }
}
