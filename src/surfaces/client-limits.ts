import type { FastifyRequest } from 'fastify'
import { hashToken } from '../features/licensing/index.ts'
import type { ClientEndpoint } from '../http/client-endpoint.ts'
import { Refusal } from '../kernel/errors.ts'
import { networkOf } from '../kernel/net.ts'
import type { FoundApp } from './app-directory.ts'
import { isToken, tokenInHeader } from './client-signature.ts'
import type { AuthenticationContext } from './store-authentication.ts'

type PublicApp = FoundApp['app']

/**
 * Refuses a call that exceeds a limit of its app, before the body is read and a license key is looked up. Calls of a
 * session have their own limit, independent of the IP address. They are counted once the session is found
 * (decision 118).
 */
export async function checkLimits(
  auth: AuthenticationContext,
  request: FastifyRequest,
  { app }: FoundApp,
  { limit }: ClientEndpoint,
) {
  if (!limit || limit === 'by grant') return
  const token = tokenInHeader(request)
  if (limit === 'session_calls' && isToken(token)) {
    await remainingCalls(auth, sessionLimitName(hashToken(token)), app.rate_limits[limit])
    return
  }
  if (limit !== 'session_calls') await remainingUnknownKeys(auth, request, app)
  await countAgainstLimit(auth, `${limit}|${callerName(request, app)}`, app.rate_limits[limit])
}

const TOO_MANY_CALLS = 'Too many calls in the past 60 seconds. Wait for the seconds in Retry-After.'
const TOO_MANY_KEYS =
  'This address sent too many unknown license keys in the past 60 seconds. Wait for the seconds in Retry-After.'
export const TOO_MANY_TOKENS =
  'This address sent too many unknown session tokens in the past 60 seconds. Wait for the seconds in Retry-After.'

/** Counts a call, or throws RATE_LIMITED. */
export async function countAgainstLimit(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  message = TOO_MANY_CALLS,
) {
  if (limit === null) return
  const { allowed, retry_after_s } = await auth.limiter.count(name, limit, auth.app.clock.now())
  if (!allowed) throw rateLimited(message, retry_after_s)
}

/** Returns the number of remaining calls without counting one. Throws RATE_LIMITED if none remains. */
async function remainingCalls(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  message = TOO_MANY_CALLS,
): Promise<number> {
  if (limit === null) return Number.POSITIVE_INFINITY
  const { remaining, retry_after_s } = await auth.limiter.peek(name, limit, auth.app.clock.now())
  if (remaining === 0) throw rateLimited(message, retry_after_s)
  return remaining
}

export const sessionLimitName = (tokenHash: Buffer): string =>
  `session|${tokenHash.toString('base64url')}`

export const callerName = (request: FastifyRequest, app: PublicApp): string =>
  `${app.id}|${networkOf(request.ip)}`
export const unknownKeysLimitName = (request: FastifyRequest, app: PublicApp): string =>
  `unknown_keys|${callerName(request, app)}`

/** Returns how many more unknown license keys an address may send. Throws RATE_LIMITED if it is 0. */
const remainingUnknownKeys = (
  auth: AuthenticationContext,
  request: FastifyRequest,
  app: PublicApp,
): Promise<number> =>
  remainingCalls(
    auth,
    unknownKeysLimitName(request, app),
    app.rate_limits.unknown_keys,
    TOO_MANY_KEYS,
  )

const rateLimited = (message: string, wait_s: number) =>
  new Refusal('RATE_LIMITED', message, undefined, { 'retry-after': String(wait_s) })

/**
 * Limits the concurrent lookups of license keys for an address. Any of them may turn out to be unknown, so there may
 * be only as many as the unknown keys that the address may still send.
 */
export const limitUnknownKeys = <T>(
  auth: AuthenticationContext,
  request: FastifyRequest,
  app: PublicApp,
  work: () => Promise<T>,
) =>
  auth.concurrency.run(
    unknownKeysLimitName(request, app),
    () => remainingUnknownKeys(auth, request, app),
    work,
  )
